import { writeSync } from 'node:fs';

/** Bytes gathered before a write: one call for hundreds of lines, not one each. */
const CHUNK_BYTES = 1 << 20;
/** A UTF-16 unit takes up to three bytes in UTF-8. */
const UNIT_BYTES_MAX = 3;
/** How long to wait for a full pipe to drain before trying again. */
const RETRY_MS = 2;

const LINE_END = 0x0a;

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes lines to a file descriptor in large pieces, waiting for a slow reader. */
export class LineWriter {
  readonly #fd: number;
  #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #used = 0;
  #isOpen = true;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Adds a line and its end. False once the reader has closed its side. */
  write(line: string): boolean {
    const room = line.length * UNIT_BYTES_MAX + 1;
    if (this.#used + room > this.#buffer.length) this.#flush();
    if (room > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(room);
    this.#used += this.#buffer.write(line, this.#used, 'utf8');
    this.#used = this.#buffer.writeUInt8(LINE_END, this.#used);
    return this.#isOpen;
  }

  /** Writes what is left. */
  end(): void {
    this.#flush();
  }

  #flush(): void {
    for (let from = 0; this.#isOpen && from < this.#used;) {
      from += this.#writeFrom(from);
    }
    this.#used = 0;
  }

  /** Writes what the descriptor takes at once: the number of bytes, 0 when it is full or closed. */
  #writeFrom(from: number): number {
    try {
      return writeSync(this.#fd, this.#buffer, from, this.#used - from);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EAGAIN') Atomics.wait(pause, 0, 0, RETRY_MS);
      else if (code === 'EPIPE') this.#isOpen = false;
      else throw error;
      return 0;
    }
  }
}
