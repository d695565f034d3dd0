import {
  B,
  INDEXED_FIELDS,
  K1,
  LENGTH_REFERENCE,
  FIELD_WEIGHTS,
  type IndexedField,
} from '../../src/index/format/bm25f.ts';
import { tokens } from '../../src/index/format/tokens.ts';

export type Columns = Partial<Record<IndexedField, string>>;
export interface OracleTerm {
  readonly token: string;
  readonly prefix: boolean;
}

/**
 * The documented formula, done the slow way: every decision is read word by word for every query. Only the
 * numbers of the formula are shared with the code under test.
 * @param texts each decision's columns, the decision numbered 1 first.
 * @param matching the numbers to rank.
 * @returns the numbers, best first, ties by number.
 */
export function rankByOracle(
  texts: readonly Columns[],
  matching: ReadonlySet<number>,
  terms: readonly OracleTerm[],
): number[] {
  const words = texts.map((columns) => countWords(columns));
  const scored = words.map(() => 0);
  for (const term of terms) {
    const impacts = words.map((counted) => impactOf(counted, term));
    const df = impacts.filter((one) => one > 0).length;
    const idf = Math.round(Math.log(1 + (texts.length - df + 0.5) / (df + 0.5)) * 2 ** 30) / 2 ** 30;
    for (const [at, one] of impacts.entries()) scored[at] = (scored[at] ?? 0) + idf * one;
  }
  return scored
    .map((score, at) => ({ numero: at + 1, score }))
    .filter(({ numero }) => matching.has(numero))
    .toSorted((a, b) => b.score - a.score || a.numero - b.numero)
    .map(({ numero }) => numero);
}

interface Counted {
  readonly tf: ReadonlyMap<string, number>;
  readonly length: number;
}

function countWords(columns: Columns): Counted {
  const tf = new Map<string, number>();
  let length = 0;
  for (const column of INDEXED_FIELDS) {
    for (const word of tokens(columns[column] ?? '')) {
      tf.set(word, (tf.get(word) ?? 0) + FIELD_WEIGHTS[column]);
      length += 1;
    }
  }
  return { tf, length };
}

function impactOf({ tf, length }: Counted, { token, prefix }: OracleTerm): number {
  let best = 0;
  for (const [word, count] of tf) {
    if (prefix ? !word.startsWith(token) : word !== token) continue;
    const saturated = count / (count + K1 * (1 - B + (B * length) / LENGTH_REFERENCE));
    best = Math.max(best, Math.max(1, Math.round(255 * saturated)));
  }
  return best;
}
