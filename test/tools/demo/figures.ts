import { demoLines, type DemoDecision } from '../../../src/tools/demo/generate.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { foldedWords } from '../../support/folded.ts';

/** What the tests measure of a list of texts. */
export interface Figures {
  readonly words: number;
  /** Distinct words after so many running words. */
  readonly growth: readonly (readonly [words: number, distinct: number])[];
  readonly distinctPerText: number;
  readonly shareInOneText: number;
  readonly zipfSlope: number;
  readonly mostlyCapitals: number;
}

/** Texts looked at for their capitals; fewer than any test has. */
const CAPITALS_SAMPLE = 2000;

/** Made-up decisions, read back from their lines. */
export function decisions(base: Base, count: number, seed = 1988): DemoDecision[] {
  return [...demoLines(base, count, seed)].map((line) => JSON.parse(line) as DemoDecision);
}

export function ementas(list: readonly DemoDecision[]): string[] {
  return list.flatMap(({ ementa }) => (ementa === null ? [] : [ementa]));
}

export function measure(texts: readonly string[]): Figures {
  const uses = new Map<string, number>();
  const spread = new Map<string, number>();
  const growth: [number, number][] = [];
  let words = 0;
  let distinct = 0;
  for (const text of texts) {
    const list = foldedWords(text);
    for (const word of list) uses.set(word, (uses.get(word) ?? 0) + 1);
    const own = new Set(list);
    for (const word of own) spread.set(word, (spread.get(word) ?? 0) + 1);
    words += list.length;
    distinct += own.size;
    growth.push([words, uses.size]);
  }
  return {
    words,
    growth,
    distinctPerText: distinct / texts.length,
    shareInOneText: [...spread.values()].filter((count) => count === 1).length / spread.size,
    zipfSlope: slope([...uses.values()].toSorted((a, b) => b - a)),
    mostlyCapitals: texts.slice(0, CAPITALS_SAMPLE).filter(isMostlyCapitals).length / CAPITALS_SAMPLE,
  };
}

function isMostlyCapitals(text: string): boolean {
  return (text.match(/\p{Lu}/gu)?.length ?? 0) > (text.match(/\p{Ll}/gu)?.length ?? 0);
}

/** Quantile `share` of a list of numbers. */
export function quantile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}

/** Least-squares slope of log frequency on log rank, over ranks 10 to 5,000 spaced evenly in log rank. */
function slope(frequencies: readonly number[]): number {
  const points: [number, number][] = [];
  for (let rank = 10; rank <= 5000; rank = Math.ceil(rank * 1.1)) {
    points.push([Math.log(rank), Math.log(frequencies[rank - 1]!)]);
  }
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
