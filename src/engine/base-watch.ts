import { UNSEEN, type BasePort } from './port.ts';
import type { Clock } from './clock.ts';

const LOOK_EVERY_MS = 1_000;

export interface BaseWatchOptions {
  readonly clock: Clock;
  readonly port: Pick<BasePort, 'look'>;
  readonly isUp: () => boolean;
  /** Has the base answer, or not, to the one who asks. */
  readonly probe: () => Promise<unknown>;
  /** Told why the base cannot be answered for. */
  readonly onFault: (detail: string) => void;
}

/**
 * Looks at a base once a second, so that its state is of now also where nobody asks it. A look waits in no queue; the base
 * is asked only where it is not up, or where something else is seen than before. One of each at a time.
 */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  #seen = '';
  #takeBack: () => void = () => undefined;
  #isProbing = false;
  #isClosed = false;

  constructor(options: BaseWatchOptions) {
    this.#options = options;
  }

  /** The first look is a second away. */
  start(): void {
    if (this.#isClosed) return;
    this.#takeBack = this.#options.clock.after(LOOK_EVERY_MS, () => {
      void this.#look().finally(() => {
        this.start();
      });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#takeBack();
  }

  async #look(): Promise<void> {
    const { port, isUp, probe, onFault } = this.#options;
    const { fault, identity } = (await port.look?.()) ?? UNSEEN;
    if (this.#isClosed) return;
    // Before the fault is told: a thread that has just worked may not have met it yet.
    const mustProbe = (!isUp() || identity !== this.#seen) && !this.#isProbing;
    this.#seen = identity;
    if (fault !== null) onFault(fault);
    // Whatever was seen, only an answer tells that it is over. It may be long in coming, and the next look is due.
    if (!mustProbe) return;
    this.#isProbing = true;
    void probe().finally(() => {
      this.#isProbing = false;
    });
  }
}
