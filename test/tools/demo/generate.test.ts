import { describe, expect, test } from 'vitest';
import { TIPOS_DA_BASE, tribunaisDaBase } from '../../../src/contract/catalog.ts';
import { BASES, STATUS_EMENTA } from '../../../src/contract/vocabulary.ts';
import { DecisionMaker, DEMO_SEED_DEFAULT, demoLines } from '../../../src/tools/demo/generate.ts';
import { decisions, quantile } from './figures.ts';

const CNJ = /(\d{1,7})-(\d{2})\.(\d{4})\.(\d)\.(\d{2})\.(\d{4})/u;
const SEGMENTS: Record<string, string> = {
  tst: '5.',
  stf: '1.00',
  stj: '3.00',
  tjmg: '8.13',
  trt3: '5.03',
  tnu: '4.',
  trf6: '4.06',
};
const DAY_MS = 86_400_000;

const samples = new Map(BASES.map((base) => [base, decisions(base, 2000)]));

describe('the lines', () => {
  test('depend on their number alone', () => {
    const maker = new DecisionMaker('stj', 7);
    const made = Array.from({ length: 900 }, (_, index) => maker.make(899 - index)).toReversed();
    expect(made.map((decision) => JSON.stringify(decision))).toEqual([...demoLines('stj', 900, 7)]);
  });

  test('differ by seed, beyond 32 bits too', () => {
    const one = (seed: number): string => JSON.stringify({ ...decisions('stf', 1, seed)[0]!, chave: '' });
    expect(new Set([1, 2, 1 + 2 ** 32, -1].map(one)).size).toBe(4);
  });

  test('hold no line break', () => {
    for (const line of demoLines('stj', 500, DEMO_SEED_DEFAULT)) expect(line).not.toContain('\n');
  });
});

