import type { BaseStatus } from '../../engine/messages.ts';
import { repeat, type Clock } from '../../clock.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { forEachOf } from '../../contract/records.ts';
import type { Seen } from '../../http/described-request.ts';
import type { ProcessLoad } from '../../observe/process-load.ts';
import type { Tallies } from '../../observe/tallies.ts';
import { AbsentWords } from './absent-words.ts';
import { BaseGauge } from './base-gauge.ts';
import { FIGURES_RECENT_S, SecondEnds } from './increase.ts';
import { KeyRates } from './key-rates.ts';
import { ServiceFigures } from './service-figures.ts';

/** Interval at which the pool's use is sampled; a batch is shorter. */
const FIGURES_SAMPLE_MS = 100;

const SECOND_MS = 1_000;

/** The last fifteen minutes of every base, second by second, and the latest seconds of the service, in constant memory. */
export class Figures {
  readonly tallies: Tallies;
  readonly bases: Readonly<Record<Base, BaseGauge>>;
  readonly service: ServiceFigures;
  readonly keys = new KeyRates();
  /** Null where no text of a search is to be kept. */
  readonly absentWords: AbsentWords | null;
  readonly #clock: Clock;
  readonly #statusOf: (base: Base) => BaseStatus;
  readonly #ends: SecondEnds;
  #cancel: () => void = () => undefined;
  #second: number;

  /** @param readLoad called at the end of every second. @param slowMs the setting: with 0 no text of a search is kept. */
  constructor(
    clock: Clock,
    statusOf: (base: Base) => BaseStatus,
    tallies: Tallies,
    readLoad: () => ProcessLoad,
    slowMs = 0,
  ) {
    this.tallies = tallies;
    this.#clock = clock;
    this.#statusOf = statusOf;
    this.bases = forEachOf(BASES, (base) => new BaseGauge(tallies.bases[base]));
    this.service = new ServiceFigures(clock, tallies, readLoad);
    this.#ends = new SecondEnds(tallies.set);
    this.absentWords = slowMs > 0 ? new AbsentWords() : null;
    this.#second = this.#now();
  }

  start(): void {
    this.#cancel = repeat(this.#clock, FIGURES_SAMPLE_MS, () => {
      this.#sample();
    });
  }

  close(): void {
    this.#cancel();
  }

  /** Counts an answer for its key, and the words that no decision has. */
  noteSeen(seen: Seen): void {
    const { keyId, isAbandoned } = seen.notes;
    if (keyId !== null) this.keys.note(keyId, seen.notes.refusal !== null);
    if (!isAbandoned) this.absentWords?.note(seen);
  }

  #sample(): void {
    for (const base of BASES) this.bases[base].noteState(this.#statusOf(base));
    const now = this.#now();
    // If the clock is set back by less than a second, this second lasts longer and none repeats.
    if (now === this.#second || now === this.#second - 1) return;
    this.#endSecond(this.#second);
    this.#second = now;
  }

  #endSecond(em: number): void {
    this.#ends.endSecond();
    const [second, recent] = [this.#ends.over(1), this.#ends.over(FIGURES_RECENT_S)];
    for (const part of [this.service, ...Object.values(this.bases)]) part.endSecond(em, second, recent);
    this.keys.endSecond();
  }

  #now(): number {
    return Math.floor(this.#clock.date().getTime() / SECOND_MS);
  }
}
