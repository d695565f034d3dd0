/** How the bytes of a text stand for letters. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Finds out how a text is written, from all of its bytes, whatever it declares: pages that say ISO-8859-1 are saved
 * as UTF-8 by many a tool, and files that should be UTF-8 come as Windows-1252, of which ISO-8859-1 is a part.
 * Text that is not UTF-8 by a few broken letters alone is still UTF-8: those letters are lost, the others are not.
 */
export async function encodingOf(chunks: AsyncIterable<Buffer>): Promise<Encoding> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const tolerant = new TextDecoder('utf-8');
  let isUtf8 = true;
  let letters = 0;
  let lost = 0;
  let isFirst = true;
  const count = (text: string) => {
    letters += text.match(BEYOND_ASCII)?.length ?? 0;
    lost += text.match(LOST)?.length ?? 0;
  };
  for await (const chunk of chunks) {
    if (isFirst) {
      if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
      if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
    }
    isFirst = false;
    isUtf8 &&= succeeds(() => strict.decode(chunk, { stream: true }));
    count(tolerant.decode(chunk, { stream: true }));
  }
  isUtf8 &&= succeeds(() => strict.decode());
  count(tolerant.decode());
  return isUtf8 || lost < letters * LOST_SHARE_MAX ? 'utf-8' : 'windows-1252';
}

/** The text of bytes in an encoding; what cannot be read becomes U+FFFD. */
export async function* decoded(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

const BEYOND_ASCII = /[^\u0000-\u007f]/gu;
const LOST = /\ufffd/gu;
/** Read as UTF-8, nearly every accented letter of a Windows-1252 text is lost. */
const LOST_SHARE_MAX = 0.2;

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
