/**
 * The relevance of a decision for a query, the one formula that ingest, search and the tests' oracle share.
 *
 *   score(q, d) = Σ over the distinct positive words t of q:  idf(t) · impact(t, d)
 *   idf(t)      = ln(1 + (N − df + 0.5) / (df + 0.5)), rounded to a whole number of 2⁻³⁰
 *   impact(t,d) = round(255 · tf / (tf + k1 · (1 − b + b · len/L)))      (0 when the word is not in d)
 *   tf          = Σ over the columns of  weight(column) · occurrences(t, column)
 *
 * This is BM25 with fields weighed before saturation (Robertson, Zaragoza and Taylor 2004, "Simple BM25
 * extension to multiple weighted fields"), with four choices of ours:
 *  - L is a constant and not the running average, so that a decision's impacts never change by what is
 *    loaded after it: they are stored with it, and a cursor stays true while decisions come in;
 *  - an impact is one byte: 255 steps are finer than what a reader can tell apart, and lists stay small;
 *  - idf is the form that stays above zero, so that a word in over half the decisions still orders them;
 *  - idf is rounded so that a score is an exact sum: the same in whatever order its terms are added.
 * N and df are those of the first page and travel in the cursor. Ties go by number. A phrase weighs as
 * its words; a prefix as the best of its words in that decision, with the df of all of them together.
 */
export const K1 = 1.2;
export const B = 0.75;
/** Length, in words, of an ordinary decision (the mean of the six bases lies between 120 and 350). */
export const LENGTH_REFERENCE = 250;

/**
 * The index columns and their weights. A thesis is the holding itself in one sentence, a theme is the
 * subject as the court files it, and a case number is only ever typed to find that case: each counts more
 * than a mention in the ementa. The dispositivo is formula ("acordam os ministros…") and counts half.
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

/** @param total decisions in the base. @param df decisions that hold the word. @returns above 0. */
export function idf(total: number, df: number): number {
  const bounded = Math.min(df, total);
  return Math.round(Math.log(1 + (total - bounded + 0.5) / (bounded + 0.5)) * IDF_STEPS) / IDF_STEPS;
}
