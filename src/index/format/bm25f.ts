/**
 * The relevance of a decision for a query.
 *
 *   score(q, d) = Σ over the distinct positive words t of q:  idf(t) · impact(t, d)
 *   idf(t)      = ln(1 + (N − df + 0.5) / (df + 0.5)), rounded to a whole number of 2⁻³⁰
 *   impact(t,d) = round(255 · tf / (tf + k1 · (1 − b + b · len/L)))      (0 when the word is not in d)
 *   tf          = Σ over the columns of  weight(column) · occurrences(t, column)
 *
 * BM25 with fields weighted before saturation (Robertson, Zaragoza and Taylor 2004, "Simple BM25 extension to multiple
 * weighted fields"), except that
 *  - L is a constant, so that later loads do not change a decision's impacts, and cursors stay valid;
 *  - an impact is one byte, so that lists stay small;
 *  - idf is the form above zero, so that a word in over half of the decisions still orders them;
 *  - idf is rounded, so that a score is an exact sum in any order of terms.
 * N and df are from the first page, in the cursor. Ties go by doc id. A phrase scores like its separate words; a prefix like
 * the decision's best word with that prefix, with the df of the union of all such words.
 */
export const K1 = 1.2;
export const B = 0.75;
/** Words of an ordinary decision (the means of the six bases are 120 to 350). */
export const LENGTH_REFERENCE = 250;

/**
 * The index columns and their weights. A tese is a one-sentence holding, a tema the court's subject, and a case number is only
 * typed to find that case. A dispositivo is mostly formula ("acordam os ministros…").
 */
export const INDEXED_FIELDS = ['ementa', 'tese', 'dispositivo', 'temas', 'processo'] as const;
export type IndexedField = (typeof INDEXED_FIELDS)[number];
export const FIELD_WEIGHTS: Readonly<Record<IndexedField, number>> = {
  ementa: 1,
  tese: 2,
  dispositivo: 0.5,
  temas: 2,
  processo: 3,
};

export const IMPACT_MAX = 255;

/** @param tf weighted occurrences, above 0. @param length words in all columns. @returns 1 to 255. */
export function impact(tf: number, length: number): number {
  const saturated = tf / (tf + K1 * (1 - B + (B * length) / LENGTH_REFERENCE));
  return Math.max(1, Math.round(IMPACT_MAX * saturated));
}

const IDF_STEPS = 2 ** 30;

/** @param total decisions in the base. @param df decisions with the word. @returns above 0. */
export function idf(total: number, df: number): number {
  const bounded = Math.min(df, total);
  return Math.round(Math.log(1 + (total - bounded + 0.5) / (bounded + 0.5)) * IDF_STEPS) / IDF_STEPS;
}
