import { describe, expect, test } from 'vitest';
import { Rng } from '../../../src/tools/demo/rng.ts';
import {
  copyOf,
  countBits,
  freeBits,
  hasBit,
  intersection,
  newBits,
  setBit,
  type Bits,
} from '../../../src/index/read/bitset.ts';
import { handled } from '../../support/handled.ts';
import { searchFor, searched } from '../../support/requests.ts';

const WORDS = ['contrato', 'contratual', 'contribuinte', 'dano', 'moral', 'recurso', 'lei', 'prova'];
/** Prefixes are merged from the lists of their words, and what is merged stays in the thread's cache. */
const QUERIES = [
  'c*',
  'contrat*',
  'contribu*',
  'contrat* NOT moral',
  'recur* AND dano',
  'dano',
  'dano moral',
  '"dano moral"',
  '"dano moral" OR lei',
  'NEAR(dano prova, 3) AND lei',
  'prova NOT ("recurso lei" OR contratu*)',
];

describe('sets of decisions', () => {
  test('are empty or exact copies when taken from the pool, whatever earlier ones held', () => {
    const fill = (bits: Bits) => {
      for (let offset = 0; offset < 65_536; offset += 3) setBit(bits, offset);
    };
    const one = new Uint32Array(newBits().length);
    setBit(one, 40_000);
    for (let round = 0; round < 3; round += 1) {
      freeBits();
      // More than are kept for use again.
      const sets = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? newBits() : copyOf(one)));
      expect(sets.map(countBits)).toEqual(sets.map((_, at) => at % 2));
      expect(new Set(sets).size).toBe(sets.length);
      for (const bits of sets) fill(bits);
    }
    expect(countBits(one)).toBe(1);
  });

  test('intersected with short lists hold what all of them have, however long each is', () => {
    const rng = new Rng(7);
    for (let round = 0; round < 40; round += 1) {
      freeBits();
      const common = new Set(Array.from({ length: rng.below(4) }, () => rng.below(65_536)));
      const some = (most: number) => {
        const own = Array.from({ length: rng.below(most) }, () => rng.below(65_536));
        return [...new Set([...common, ...own])].toSorted((a, b) => a - b);
      };
      const few = Array.from({ length: rng.below(4) }, () => some(rng.pick([1, 30, 4_000])));
      const many = Array.from({ length: rng.below(3) + 1 }, () => some(rng.pick([30, 5_000, 90_000])));
      const sets = many.map((offsets) => offsets.reduce((bits, at) => (setBit(bits, at), bits), newBits()));
      const byLength = few.toSorted((a, b) => a.length - b.length).map((list) => Uint16Array.from(list));
      const [first = [], ...others] = [...few, ...many].map((offsets) => new Set(offsets));
      const expected = [...first].filter((at) => others.every((other) => other.has(at)));
      const bits = intersection(byLength, sets);
      expect(countBits(bits)).toBe(expected.length);
      expect(expected.every((at) => hasBit(bits, at))).toBe(true);
    }
  });
});

describe('searches of one thread', () => {
  const words = new Rng(5);
  const ementa = () => Array.from({ length: 6 }, () => words.pick(WORDS)).join(' ');
  const lines = Array.from({ length: 80 }, (_, at) => ({
    tipo: 'acordao',
    chave: String(at),
    ementa: ementa(),
  }));
  const handler = handled('stj', lines);

  const numbersOf = (q: string, ordem: 'recentes' | 'relevancia') => {
    const { doc_ids, count } = searched(handler, searchFor(q, { ordem, count_ms: 1_000 }));
    return { doc_ids, count };
  };

  test('answer in any order as each does alone', () => {
    const asked = QUERIES.flatMap((q) =>
      (['recentes', 'relevancia'] as const).map((ordem) => ({ q, ordem })),
    );
    const alone = asked.map(({ q, ordem }) => {
      handler.close();
      return numbersOf(q, ordem);
    });
    expect(alone.every(({ doc_ids }) => doc_ids.length > 0)).toBe(true);
    const rng = new Rng(6);
    for (let times = 0; times < 400; times += 1) {
      const at = rng.below(asked.length);
      const { q, ordem } = asked[at]!;
      expect(numbersOf(q, ordem), `${q} by ${ordem}`).toEqual(alone[at]);
    }
  });
});
