import { CODIGOS_TRIBUNAL, RAMOS, UFS, type Parametro } from '../contract/vocabulary.ts';

/** Parameters with a comma-separated list, and the accepted words. */
export const LISTAS: { readonly [name in Parametro]?: readonly string[] } = {
  tribunal: CODIGOS_TRIBUNAL,
  uf: UFS,
  ramo: RAMOS,
};

/** The word of an enumeration that equals a text, ignoring outer spaces and letter case. */
export function wordIn<const T extends readonly string[]>(words: T, text: string): T[number] | undefined {
  const folded = text.trim().toLowerCase();
  return words.find((known) => known.toLowerCase() === folded);
}
