import type { BaseStatus } from '../../engine/snapshot.ts';
import type { Clock } from '../../engine/clock.ts';
import type { SearchPage } from '../../search/page.ts';
import type { Step } from '../../engine/steps.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { Pedido } from '../../query/parameters.ts';
import { forEachOf } from '../../contract/records.ts';
import { countSearch } from './base-counts.ts';
import { BaseGauge, type Counted, type Instant, type Point } from './base-gauge.ts';
import { KeyRates, useOf, type KeyUse } from './key-rates.ts';
import { RecentSearches } from './recent-searches.ts';
import { SearchPicks, type Picked, type Seen } from './search-picks.ts';
import type { Answered, ServiceTotals } from './service-counts.ts';
import { ServiceFigures, type ServiceLoad, type ServiceRecent } from './service-figures.ts';
import { FIGURES_SAMPLE_MS } from '../../config/limits.ts';

export type Instants = Readonly<Record<Base, Instant>>;

/** Of a service whose processes are not looked at. */
const UNKNOWN: ServiceLoad = {
  cpu_ms: null,
  loop_delay_ms: null,
  memory_bytes: null,
  processes: 1,
  reporting: 0,
};
const SECOND_MS = 1_000;

/** What another process answered since its last report: durations as pairs. */
export interface ServedElsewhere {
  readonly totals: ServiceTotals;
  readonly served: readonly number[];
}

/**
 * Keeps the last fifteen minutes of every base, second by second, and the service's latest seconds, in constant memory.
 */
export class Figures {
  readonly #clock: Clock;
  readonly #statusOf: (base: Base) => BaseStatus;
  readonly #gauges = forEachOf(BASES, () => new BaseGauge());
  readonly #service: ServiceFigures;
  readonly #picks: SearchPicks;
  /** How fast each key asks. */
  readonly keys = new KeyRates();
  readonly searches = new RecentSearches();
  readonly #listeners = new Set<(instants: Instants | 'closed') => void>();
  #cancel: () => void = () => undefined;
  #second: number;

  /** @param readLoad called at the end of each second. @param slowMs the setting: what is a slow request. */
  constructor(
    clock: Clock,
    statusOf: (base: Base) => BaseStatus,
    readLoad: () => ServiceLoad = () => UNKNOWN,
    slowMs = 0,
  ) {
    this.#clock = clock;
    this.#statusOf = statusOf;
    this.#service = new ServiceFigures(clock, readLoad);
    this.#picks = new SearchPicks(slowMs);
    this.#second = this.#now();
  }

  start(): void {
    this.#cancel = this.#clock.after(FIGURES_SAMPLE_MS, () => {
      this.#look();
      this.start();
    });
  }

  close(): void {
    this.#cancel();
    this.#letGo();
  }

  /** Counts a request to a base that has ended. */
  noteStep(step: Step): void {
    if (step.kind !== 'cobertura') this.#gauges[step.base].counts.noteStep(step);
  }

  /**
   * Counts an answered search. Without `pedido` and `page` the request was something else, or refused.
   * @param steps its requests to bases, which `noteStep` counts; an unanswered base without a step was rejected.
   */
  noteSearch(pedido: Pedido | null, page: SearchPage | null, steps: readonly Step[]): void {
    countSearch((base) => this.#gauges[base].counts, { pedido, page, steps });
  }

  /** Counts an answer of the public listener that its client waited for. */
  noteAnswer(answered: Answered): void {
    this.#service.counts.note(answered);
  }

  /** Counts an answer for its key, and looks whether an operator may want to see it. */
  noteSeen(seen: Seen): void {
    const { keyId, isAbandoned } = seen.notes;
    if (keyId !== null) this.keys.counts.note(keyId, useOf(seen.notes));
    if (!isAbandoned) this.#picks.note(seen);
  }

  /** Counts what another process answered. */
  noteServedElsewhere({ totals, served }: ServedElsewhere): void {
    this.#service.counts.add(totals);
    this.#service.counts.served.addPairs(served);
  }

  /** Counts answers of another process for their keys, and takes what it has chosen for the operator. */
  noteSeenElsewhere(keys: Readonly<Record<string, KeyUse>>, picked: Picked): void {
    for (const [id, use] of Object.entries(keys)) this.keys.counts.note(id, use);
    this.searches.add(picked);
  }

  /** The service over its latest seconds; null until one has ended. */
  get service(): ServiceRecent | null {
    return this.#service.recent;
  }

  /** Counts what a base did in another process. */
  noteElsewhere(base: Base, counted: Counted): void {
    this.#gauges[base].noteElsewhere(counted);
  }

  /** What half of a base's latest requests took with a thread, milliseconds; null if it had none. */
  typicalMs(base: Base): number | null {
    return this.history(base).at(-1)?.exec.p50 ?? null;
  }

  /** The stored seconds of a base, in order. */
  history(base: Base): readonly Point[] {
    return this.#gauges[base].points;
  }

  /** Calls `listener` at the end of every second, until it gets `closed`. @returns a function that ends this. */
  listen(listener: (instants: Instants | 'closed') => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #look(): void {
    for (const base of BASES) this.#gauges[base].noteState(this.#statusOf(base));
    const now = this.#now();
    // A clock set back by less than a second makes one second longer, and repeats none.
    if (now === this.#second || now === this.#second - 1) return;
    const ended = this.#second;
    this.#second = now;
    if (now < ended) {
      // The clock went back: later seconds are removed, and readers who saw them must load everything again.
      for (const gauge of Object.values(this.#gauges)) gauge.goBack(now);
      this.#letGo();
      return;
    }
    this.#service.endSecond(ended);
    this.keys.endSecond();
    this.searches.add(this.#picks.take());
    const instants = forEachOf(BASES, (base) => this.#gauges[base].endSecond(ended));
    for (const listener of this.#listeners) listener(instants);
  }

  #letGo(): void {
    for (const listener of this.#listeners) listener('closed');
    this.#listeners.clear();
  }

  #now(): number {
    return Math.floor(this.#clock.date().getTime() / SECOND_MS);
  }
}
