import { Peekable } from './peekable.ts';

export type Encoding = 'utf-8' | 'windows-1252';

/** UTF-16, with or without a byte order mark, as UTF-8; other bytes pass unchanged. PowerShell's `>` writes it. */
export async function* asUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const peekable = new Peekable(chunks);
  const { bytes } = await peekable.start(({ length }) => length >= 2);
  const encoding = utf16Of(bytes);
  if (encoding === null) yield* peekable.all();
  else for await (const text of decoded(peekable.all(), encoding)) yield Buffer.from(text);
}

/** Without a mark, by the first character: JSON and HTML begin with one of ASCII. */
function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === undefined || second === undefined) return null;
  if ((first === 0xff && second === 0xfe) || (isAscii(first) && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && isAscii(second)) ? 'utf-16be' : null;
}

function isAscii(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);
}

/**
 * Detects the encoding from all bytes of a text. Declarations are ignored: tools save pages that declare ISO-8859-1 as
 * UTF-8, and files that should be UTF-8 come as Windows-1252, which includes ISO-8859-1.
 * Text with a few invalid letters is still read as UTF-8; only those letters are lost.
 */
export async function encodingOf(chunks: AsyncIterable<Buffer>): Promise<Encoding> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const tolerant = new TextDecoder('utf-8');
  let isUtf8 = true;
  let letters = 0;
  let lost = 0;
  const count = (text: string) => {
    letters += text.match(BEYOND_ASCII)?.length ?? 0;
    lost += text.match(LOST)?.length ?? 0;
  };
  for await (const chunk of chunks) {
    isUtf8 &&= succeeds(() => strict.decode(chunk, { stream: true }));
    count(tolerant.decode(chunk, { stream: true }));
  }
  isUtf8 &&= succeeds(() => strict.decode());
  count(tolerant.decode());
  return isUtf8 || lost < letters * LOST_SHARE_MAX ? 'utf-8' : 'windows-1252';
}

/** Decodes bytes. Invalid sequences become U+FFFD. */
export async function* decoded(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding | 'utf-16le' | 'utf-16be',
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const last = decoder.decode();
  if (last !== '') yield last;
}

const BEYOND_ASCII = /[^\u0000-\u007f]/gu;
const LOST = /\ufffd/gu;
/** Decoding Windows-1252 as UTF-8 loses nearly every accented letter, far more than this fraction. */
const LOST_SHARE_MAX = 0.2;

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
