import { TRECHO_CUT_MIN, TRECHO_MAX, type StatusEmenta } from '../contract/vocabulary.ts';
import { withoutInvisible } from '../index/format/invisible.ts';

/** Texts that sources write in place of an empty value. */
const PLACEHOLDER = /^(?:-+|nan|null|none|\[\s*\]|removido no backend)$/iu;

/** The text as well-formed UTF-16 without control and invisible characters, or null if it is blank or a placeholder. */
export function textOrNull(text: string): string | null {
  const clean = withoutInvisible(withWindows1252(text));
  const trimmed = clean.trim();
  return trimmed === '' || PLACEHOLDER.test(trimmed) ? null : clean.toWellFormed();
}

/**
 * A text in which the control characters U+0080 to U+009F are what their bytes mean in Windows-1252: dashes, quotes, `…`, `€`;
 * the five without a meaning become spaces. Where they are halves of misread letters (`AÃ\u0087Ã\u0083O`) they stay: they are the
 * sign of the error.
 */
export function withWindows1252(text: string): string {
  if (!CONTROL.test(text)) return text;
  return text.replaceAll(CONTROLS, (control) => {
    const sign = windows1252.decode(Uint8Array.of(control.charCodeAt(0)));
    return sign === control ? ' ' : sign;
  });
}

const CONTROL = /[\u0080-\u009f]/u;
/** After `Ã` and `Â` only a closing quote, a dash or an ellipsis before no letter. */
const CONTROLS = /(?<![ÃÂ])[\u0080-\u009f]|[\u0085\u0092\u0094\u0096\u0097](?!\p{L})/gu;
const windows1252 = new TextDecoder('windows-1252');

/** Lengths at which known sources truncate an ementa, in characters. */
const SOURCE_CAPS = [5000, 6000];
/** Trimming may remove a few more characters. */
const CAP_SLACK = 3;
const SHORTEST_CREDIBLE = 60;
const ENDS_CUT = /(?:\.\.\.|…|ler mais\W*)$/iu;
const ENDS_WHOLE = /[.!?;:)\]"”’]$/u;
/** UTF-8 read as Latin-1 or Windows-1252 (`Ã§`, `Ã‡`, `Â§`), or already lost (U+FFFD). */
const MOJIBAKE =
  /Ã[\u0080-\u00bf\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122\u0152\u0153\u0160\u0161\u0178\u017d\u017e]|Â[\u00a0-\u00bf]|\ufffd/u;
const PAGE_CHROME = /voto servindo como ementa|clique aqui|javascript|<\/?(?:div|span|table|script)\b/iu;
/** Longer than any Portuguese word: lost line breaks have joined several words. */
const GLUED_LENGTH = 45;
const GLUED = new RegExp(String.raw`\p{L}{${GLUED_LENGTH},}`, 'u');

/** Derives `ementa_status` if the source does not give it. */
export function ementaStatus(ementa: string | null): StatusEmenta {
  if (ementa === null) return 'ausente';
  const text = ementa.trimEnd();
  if (ENDS_CUT.test(text) || stopsAtCap(text)) return 'truncada';
  const isSuspect =
    text.trimStart().length < SHORTEST_CREDIBLE ||
    MOJIBAKE.test(text) ||
    PAGE_CHROME.test(text) ||
    isGlued(text);
  return isSuspect ? 'suspeita' : 'completa';
}

/**
 * Whether the text has a run of `GLUED_LENGTH` letters. Such a run covers one of every `GLUED_LENGTH` positions, so only
 * the surroundings of these are examined. The slow expression runs only where they are long enough.
 */
function isGlued(text: string): boolean {
  for (let at = GLUED_LENGTH - 1; at < text.length; at += GLUED_LENGTH) {
    let start = at + 1;
    while (start > 0 && couldBeLetter(text.charCodeAt(start - 1))) start -= 1;
    let end = at;
    while (end < text.length && couldBeLetter(text.charCodeAt(end))) end += 1;
    if (end - start >= GLUED_LENGTH) return GLUED.test(text);
  }
  return false;
}

/** False for an ASCII character that is not a letter. The expression decides about all others. */
function couldBeLetter(code: number): boolean {
  return code > 0x7f || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function stopsAtCap(text: string): boolean {
  return (
    SOURCE_CAPS.some((cap) => text.length <= cap && text.length >= cap - CAP_SLACK) && !ENDS_WHOLE.test(text)
  );
}

const graphemes = new Intl.Segmenter('pt', { granularity: 'grapheme' });

/** Texts in which each character is one grapheme: Western letters and punctuation, no CR. */
const PLAIN = /^[\t\n -\u02ff\u2010-\u2027]*$/u;

/** The start of the ementa, of at most TRECHO_MAX characters, cut after a word and never inside a grapheme. */
export function excerpt(ementa: string | null): string | null {
  if (ementa === null || ementa.length <= TRECHO_MAX) return ementa;
  const end = lastGraphemeEnd(ementa);
  const cut = ementa.slice(0, end);
  if (/^\s/u.test(ementa.slice(end, end + 1))) return cut.trimEnd();
  for (let at = cut.length - 1; at >= TRECHO_CUT_MIN; at -= 1) {
    if (/\s/u.test(cut.charAt(at))) return cut.slice(0, at).trimEnd();
  }
  return cut;
}

/** The last grapheme boundary up to `TRECHO_MAX`. */
function lastGraphemeEnd(text: string): number {
  // The next character may belong to the same grapheme, so it is examined too.
  if (PLAIN.test(text.slice(0, TRECHO_MAX + 1))) return TRECHO_MAX;
  // Longer than needed, so that the last grapheme is complete.
  const start = text.slice(0, TRECHO_MAX + 64).toWellFormed();
  let end = 0;
  for (const { index, segment } of graphemes.segment(start)) {
    if (index + segment.length > TRECHO_MAX) break;
    end = index + segment.length;
  }
  return end;
}
