import { describe, expect, test } from 'vitest';
import { TIPOS_DA_BASE, tribunaisDaBase } from '../../../src/contract/catalog.ts';
import { BASES, STATUS_EMENTA, type Base } from '../../../src/contract/vocabulary.ts';
import {
  DecisionMaker,
  DEMO_SEED_DEFAULT,
  demoLines,
  type DemoDecision,
} from '../../../src/tools/demo/generate.ts';

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
const LINES = 2_000;
/** The start of the SHA-256 of so many lines of the default seed: published figures stand on these very lines. */
const SHA_256: Readonly<Record<Base, string>> = {
  tst: 'f690affec49f03e7',
  stf: '2785baf779c8f366',
  stj: 'c2692fbd759cbfa9',
  tjmg: 'd175e24873d869e9',
  trt3: 'dbe73bfb68c5096c',
  eproc: '12b959cdfd5fecfc',
};

function decisions(base: Base, count: number, seed = DEMO_SEED_DEFAULT): DemoDecision[] {
  return [...demoLines(base, count, seed)].map((line) => JSON.parse(line) as DemoDecision);
}

const samples = new Map(BASES.map((base) => [base, decisions(base, LINES)]));

describe('the lines', () => {
  test.each(BASES)('of %s are the same in every version', (base) => {
    const hash = new Bun.CryptoHasher('sha256');
    for (const line of demoLines(base, LINES, DEMO_SEED_DEFAULT)) hash.update(`${line}\n`);
    expect(hash.digest('hex').slice(0, 16)).toBe(SHA_256[base]);
  });

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

  test('is judged and published on days that exist, within twenty years', () => {
    for (const { data_julgamento: judged, data_publicacao: published } of sample) {
      for (const date of [judged, published].filter((day) => day !== null)) {
        expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date);
        expect(date >= '2006-10-30' && date <= '2026-10-30').toBe(true);
      }
      if (judged !== null && published !== null) expect(published > judged).toBe(true);
    }
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
});

/** The rule of `ementa_status`, for texts as they are made here. */
function conditionOf(ementa: string | null): string {
  if (ementa === null) return 'ausente';
  if (/(?:…|\.\.\.|Ler mais\.\.\.)$/u.test(ementa)) return 'truncada';
  return ementa.length < 60 || /Ã[\u0080-\u00bf\u0192\u2021]/u.test(ementa) ? 'suspeita' : 'completa';
}
