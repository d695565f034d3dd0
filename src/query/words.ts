import { CODIGOS_TRIBUNAL, RAMOS, UFS, type Parametro } from '../contract/vocabulary.ts';

/** The parameters that take a list, separated by commas, with the words that may stand in it. */
export const LISTAS: { readonly [name in Parametro]?: readonly string[] } = {
  tribunal: CODIGOS_TRIBUNAL,
  uf: UFS,
  ramo: RAMOS,
};

/** The word of an enumeration that a text is, once it is trimmed and its letter case folded. */
export function wordIn<const T extends readonly string[]>(words: T, text: string): T[number] | undefined {
  const folded = text.trim().toLowerCase();
  return words.find((known) => known.toLowerCase() === folded);
}
