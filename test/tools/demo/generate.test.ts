import { describe, expect, test } from 'vitest';
import { TIPOS_DA_BASE, tribunaisDaBase } from '../../../src/contract/catalog.ts';
import { BASES, STATUS_EMENTA, type Base } from '../../../src/contract/vocabulary.ts';
import {
  DecisionMaker,
  DEMO_SEED_DEFAULT,
  demoLines,
  type DemoDecision,
} from '../../../src/tools/demo/generate.ts';

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
});

/** Of the lines above: what the contract's lists say of them. */
describe.each(BASES)('a decision of %s', (base) => {
  const sample = samples.get(base)!;
  const first = sample.slice(0, 500);

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

  test('is marked as made up', () => {
    expect(sample.every(({ extras }) => extras['demonstracao'] === true)).toBe(true);
  });
});
