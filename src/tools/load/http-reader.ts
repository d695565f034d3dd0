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
/** A longer head, with all informational answers before it, is not read. */
const HEAD_BYTES_MAX = 256 * 2 ** 10;

/**
 * Reads one answer from the chunks of a socket, as RFC 9112 tells a client to: informational answers (1xx) are
 * skipped, and a body has a length, or chunks, or ends with the connection.
 */
export class HttpReader {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #head: Head | null = null;
  #chunked: ChunkedBody | null = null;
  /** Infinite for a body that ends with the connection. */
  #total = Number.POSITIVE_INFINITY;

  /** @returns the answer; null if it is incomplete; `unframed` if its end cannot be found. */
  push(chunk: Uint8Array): Answer | 'unframed' | null {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#head === null) {
      const head = this.#readHead();
      if (head === null || head === 'unframed') return head;
      this.#head = head;
    }
    if (this.#chunked !== null) return this.#pushChunked(this.#head, this.#chunked);
    if (this.#bytes < this.#total) return null;
    return { ...this.#head, body: this.#joined().subarray(this.#head.end, this.#total) };
  }

  /** Called when the connection closes. @returns the answer if its body ends with the connection, else null. */
  end(): Answer | null {
    if (this.#head === null || this.#chunked !== null || this.#total !== Number.POSITIVE_INFINITY)
      return null;
    return { ...this.#head, body: this.#joined().subarray(this.#head.end) };
  }

  #pushChunked(head: Head, chunked: ChunkedBody): Answer | 'unframed' | null {
    const body = chunked.read(this.#joined());
    return body === null || body === 'unframed' ? body : { ...head, body };
  }

  /** @returns null until all headers are received. */
  #readHead(): Head | 'unframed' | null {
    const bytes = this.#joined();
    for (let from = 0; ;) {
      const at = bytes.indexOf(HEAD_END, from);
      if (at < 0) return bytes.length > HEAD_BYTES_MAX ? 'unframed' : null;
      const text = bytes.toString('latin1', from, at);
      const end = at + HEAD_END.length;
      const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})(?: |\r|$)/u.exec(text) ?? [];
      const status = Number(code ?? Number.NaN);
      // A protocol switch (101) was not asked for.
      if (Number.isNaN(status) || status === 101) return 'unframed';
      if (status >= 200) return this.#frame(text, status, end, minor === '0');
      from = end;
    }
  }

  /** Finds how the body ends. HTTP/1.0 has no chunks, and closes unless it says otherwise. */
  #frame(text: string, status: number, end: number, isOld: boolean): Head | 'unframed' {
    const options = tokensOf(text, 'connection');
    const closes = options.includes('close') || (isOld && !options.includes('keep-alive'));
    const length = headerOf(text, 'content-length');
    if (status === 204 || status === 304) this.#total = end;
    else if (!isOld && tokensOf(text, 'transfer-encoding').at(-1) === 'chunked')
      this.#chunked = new ChunkedBody(end);
    else if (length !== null) {
      if (!/^\d{1,15}$/u.test(length)) return 'unframed';
      this.#total = end + Number(length);
    }
    return { head: text, status, end, closes };
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

/** The elements of a header that is a list, in lower case. */
function tokensOf(head: string, name: string): string[] {
  return (headerOf(head, name) ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim());
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
