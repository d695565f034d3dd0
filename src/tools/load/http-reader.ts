/** A raw answer; `head` is the status line and the headers as text. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  /** True if the service closes the connection after it. */
  readonly closes: boolean;
}

/** An answer without its body, which begins at `end`. */
interface Head extends Omit<Answer, 'body'> {
  readonly end: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Reads one HTTP/1.1 answer from the chunks of a socket. The service always sends the length of its body; a proxy
 * may send a chunked body.
 */
export class HttpReader {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #head: Head | null = null;
  #chunked: ChunkedBody | null = null;
  #total = Number.POSITIVE_INFINITY;

  /** @returns the answer; null if it is incomplete; `unframed` if its end cannot be found. */
  push(chunk: Uint8Array): Answer | 'unframed' | null {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#head === null && !this.#readHead()) return null;
    if (this.#head === null) return 'unframed';
    if (this.#chunked !== null) return this.#pushChunked(this.#head, this.#chunked);
    if (this.#bytes < this.#total) return null;
    return { ...this.#head, body: this.#joined().subarray(this.#head.end, this.#total) };
  }

  #pushChunked(head: Head, chunked: ChunkedBody): Answer | 'unframed' | null {
    const body = chunked.read(this.#joined());
    return body === null || body === 'unframed' ? body : { ...head, body };
  }

  /** @returns false until all headers are received. */
  #readHead(): boolean {
    const bytes = this.#joined();
    const at = bytes.indexOf(HEAD_END);
    if (at < 0) return false;
    const text = bytes.toString('latin1', 0, at);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/u.exec(text)?.[1] ?? Number.NaN);
    const length = headerOf(text, 'content-length');
    const isChunked = headerOf(text, 'transfer-encoding')?.toLowerCase() === 'chunked';
    const isEmpty = status === 204 || status === 304;
    const end = at + HEAD_END.length;
    if (Number.isNaN(status) || (length === null && !isEmpty && !isChunked)) return true;
    const closes = headerOf(text, 'connection')?.toLowerCase() === 'close';
    this.#head = { head: text, status, end, closes };
    if (isChunked && !isEmpty) this.#chunked = new ChunkedBody(end);
    else this.#total = end + (isEmpty ? 0 : Number(length));
    return true;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const joined =
      this.#chunks.length === 1 && first !== undefined
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

/** The value of a header in an answer's head; null if absent. */
export function headerOf(head: string, name: string): string | null {
  const start = head.toLowerCase().indexOf(`\r\n${name}:`);
  if (start < 0) return null;
  const from = start + name.length + 3;
  const end = head.indexOf('\r\n', from);
  return head.slice(from, end < 0 ? undefined : end).trim();
}

const LINE_END = '\r\n';
const SIZE_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/iu;
/** Longest accepted line with a chunk size. */
const LINE_BYTES_MAX = 4_096;

/** Decodes a chunked body (RFC 9112, section 7.1) from all bytes received so far. */
class ChunkedBody {
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
