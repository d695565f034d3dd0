import { FRONT_BEAT_MS, FRONT_HEARD_MS } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import type { Broker } from './connection.ts';
import { FRONTS, frontSubject } from './subjects.ts';

/** How many fronts there are, as each says once a second. While nobody is heard, as many as there were before. */
export class FrontCount {
  readonly #broker: Broker;
  readonly #clock: Clock;
  readonly #heard = new Map<string, number>();
  #lastAt = Number.NEGATIVE_INFINITY;
  #takeBack: () => void = () => undefined;

  constructor(broker: Broker, clock: Clock) {
    this.#broker = broker;
    this.#clock = clock;
    broker.subscribe(FRONTS, ({ subject }) => {
      this.#lastAt = clock.now();
      this.#heard.set(subject, this.#lastAt);
    });
    this.#beat();
  }

  /** At least one: this front. */
  get current(): number {
    for (const [subject, at] of this.#heard)
      if (this.#lastAt - at > FRONT_HEARD_MS) this.#heard.delete(subject);
    return Math.max(1, this.#heard.size);
  }

  close(): void {
    this.#takeBack();
  }

  #beat(): void {
    this.#broker.publish(frontSubject(this.#broker.name), '');
    this.#takeBack = this.#clock.after(FRONT_BEAT_MS, () => {
      this.#beat();
    });
  }
}