describe.each(BASES)('a decision of %s', (base) => {
  const sample = samples.get(base)!;
  const first = sample.slice(0, 500);

  test('has a key of its own', () => {
    expect(new Set(sample.map(({ chave }) => chave)).size).toBe(sample.length);
  });

  test('has a type of its base, each of which occurs within 500 lines', () => {
    expect(new Set(first.map(({ tipo }) => tipo))).toEqual(new Set(TIPOS_DA_BASE[base]));
    expect(sample.filter(({ tipo }) => tipo === 'acordao').length).toBeGreaterThan(sample.length * 0.75);
  });

  test('has a court of its base, each of which occurs', () => {
    expect(new Set(first.map(({ tribunal }) => tribunal))).toEqual(new Set(tribunaisDaBase(base)));
    expect(first.every(({ tribunal, fonte }) => fonte === `${tribunal.toUpperCase()} (fictícia)`)).toBe(true);
  });

  test('has every ementa_status within 500 lines, and sometimes none', () => {
    expect(new Set(first.map(({ ementa_status }) => ementa_status))).toEqual(
      new Set([...STATUS_EMENTA, undefined]),
    );
  });

  test('has an ementa that fits its ementa_status', () => {
    for (const { ementa, ementa_status } of sample) {
      if (ementa_status === undefined) continue;
      expect(conditionOf(ementa)).toBe(ementa_status);
    }
  });

  test('has null where its source has', () => {
    const nulls = (field: keyof (typeof sample)[number]): number =>
      sample.filter((one) => one[field] === null).length;
    expect(nulls('redator')).toBeGreaterThan(sample.length * 0.9);
    for (const field of [
      'data_julgamento',
      'data_publicacao',
      'tese',
      'temas',
      'legislacao_citada',
    ] as const) {
      expect(nulls(field)).toBeGreaterThan(0);
    }
    expect(
      sample.filter(({ tribunal }) => tribunal === 'tnu').every((one) => one.orgao_julgador === null),
    ).toBe(true);
  });

  test('has a case number with right check digits and court', () => {
    for (const decision of sample) {
      const number = CNJ.exec(decision.processo ?? '') ?? CNJ.exec(String(decision.extras['numero_unico']));
      if (number === null) {
        expect(decision.classe).toEqual({ sigla: null, descricao: null });
        continue;
      }
      const [, sequence = '', check, year, branch, court, unit] = number;
      if (decision.tribunal === 'tst') expect(sequence).toMatch(/^[1-9]/u);
      else expect(sequence).toHaveLength(7);
      expect(BigInt(`${sequence}${year}${branch}${court}${unit}${check}`) % 97n).toBe(1n);
      expect(`${branch}.${court}`.startsWith(SEGMENTS[decision.tribunal]!)).toBe(true);
    }
  });

  test('is judged and published on days that exist, within twenty years, about six days apart', () => {
    const apart: number[] = [];
    for (const { data_julgamento: judged, data_publicacao: published } of sample) {
      for (const date of [judged, published]) {
        if (date === null) continue;
        expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date);
        expect(date >= '2006-10-30' && date <= '2026-10-30').toBe(true);
      }
      if (judged !== null && published !== null)
        apart.push((Date.parse(published) - Date.parse(judged)) / DAY_MS);
    }
    expect(Math.min(...apart)).toBeGreaterThan(0);
    expect(Math.abs(quantile(apart, 0.5) - 6)).toBeLessThanOrEqual(1);
  });

  test('comes in roughly rising order of date, mostly on working days', () => {
    const datesOf = (list: typeof sample): string[] =>
      list.flatMap(({ data_julgamento: date }) => (date === null ? [] : [date]));
    // Each court by itself: the youngest has no old decisions.
    for (const tribunal of tribunaisDaBase(base)) {
      const own = datesOf(sample.filter((one) => one.tribunal === tribunal));
      const rising = own.filter((date, index) => date > (own[index - 200] ?? '')).length;
      expect(rising).toBeGreaterThan(own.length * 0.9);
    }
    const dates = datesOf(sample);
    const working = dates.filter((date) => ![0, 6].includes(new Date(date).getUTCDay())).length;
    expect(working).toBeGreaterThan(dates.length * 0.95);
    expect(dates.toSorted()).not.toEqual(dates);
  });

  test('is seldom old, and often in the four parts in use since 2024', () => {
    const recent = sample.filter(({ data_julgamento: date }) => date !== null && date >= '2024');
    expect(recent.length).toBeGreaterThan(sample.length * 0.25);
    const inParts = recent.filter(({ ementa }) => ementa?.includes('I. CASO EM EXAME') === true);
    expect(inParts.length).toBeGreaterThan(recent.length * 0.3);
    const older = sample.filter(({ data_julgamento: date }) => date !== null && date < '2024');
    expect(older.some(({ ementa }) => ementa?.includes('CASO EM EXAME') === true)).toBe(false);
  });

  test('is not older than its court', () => {
    const youngest = sample.filter(({ tribunal }) => tribunal === 'trf6');
    expect(youngest.every(({ data_julgamento: date }) => date === null || date >= '2022-08-19')).toBe(true);
  });

  test('is marked as made up', () => {
    expect(sample.every(({ extras }) => extras['demonstracao'] === true)).toBe(true);
  });

  test('gives a full text only where it has no ementa', () => {
    const withText = sample.filter(({ texto }) => texto !== undefined);
    expect(withText.length).toBeGreaterThan(0);
    for (const { ementa, texto } of withText) {
      expect(ementa).toBeNull();
      expect(texto!.length).toBeGreaterThan(300);
      expect(texto!.length).toBeLessThan(2200);
    }
  });

  test('is reported by one of 12 to 90 judges', () => {
    for (const tribunal of tribunaisDaBase(base)) {
      const judges = sample
        .filter((one) => one.tribunal === tribunal)
        .flatMap(({ relator }) => relator ?? []);
      expect(new Set(judges).size).toBeGreaterThanOrEqual(12);
      expect(new Set(judges).size).toBeLessThanOrEqual(90);
    }
  });
});

/** The rule of `ementa_status`, for texts as they are made here. */
function conditionOf(ementa: string | null): string {
  if (ementa === null) return 'ausente';
  if (/(?:…|\.\.\.|Ler mais\.\.\.)$/u.test(ementa)) return 'truncada';
  return ementa.length < 60 || /Ã[\u0080-\u00bf\u0192\u2021]/u.test(ementa) ? 'suspeita' : 'completa';
}
