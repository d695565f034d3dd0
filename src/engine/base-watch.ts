import { UNSEEN, type BasePort } from './port.ts';
import type { Clock } from './clock.ts';
import { WATCH_EVERY_MS } from '../config/limits.ts';

export interface BaseWatchOptions {
  readonly clock: Clock;
  readonly port: Pick<BasePort, 'look'>;
  readonly isUp: () => boolean;
  /** Sends a request that reads nothing: its outcome says whether the base answers. */
  readonly probe: () => Promise<unknown>;
  /** Called with the reason why the base cannot answer. */
  readonly onFault: (detail: string) => void;
}

/**
 * Checks a base once a second, so that its health is current even when no request comes. A check skips the queue. It
 * probes the base only when the base is not up or its file has changed. At most one check and one probe run at a time.
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

  /** Schedules the next check; the first one comes after a second. */
  start(): void {
    if (this.#isClosed) return;
    this.#takeBack = this.#options.clock.after(WATCH_EVERY_MS, () => {
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
    // Read before the fault is reported: a thread that has just answered may not have met the fault yet.
    const mustProbe = (!isUp() || identity !== this.#seen) && !this.#isProbing;
    this.#seen = identity;
    if (fault !== null) onFault(fault);
    // Only an answer proves that the fault is over. The answer may take long, so the next check does not wait for it.
    if (!mustProbe) return;
    this.#isProbing = true;
    void probe().finally(() => {
      this.#isProbing = false;
    });
  }
}
