import { bug } from '../bug.ts';
import { UFS } from '../contract/vocabulary.ts';
import { matchAt } from './citation.ts';

/** Courts that stand before a class with a hyphen: `TST-RR-1000-40.2015.5.02.0001`. */
export const COURT_SIGLAS = 'STF|STJ|TST|TSE|STM';
const STATES = UFS.filter((uf) => uf !== 'BR').join('|');
const NAMES = [
  ['stf', 'STF|Supremo Tribunal Federal|Suprema Corte|Pretorio Excelso'],
  ['stj', 'STJ|Superior Tribunal de Justica'],
  ['tst', 'TST|Tribunal Superior do Trabalho'],
  ['tse', 'TSE|Tribunal Superior Eleitoral'],
  ['stm', 'STM|Superior Tribunal Militar'],
  ['tcu', 'TCU|Tribunal de Contas da Uniao'],
  ['tnu', 'TNU|Turma Nacional de Uniformizacao'],
  ['tjmg', 'Tribunal de Justica (?:do Estado )?de Minas Gerais'],
] as const;
const NUMBERED = `TR(?<letter>[FT])[-\\s]{0,2}(?:da )?(?<region>\\d{1,2})(?:\\.?[aª]\\s?Regiao)?|Tribunal Regional (?<name>Federal|do Trabalho) da (?<ordinal>\\d{1,2})(?:\\.?[aª]\\s?Regiao)?`;
const STATE = `TJ[-/]?(?<state>${STATES}|DFT)|Tribunal de Justica d[oae] (?:Estado )?(?:d[oae] )?(?<other>[A-Z][a-z]+(?: d[oe]| [A-Z][a-z]+){0,3})`;
/** A court by its sigla or its name, in a text without accents. */
export const COURT = `(?:${NAMES.map(([key, names]) => `(?<${key}>${names})`).join('|')}|${NUMBERED}|${STATE})(?![A-Za-z])`;
const BESIDE = new RegExp(
  `[-,\\s/(]{0,3}(?:(?:d[aeo]|dest[ae]|n[ao]|pel[ao]|ambas d[ao])\\s)?(?:d[ae] Sumula (?:de Jurisprudencia )?(?:d[ao]\\s)?)?(?:(?:[CE]\\.|col\\w{3,5}|egr\\w{3,5})\\s?)?${COURT}`,
  'iy',
);

/** The court named right behind a place: `/STJ`, ` do C. TST`, `, Superior Tribunal de Justiça`. */
export function courtAt(plain: string, at: number): { readonly court: string; readonly end: number } | null {
  const found = matchAt(BESIDE, plain, at);
  return found === null ? null : { court: courtOf(found), end: BESIDE.lastIndex };
}

/** The key of a match of `COURT`. */
export function courtOf({ groups = {} }: RegExpExecArray): string {
  const { letter, region, name, ordinal, state, other } = groups;
  if (region !== undefined) return `tr${letter?.toLowerCase()}${Number(region)}`;
  if (ordinal !== undefined) return `tr${name?.toLowerCase() === 'federal' ? 'f' : 't'}${Number(ordinal)}`;
  if (state !== undefined) return state === 'DFT' ? 'tjdf' : `tj${state.toLowerCase()}`;
  if (other !== undefined) return `tj ${other}`;
  return (NAMES.find(([key]) => groups[key] !== undefined) ?? bug('a court without a name'))[0];
}
