import { spellingsOf } from '../contract/case-numbers.ts';
import { oneLine } from './normalise.ts';

/** A case has few numbers besides `processo`. */
export const NUMBERS_MAX = 8;
/** A longer text is no number of a case. */
export const NUMBER_LENGTH_MAX = 100;

/**
 * The texts by which a case is found besides `processo`: its other numbers, those that the source gives in `extras` among
 * them, and all spellings of each. None is part of `processo` or of another.
 */
export function caseNumbersOf(
  processo: string | null,
  numeros: readonly string[],
  extras: object | null | undefined,
): string[] {
  const given = [...numeros, ...numbersIn(extras ?? {})].filter(isNumber).slice(0, NUMBERS_MAX);
  const own = processo === null || processo.length > NUMBER_LENGTH_MAX ? [] : [processo];
  const texts: string[] = [];
  let all = wordsOf(processo ?? '');
  // The longer first: a number alone stands in the one with its class.
  for (const text of [...own, ...given].flatMap(spellingsOf).toSorted((a, b) => b.length - a.length)) {
    const words = wordsOf(text);
    if (all.includes(words)) continue;
    all += `\n${words}`;
    texts.push(text);
  }
  return texts;
}

/** The words with a space on each side, so that no word is taken for a part of another. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

function numbersIn(extras: object): string[] {
  return Object.entries(extras).flatMap(([name, value]: [string, unknown]) => {
    const isName = NUMBER_NAME.test(name.replaceAll(/[^a-z]/giu, ''));
    return isName && (typeof value === 'string' || Number.isSafeInteger(value)) ? [String(value)] : [];
  });
}

/** Names that the courts and their clients give to a number of the case itself, and not to one of another case or of a document. */
const NUMBER_NAME =
  /^(?:(?:num|numero|nr)(?:(?:d[oe])?(?:processo|registro|unico|cnj|formatado|antigo|anterior|ant|completo|stf|stj|tst|tj|tjmg))*|(?:processo|registro)(?:numero|codigo|cnj|unico|completo|antigo|formatado)+)$/iu;

function isNumber(text: string): boolean {
  return (
    text.length <= NUMBER_LENGTH_MAX &&
    /\d{4}/u.test(text.replaceAll(/[.\s-]/gu, '')) &&
    oneLine(text) !== null
  );
}
