const LINE_END = '\r\n';
const SIZE_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/iu;
/** Longest accepted line with a chunk size. */
const LINE_BYTES_MAX = 4_096;

/** Decodes a chunked body (RFC 9112, section 7.1) from all bytes received so far. */
export class ChunkedBody {
  readonly #parts: Buffer[] = [];
  #at: number;
  #isLast = false;

  /** @param start offset of the first chunk. */
  constructor(start: number) {
    this.#at = start;
  }

  /** @returns the body; null if it is incomplete; `unframed` if the bytes are not chunks. */
  read(bytes: Buffer): Buffer | 'unframed' | null {
    for (;;) {
      const lineEnd = bytes.indexOf(LINE_END, this.#at);
      if (lineEnd < 0) return bytes.length - this.#at > LINE_BYTES_MAX ? 'unframed' : null;
      const line = bytes.toString('latin1', this.#at, lineEnd);
      const next = lineEnd + LINE_END.length;
      if (this.#isLast) {
        // The trailers, which are ignored, end with an empty line.
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
