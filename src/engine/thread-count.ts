import type { BasePort } from './port.ts';

/** The number of threads behind a base, and so of batches under way at once. */
export class ThreadCount {
  readonly #port: Pick<BasePort, 'resize'>;
  readonly #onChanged: () => void;
  #current: number;
  #changing: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param onChanged called after each change: there may be room for another batch. */
  constructor(port: Pick<BasePort, 'resize'>, threads: number, onChanged: () => void) {
    this.#port = port;
    this.#current = threads;
    this.#onChanged = onChanged;
  }

  get current(): number {
    return this.#current;
  }

  /**
   * Changes the number of threads. Changes run one after the other.
   * @returns the threads in force afterwards; unchanged when the port cannot change them.
   * @throws what the port throws; the threads are then unchanged.
   */
  change(threads: number): Promise<number> {
    const changed = this.#changing.then(() => this.#change(threads));
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  /** Later changes do nothing. */
  close(): void {
    this.#isClosed = true;
  }

  async #change(threads: number): Promise<number> {
    if (this.#port.resize === undefined || this.#isClosed) return this.#current;
    // Never more batches than threads: a smaller number holds at once, a larger one only afterwards.
    let inForce = this.#current;
    this.#current = Math.min(inForce, threads);
    try {
      inForce = await this.#port.resize(threads);
    } finally {
      this.#current = inForce;
      this.#onChanged();
    }
    return inForce;
  }
}
