import { describe, expect, test } from 'vitest';
import { decisions, ementas, measure, quantile } from './figures.ts';

/** Mean, median, 90th and 99th percentile of the ementa's length in characters, of published decisions. */
const LENGTHS = [
  ['stj', 'stj', 2089, 1833, 3665, 8477],
  ['tst', 'tst', 1448, 1456, 2405, 4345],
  ['tjmg', 'tjmg', 1720, 1157, 3875, 3923],
  ['eproc', 'tnu', 781, 595, 1473, 4963],
] as const;
const WORDY = ['tst', 'stj', 'eproc'] as const;

const samples = new Map(
  (['tst', 'stj', 'tjmg', 'eproc'] as const).map((base) => [base, decisions(base, 6000)]),
);
const figures = new Map(WORDY.map((base) => [base, measure(ementas(samples.get(base)!))]));

function within(value: number, goal: number, share: number): void {
  expect(value).toBeGreaterThan(goal * (1 - share));
  expect(value).toBeLessThan(goal * (1 + share));
}

describe('the length of ementas', () => {
  test.each(LENGTHS)(
    'follows the quantiles of published ones in %s (%s)',
    (base, tribunal, mean, median, p90, p99) => {
      const own = samples.get(base)!.filter((decision) => decision.tribunal === tribunal);
      const lengths = ementas(own).map((ementa) => ementa.length);
      within(lengths.reduce((sum, length) => sum + length, 0) / lengths.length, mean, 0.15);
      within(quantile(lengths, 0.5), median, 0.15);
      within(quantile(lengths, 0.9), p90, 0.15);
      within(quantile(lengths, 0.99), p99, 0.25);
    },
  );
});

describe.each(WORDY)('the words of %s', (base) => {
  const measured = figures.get(base)!;

  test('are 70 to 170 distinct ones in a decision', () => {
    expect(measured.distinctPerText).toBeGreaterThan(70);
    expect(measured.distinctPerText).toBeLessThan(170);
  });

  test('grow as 40 times the 0.46th power of running words', () => {
    for (const words of [10_000, 30_000, 100_000, 300_000, 700_000]) {
      const [reached, distinct] =
        measured.growth.find(([count]) => count >= words) ?? measured.growth.at(-1)!;
      within(distinct, 40 * reached ** 0.46, 0.25);
    }
  });

  test('fall in frequency about as one over their rank', () => {
    expect(measured.zipfSlope).toBeGreaterThan(-1.15);
    expect(measured.zipfSlope).toBeLessThan(-0.85);
  });

  test('are in one decision only for 35 to 47 in a hundred', () => {
    expect(measured.shareInOneText).toBeGreaterThan(0.35);
    expect(measured.shareInOneText).toBeLessThan(0.47);
  });

  test('are mostly in capitals in about 65 ementas of a hundred', () => {
    within(measured.mostlyCapitals, 0.65, 0.08);
  });
});

describe('what users ask for', () => {
  const lowered = [...samples.values()].flatMap(ementas).map((ementa) => ementa.toLowerCase());

  // At least so many of the 24,000 decisions must hold the phrase, its words side by side.
  test.each([
    ['dano moral', 500],
    ['danos morais', 500],
    ['recurso especial', 300],
    ['agravo de instrumento', 300],
    ['execução fiscal', 100],
    ['honorários advocatícios', 300],
    ['pensão por morte', 200],
    ['horas extras', 200],
    ['plano de saúde', 300],
    ['medicamento', 200],
    ['prescrição intercorrente', 300],
  ])('finds many decisions for %s', (query, least) => {
    expect(lowered.filter((ementa) => ementa.includes(query)).length).toBeGreaterThan(least);
  });

  test('finds the words of a subject together more often than chance would have it', () => {
    const share = (...words: string[]): number =>
      lowered.filter((ementa) => words.every((word) => ementa.includes(word))).length / lowered.length;
    expect(share('operadora', 'faixa etária')).toBeGreaterThan(
      5 * share('operadora') * share('faixa etária'),
    );
    expect(share('preventiva', 'corpus')).toBeGreaterThan(3 * share('preventiva') * share('corpus'));
  });
});
