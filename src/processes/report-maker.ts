import { KeyCounts, useOf } from '../admin/console/key-rates.ts';
import { SearchPicks, type Picked, type Seen } from '../admin/console/search-picks.ts';
import { PICKED_EVERY_MS } from '../config/limits.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Clock } from '../engine/clock.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import { LoadMeter } from '../observe/process-load.ts';
import { Tallies } from '../observe/tallies.ts';
import { risesOf } from '../observe/tally-set.ts';
import type { Report } from './messages.ts';

const NOTHING_PICKED: Picked = { listed: [], slowest: [] };

/** What a child did since its last report to the parent, for the figures of the console. */
export class ReportMaker {
  readonly tallies = new Tallies();
  readonly #load: LoadMeter;
  readonly #keys = new KeyCounts();
  readonly #picks: SearchPicks;
  readonly #clock: Clock;
  #reported = this.tallies.set.read();
  #pickedAt = 0;
  #answers = 0;

  /** @param slowMs the setting: what is a slow request. */
  constructor(clock: Clock, slowMs = 0) {
    this.#load = new LoadMeter(clock);
    this.#picks = new SearchPicks(slowMs);
    this.#clock = clock;
  }

  noteSeen(seen: Seen): void {
    const { keyId, isAbandoned } = seen.notes;
    if (keyId !== null) this.#keys.note(keyId, useOf(seen.notes));
    if (isAbandoned) return;
    this.#answers += 1;
    this.#picks.note(seen);
  }

  /** Reports all of it, and begins anew. @param bases as they are at this moment. */
  report(bases: Readonly<Record<Base, BaseStatus>>): Report {
    const before = this.#reported;
    this.#reported = this.tallies.set.read();
    return {
      kind: 'report',
      bases,
      tallies: risesOf(before, this.#reported),
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
}
