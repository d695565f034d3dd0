import type { StatusEmenta } from '../contract/enums.ts';

/** What sources write where they have nothing (design: "everywhere" in the courts' own formats). */
const PLACEHOLDER = /^(?:-+|nan|null|none|\[\s*\]|removido no backend)$/iu;

/** The text, or null where it is blank or only stands for "nothing". Lone surrogates have no UTF-8 form. */
export function textOrNull(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || PLACEHOLDER.test(trimmed) ? null : text.toWellFormed();
}

/** Lengths at which known sources cut an ementa, in characters. */
const SOURCE_CAPS = [5000, 6000];
/** A cut text may lose a few characters more when its end is trimmed. */
const CAP_SLACK = 3;
const SHORTEST_CREDIBLE = 60;
const ENDS_CUT = /(?:\.\.\.|…|ler mais\W*)$/iu;
const ENDS_WHOLE = /[.!?;:)\]"”’]$/u;
/** UTF-8 read as Latin-1 or Windows-1252 (`Ã§`, `Ã‡`, `Â§`), or already lost (U+FFFD). */
const MOJIBAKE =
  /Ã[\u0080-\u00bf\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122\u0152\u0153\u0160\u0161\u0178\u017d\u017e]|Â[\u00a0-\u00bf]|\ufffd/u;
const PAGE_CHROME = /voto servindo como ementa|clique aqui|javascript|<\/?(?:div|span|table|script)\b/iu;
/** Longer than any Portuguese word: words glued by lost line breaks. */
const GLUED_LENGTH = 45;
const GLUED = new RegExp(String.raw`\p{L}{${GLUED_LENGTH},}`, 'u');

/** Works out `ementa_status` where the source does not give it. */
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
 * Whether so many letters stand together. Such a row covers one of every `GLUED_LENGTH` places, so only what stands
 * around those is looked at; the expression, which begins anew at each letter, is asked where that is long enough.
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

/** False for what is no letter of ASCII; of all else the expression knows more. */
function couldBeLetter(code: number): boolean {
  return code > 0x7f || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function stopsAtCap(text: string): boolean {
  return (
    SOURCE_CAPS.some((cap) => text.length <= cap && text.length >= cap - CAP_SLACK) && !ENDS_WHOLE.test(text)
  );
}

const EXCERPT_LENGTH = 400;
/** How far back a cut may go to end on a word before it ends inside one. */
const WORD_SEARCH = 60;
const graphemes = new Intl.Segmenter('pt', { granularity: 'grapheme' });

/** Where each character is a grapheme by itself: letters and marks of the West, no line break of two characters. */
const PLAIN = /^[\t\n -\u02ff\u2010-\u2027]*$/u;

/** The start of the ementa, about 400 characters, cut after a word and never inside a grapheme. */
export function excerpt(ementa: string | null): string | null {
  if (ementa === null || ementa.length <= EXCERPT_LENGTH) return ementa;
  const end = lastGraphemeEnd(ementa);
  const cut = ementa.slice(0, end);
  if (/^\s/u.test(ementa.slice(end, end + 1))) return cut.trimEnd();
  for (let at = cut.length - 1; at >= Math.max(0, cut.length - WORD_SEARCH); at -= 1) {
    if (/\s/u.test(cut.charAt(at))) return cut.slice(0, at).trimEnd();
  }
  return cut;
}

/** The last place up to `EXCERPT_LENGTH` at which a longer text may be cut. */
function lastGraphemeEnd(text: string): number {
  // What comes after the cut may belong to what is before it, so the next character is looked at as well.
  if (PLAIN.test(text.slice(0, EXCERPT_LENGTH + 1))) return EXCERPT_LENGTH;
  // A little more than needed, so that the grapheme that lies across the cut is seen whole.
  const start = text.slice(0, EXCERPT_LENGTH + 64).toWellFormed();
  let end = 0;
  for (const { index, segment } of graphemes.segment(start)) {
    if (index + segment.length > EXCERPT_LENGTH) break;
    end = index + segment.length;
  }
  return end;
}
