import { ByteWriter } from '../index/format/bytes.ts';

/** The fields of a canonical line (`LinhaSchema`), named here because the schema library takes a quarter of a second to load. */
export const FIELDS = (
  'chave tribunal fonte tipo processo numeros classe orgao_julgador relator redator data_julgamento data_publicacao ' +
  'ementa_status ementa tese dispositivo inteiro_teor citacao legislacao_citada temas extras texto'
).split(' ');
/** A longer line is not a decision. It is skipped and never held in memory. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** A line: its number from 1, and its text or the reason for having none. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
  readonly reason: string | null;
}

const NOT_UTF8 = 'not valid UTF-8; if the file is in Latin-1, convert it: iconv -f latin1 -t utf-8';
const NEWLINE = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes bytes into lines; blank lines are left out. @throws the errors of `chunks`. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  for await (const bytes of splitLines(chunks)) {
    number += 1;
    if (bytes === null) {
      yield { number, text: null, reason: `longer than ${LINE_BYTES_MAX} bytes` };
      continue;
    }
    const text = decode(bytes);
    if (text === null) yield { number, text: null, reason: NOT_UTF8 };
    else if (text.trim() !== '') yield { number, text, reason: null };
  }
}

/** Splits at newlines; null is a line that is too long. A yielded buffer is valid until the next one. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array | null> {
  const buffer = new LineBuffer();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      if (buffer.length === 0 && piece.length <= LINE_BYTES_MAX) yield piece;
      else {
        buffer.add(piece);
        yield buffer.take();
      }
      start = end + 1;
    }
    buffer.add(chunk.subarray(start));
  }
  if (buffer.length > 0) yield buffer.take();
}

/** Collects the pieces of an incomplete line in one buffer. */
class LineBuffer {
  length = 0;
  readonly #bytes = new ByteWriter(64 * 1024);

  add(piece: Uint8Array): void {
    this.length += piece.length;
    if (this.length <= LINE_BYTES_MAX) this.#bytes.copy(piece, 0, piece.length);
  }

  /** Ends the line. @returns its bytes, or null if it is too long. */
  take(): Uint8Array | null {
    const line = this.length > LINE_BYTES_MAX ? null : this.#bytes.bytes.subarray(0, this.length);
    this.length = 0;
    this.#bytes.clear();
    return line;
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
