import type { Clock } from './clock.ts';

/** A state that the base was asked for so long ago counts as its present one: many who come together are told by one look. */
const FRESH_MS = 3;
/** Who does not know by then has to do without. */
const PATIENCE_MS = 25;

/**
 * The state that the data of a base are in, as it says itself when it is asked: one look for all who want to know it
 * before the question has left or in the moment after, so that nobody is told of a state older than `FRESH_MS`.
 */
export class DataVersion {
  readonly #clock: Clock;
  readonly #ask: () => Promise<string | null>;
  #looking: Promise<string | null> | null = null;
  /** When the question left; before that it is worth waiting for, however long ago it was put. */
  #leftAt: number | null = null;

  /** @param ask has the base name its state; null where it cannot. The question leaves when `leave` is called. */
  constructor(clock: Clock, ask: () => Promise<string | null>) {
    this.#clock = clock;
    this.#ask = ask;
  }

  /** Null where the base does not say it soon. */
  current(): Promise<string | null> {
    const isFresh = this.#leftAt === null || this.#clock.now() - this.#leftAt < FRESH_MS;
    if (this.#looking === null || !isFresh) this.#looking = this.#look();
    return this.#looking;
  }

  /** To be called when the question leaves for the base. */
  leave(): void {
    this.#leftAt ??= this.#clock.now();
  }

  #look(): Promise<string | null> {
    this.#leftAt = null;
    const late = Promise.withResolvers<null>();
    const takeBack = this.#clock.after(PATIENCE_MS, () => {
      // Whoever comes now may find the base less busy.
      if (this.#looking === looking) this.#looking = null;
      late.resolve(null);
    });
    const looking = Promise.race([this.#ask(), late.promise]).finally(takeBack);
    return looking;
  }
}
