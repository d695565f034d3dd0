export interface Start {
  readonly bytes: Buffer;
  /** True if these are all bytes. */
  readonly isAll: boolean;
}

/** How much the data must grow before `isEnough` is called again. */
const RECHECK_GROWTH = 1.05;

/** A stream whose first bytes can be examined before it is read. */
export class Peekable {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer[] = [];

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads until `isEnough` or the end; `all` still gives all bytes. */
  async start(isEnough: (bytes: Buffer) => boolean): Promise<Start> {
    let length = this.#held.reduce((sum, chunk) => sum + chunk.length, 0);
    for (let checked = 0; ;) {
      // A pipe may deliver single bytes. Checking all bytes after each would take quadratic time.
      if (length > 0 && length >= checked * RECHECK_GROWTH) {
        checked = length;
        const bytes = Buffer.concat(this.#held);
        if (isEnough(bytes)) return { bytes, isAll: false };
      }
      const next = await this.#chunks.next();
      if (next.done === true) return { bytes: Buffer.concat(this.#held), isAll: true };
      this.#held.push(next.value);
      length += next.value.length;
    }
  }

  /** All bytes, from the first on. Call it once. */
  async *all(): AsyncGenerator<Buffer> {
    yield* this.#held;
    this.#held = [];
    yield* { [Symbol.asyncIterator]: () => this.#chunks };
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
