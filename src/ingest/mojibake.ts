/**
 * Repairs UTF-8 that a system decoded as Windows-1252 or ISO-8859-1 (`DecisÃ£o`). It does so only where the whole text,
 * encoded again, is UTF-8 and the result has only letters of Portuguese. Other texts stay unchanged, and `ementa_status`
 * marks them by the same signs.
 */
export function repairMojibake(text: string): string {
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
  // Two systems may have misread it; only the innermost text must be Portuguese.
  const inner = repairMojibake(meant);
  if (inner !== meant) return inner;
  return UNEXPECTED.test(meant) ? text : meant;
}

/** The first two bytes of a misread letter. A text without such a pair has no mojibake. */
const SIGN =
  /[\u00c2-\u00ef][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]/u;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Characters that Portuguese legal text does not use. */
const UNEXPECTED = /[^\u0000-\u007fáàâãäéêëíïóôõöúüçñÁÀÂÃÄÉÊËÍÏÓÔÕÖÚÜÇÑªº°§²³½¼´·–—‘’“”…•€\u00a0]/u;

/** True if each sign of mojibake may be a capital `Ã` or `Â` before a closing quote, a dash or an ellipsis. */
function couldBeMeant(text: string): boolean {
  return !/[ÂÃâ](?![’”…–—])[^\u0000-\u007f]/u.test(text);
}

/** Each letter's byte in Windows-1252. Its five unassigned bytes are the control characters of ISO-8859-1. */
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
    // A text decoded as strict ISO-8859-1 has control characters, which are their own bytes.
    const byte = BYTE_OF.get(text.charAt(at)) ?? (code < 0xa0 ? code : null);
    if (byte === null) return null;
    bytes[at] = byte;
  }
  return bytes;
}
