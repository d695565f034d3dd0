import { BaseCounts, countSearch } from '../admin/console/base-counts.ts';
import { KeyCounts, useOf } from '../admin/console/key-rates.ts';
import { SearchPicks, type Picked } from '../admin/console/search-picks.ts';
import { DURATION_BOUNDS } from '../admin/console/recent-seconds.ts';
import { ServiceCounts } from '../admin/console/service-counts.ts';
import { PICKED_EVERY_MS } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import { LoadMeter } from '../observe/process-load.ts';
import { Histogram } from '../observe/histogram.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { forEachOf } from '../contract/records.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import type { BaseReport, Report } from './messages.ts';
import type { CreateServing } from './serving.ts';

type Figures = Parameters<CreateServing>[3]['figures'];

const NOTHING_PICKED: Picked = { listed: [], slowest: [] };

/** What a child did since its last report to the parent, for the figures of the console. */
export class Tally implements Figures {
  readonly #bases = new Map(
    BASES.map(
      (base) =>
        [base, new BaseCounts(new Histogram(DURATION_BOUNDS), new Histogram(DURATION_BOUNDS))] as const,
    ),
  );
  readonly #service = new ServiceCounts(new Histogram(DURATION_BOUNDS));
  readonly #load: LoadMeter;
  readonly #keys = new KeyCounts();
  readonly #picks: SearchPicks;
  readonly #clock: Clock;
  #pickedAt = 0;
  #answers = 0;

  /** @param slowMs the setting: what is a slow request. */
  constructor(clock: Clock, slowMs = 0) {
    this.#load = new LoadMeter(clock);
    this.#picks = new SearchPicks(slowMs);
    this.#clock = clock;
  }

  noteStep(...[step]: Parameters<Figures['noteStep']>): void {
    if (step.kind !== 'cobertura') this.#of(step.base).noteStep(step);
  }

  noteAnswer(...[answered]: Parameters<Figures['noteAnswer']>): void {
    this.#service.note(answered);
  }

  noteSearch(...[pedido, page, steps]: Parameters<Figures['noteSearch']>): void {
    this.#answers += 1;
    countSearch((base) => this.#of(base), { pedido, page, steps });
  }

  noteSeen(...[seen]: Parameters<Figures['noteSeen']>): void {
    const { keyId, isAbandoned } = seen.notes;
    if (keyId !== null) this.#keys.note(keyId, useOf(seen.notes));
    if (!isAbandoned) this.#picks.note(seen);
  }

  /** All of it, which it then forgets; only answers are counted on. @param statuses of the bases at this moment. */
  report(statuses: Readonly<Record<Base, BaseStatus>>): Report {
    const bases = forEachOf(BASES, (base): BaseReport => {
      const counted = this.#of(base);
      const { queue, run } = counted;
      const report = { counts: counted.take(), queue: queue.toPairs(), run: run.toPairs() };
      queue.clear();
      run.clear();
      return { status: statuses[base], ...report };
    });
    const { served } = this.#service;
    const service = { totals: this.#service.take(), served: served.toPairs() };
    served.clear();
    return {
      kind: 'report',
      bases,
      service,
      load: this.#load.take(),
      keys: Object.fromEntries(this.#keys.take()),
      searches: this.#picked(),
      answers: this.#answers,
      memory_bytes: process.memoryUsage.rss(),
    };
  }

  #picked(): Picked {
    const now = this.#clock.now();
    if (now - this.#pickedAt < PICKED_EVERY_MS) return NOTHING_PICKED;
    this.#pickedAt = now;
    return this.#picks.take();
  }

  #of(base: Base): BaseCounts<Histogram> {
    const counts = this.#bases.get(base);
    if (counts === undefined) throw new Error(`no counts for base ${base}`);
    return counts;
  }
}
