import { bug } from '../bug.ts';

/*
 * Ways to write "number" and ordinals: `nº`, `n°`, `n.`, `n.º`, `№`; `5º`, `5°`, `5o`, `5.º`, `1ª`. Each is other words to the index:
 * `nº` and `5º` are words of their own, and `°`, `.` and `№` are no part of one.
 */

const NUMBER_SIGN = /(?<![\p{L}\p{N}])(?:n\.?\s?[º°]s?\.?|n\.(?:os?\.?)?|№)(?=\s*\d)/giu;
const ORDINAL = /(?<![\p{L}\p{N}.,/-])(\d{1,3}(?:\.\d{3})*|\d+)(?:\.?[ºª]|°|[oa])(?![\p{L}\p{N}])/giu;

export function hasOrdinal(text: string): boolean {
  return text.search(NUMBER_SIGN) >= 0 || text.search(ORDINAL) >= 0;
}

/** A text in which all ways to write a number or an ordinal are one: `Súmula nº 331` is `Súmula n 331`, `art. 5º` is `art. 5`. */
export function withPlainOrdinals(text: string): string {
  return text.replaceAll(NUMBER_SIGN, 'n ').replaceAll(ORDINAL, '$1');
}

/** Other ways to write a word of the index, or a phrase of two, as tokens; none for other words. */
export function ordinalForms(
  tokens: readonly string[],
): { readonly text: string; readonly tokens: string[] }[] {
  const word = tokens.join('');
  if (/^nº?$/u.test(word))
    return others(tokens, [
      ['n.', 'n'],
      ['nº', 'nº'],
      ['n.º', 'n º'],
    ]);
  const [, digits, mark = ''] = tokens.length > 2 ? [] : (/^(\d{1,3})([ºªoa]?)$/u.exec(word) ?? []);
  if (digits === undefined || (tokens.length === 2 && !/^[ºª]$/u.test(mark))) return [];
  const marks =
    { º: ['º', 'o'], o: ['º', 'o'], ª: ['ª', 'a'], a: ['ª', 'a'], '': ['º', 'o', 'ª', 'a'] }[mark] ??
    bug('no such mark');
  return others(tokens, [[digits, digits], ...marks.map((one) => [digits + one, digits + one] as const)]);
}

function others(own: readonly string[], forms: readonly (readonly [text: string, tokens: string])[]) {
  return forms
    .filter(([, tokens]) => tokens !== own.join(' '))
    .map(([text, tokens]) => ({ text, tokens: tokens.split(' ') }));
}
