/** A line that is longer than this is not a decision; it is skipped without being held in memory. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** One line: its number from 1, and its text, or the reason why it cannot be one. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
  readonly reason: string | null;
}

const NEWLINE = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The lines of a text in bytes. @throws what reading the bytes throws. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  for await (const bytes of splitLines(chunks)) {
    number += 1;
    if (bytes === null) {
      yield { number, text: null, reason: `longer than ${LINE_BYTES_MAX} bytes` };
      continue;
    }
    const text = decode(bytes);
    if (text === null) yield { number, text: null, reason: 'not valid UTF-8' };
    else if (text.trim() !== '') yield { number, text, reason: null };
  }
}

/** Splits at newlines; null stands for a line that is too long. What it yields is good until the next is asked for. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  const begun = new BegunLine();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end);
      if (begun.length === 0 && rest.length <= LINE_BYTES_MAX) yield rest;
      else {
        begun.add(rest);
        yield begun.take();
      }
      start = end + 1;
    }
    begun.add(chunk.subarray(start));
  }
  if (begun.length > 0) yield begun.take();
}

/** A line of which the end has not come yet, in one buffer, however small the pieces are in which it comes. */
class BegunLine {
  length = 0;
  #bytes = Buffer.alloc(64 * 1024);

  add(piece: Buffer): void {
    const start = this.length;
    this.length += piece.length;
    if (this.length > LINE_BYTES_MAX) return;
    if (this.length > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.length, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, start);
  }

  /** @returns the line, or null where it is too long; the next one begins. */
  take(): Buffer | null {
    const { length } = this;
    this.length = 0;
    return length > LINE_BYTES_MAX ? null : this.#bytes.subarray(0, length);
  }
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
