const LINE_END = '\r\n';
const SIZE_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/iu;
/** A longer line holds no size that a client need read. */
const LINE_BYTES_MAX = 4_096;

/** Reads a body that comes in chunks (RFC 9112, section 7.1) from all the bytes that have come so far. */
export class ChunkedBody {
  readonly #parts: Buffer[] = [];
  #at: number;
  #isLast = false;

  /** @param start where the first chunk starts. */
  constructor(start: number) {
    this.#at = start;
  }

  /** @returns the whole body once it is there, null before, `unframed` when what came is no chunk. */
  read(bytes: Buffer): Buffer | 'unframed' | null {
    for (;;) {
      const lineEnd = bytes.indexOf(LINE_END, this.#at);
      if (lineEnd < 0) return bytes.length - this.#at > LINE_BYTES_MAX ? 'unframed' : null;
      const line = bytes.toString('latin1', this.#at, lineEnd);
      const next = lineEnd + LINE_END.length;
      if (this.#isLast) {
        // Trailers, which nobody reads, end with an empty line.
        this.#at = next;
        if (line === '') return Buffer.concat(this.#parts);
        continue;
      }
      const size = Number.parseInt(SIZE_LINE.exec(line)?.[1] ?? 'none', 16);
      if (Number.isNaN(size)) return 'unframed';
      if (size === 0) {
        this.#isLast = true;
        this.#at = next;
        continue;
      }
      const end = next + size;
      if (bytes.length < end + LINE_END.length) return null;
      if (bytes.toString('latin1', end, end + LINE_END.length) !== LINE_END) return 'unframed';
      this.#parts.push(bytes.subarray(next, end));
      this.#at = end + LINE_END.length;
    }
  }
}
