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

/** Splits at newlines; null stands for a line that is too long. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      length += end - start;
      if (length > LINE_BYTES_MAX) yield null;
      else
        yield pieces.length === 0
          ? chunk.subarray(start, end)
          : Buffer.concat([...pieces, chunk.subarray(start, end)]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    length += chunk.length - start;
    if (length > LINE_BYTES_MAX) pieces = [];
    else if (start < chunk.length) pieces.push(Buffer.from(chunk.subarray(start)));
  }
  if (length > LINE_BYTES_MAX) yield null;
  else if (length > 0) yield Buffer.concat(pieces);
}

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
