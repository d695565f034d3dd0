import { repeat, type Clock } from '../clock.ts';
import type { Broker } from './connection.ts';
import { FRONTS, frontSubject } from './subjects.ts';

const FRONT_BEAT_MS = 1_000;
/** A front counts in the division of quotas for this long after its latest announcement. */
const FRONT_HEARD_MS = 10_000;

/** The number of fronts, from their reports once a second. Without any report the last number stays. */
export class FrontCount {
  readonly #heard = new Map<string, number>();
  #lastAt = Number.NEGATIVE_INFINITY;
  readonly close: () => void;

  constructor(broker: Broker, clock: Clock) {
    broker.subscribe(FRONTS, ({ subject }) => {
      this.#lastAt = clock.now();
      this.#heard.set(subject, this.#lastAt);
    });
    const beat = () => {
      broker.publish(frontSubject(broker.name), '');
    };
    beat();
    this.close = repeat(clock, FRONT_BEAT_MS, beat);
  }

  /** At least one: this front. */
  get current(): number {
    for (const [subject, at] of this.#heard)
      if (this.#lastAt - at > FRONT_HEARD_MS) this.#heard.delete(subject);
    return Math.max(1, this.#heard.size);
  }
}
