/**
 * UTF-8 that some system read as Windows-1252 or ISO-8859-1 (`DecisÃ£o`), turned back where that is certain: the
 * whole text, put into bytes again, is UTF-8, and what it then says is Portuguese. Anything else stays as it came;
 * `ementa_status` marks it by the same signs.
 */
export function mended(text: string): string {
  if (!SIGN.test(text)) return text;
  const bytes = bytesOf(text);
  if (bytes === null) return text;
  let meant: string;
  try {
    meant = utf8.decode(bytes);
  } catch {
    return text;
  }
  if (couldBeMeant(text)) return text;
  // Misread by two systems in turn: only the innermost text has to be Portuguese.
  const inner = mended(meant);
  if (inner !== meant) return inner;
  return UNEXPECTED.test(meant) ? text : meant;
}

/** The two bytes with which any such letter begins, read as two: without one there is nothing to turn back. */
const SIGN =
  /[\u00c2-\u00ef][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** What Portuguese legal text does not hold. */
const UNEXPECTED = /[^\u0000-\u007fáàâãäéêëíïóôõöúüçñÁÀÂÃÄÉÊËÍÏÓÔÕÖÚÜÇÑªº°§²³½¼´·–—‘’“”…•€\u00a0]/u;

/** True where each sign of mojibake could be a capital `Ã` or `Â` before a closing quote, a dash or an ellipsis. */
function couldBeMeant(text: string): boolean {
  return !/[ÂÃâ](?![’”…–—])[^\u0000-\u007f]/u.test(text);
}

/** Each letter's byte in Windows-1252, where the five that it leaves out are the controls of ISO-8859-1. */
const BYTE_OF = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

function bytesOf(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte =
      code < 0xa0 && (code < 0x80 || code > 0x9f) ? code : (BYTE_OF.get(text.charAt(at)) ?? c1(code));
    if (byte === null) return null;
    bytes[at] = byte;
  }
  return bytes;
}

/** A control character is its own byte where the text was read as ISO-8859-1 to the letter. */
function c1(code: number): number | null {
  return code >= 0x80 && code <= 0x9f ? code : null;
}
