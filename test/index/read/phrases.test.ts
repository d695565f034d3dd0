import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fts5Of } from '../../support/fts5-oracle.ts';
import { handled } from '../../support/handled.ts';
import { afterPage, searchFor, searched } from '../../support/requests.ts';
import { rankByOracle } from '../../support/relevance-oracle.ts';
import { Inverter } from '../../../src/index/write/inverter.ts';
import { Rng } from '../../../src/tools/demo/rng.ts';

const WORDS = ['dano', 'danos', 'moral', 'mora', 'morais', 'lei', 'leis', 'réu', '𝒙𝒚', '𝒙'];
const DECISIONS = 1_500;

function textOf(rng: Rng, most: number): string {
  return Array.from(
    { length: rng.between(0, most) },
    () => WORDS[Math.min(rng.below(WORDS.length), rng.below(WORDS.length))],
  ).join(' ');
}

const word = fc.constantFrom(...WORDS, 'nada');
const term = fc.tuple(word, fc.constantFrom('', '', '*')).map(([text, star]) => `"${text}"${star}`);
const start = fc
  .tuple(word, fc.integer({ min: 1, max: 4 }))
  .map(([text, size]) => `"${text.slice(0, size)}"*`);
const one = fc.oneof({ weight: 3, arbitrary: term }, { weight: 2, arbitrary: start });
const phrase = fc.array(one, { minLength: 1, maxLength: 4 }).map((some) => some.join(' + '));
const near = fc
  .tuple(fc.array(phrase, { minLength: 2, maxLength: 4 }), fc.constantFrom('', ', 0', ', 1', ', 3', ', 99'))
  .map(([some, distance]) => `NEAR(${some.join(' ')}${distance})`);
const clause = fc.oneof(
  phrase,
  phrase.map((text) => `^ ${text}`),
  near,
);
const column = fc.constantFrom('', '', 'tese : ', '- ementa : ', '{ementa temas} : ', '-{tese temas} : ');
const query = fc
  .array(fc.tuple(column, clause), { minLength: 1, maxLength: 3 })
  .chain((parts) =>
    fc
      .constantFrom(' AND ', ' OR ', ' NOT ')
      .map((operator) => parts.map(([name, text]) => name + text).join(operator)),
  )
  // Half a character is no text.
  .filter((text) => !/[\ud800-\udbff](?![\udc00-\udfff])/u.test(text));

describe('the positions of words', () => {
  const rng = new Rng(5);
  const lines = Array.from({ length: DECISIONS }, (_, at) => ({
    tipo: 'acordao',
    chave: String(at),
    ementa: textOf(rng, 14),
    tese: textOf(rng, 6),
    temas: [textOf(rng, 3), textOf(rng, 3)],
  }));
  const byFts5 = fts5Of('stj', lines);
  const handler = handled('stj', lines);
  const reply = (...args: Parameters<typeof searchFor>) => searched(handler, searchFor(...args));
  test('match as in FTS5, for phrases, prefixes, NEAR, columns and initial tokens', () => {
    fc.assert(
      fc.property(query, (q) => {
        expect(reply(`(${q})`, { doc_ids_max: DECISIONS }).doc_ids).toEqual(byFts5(q));
      }),
      { numRuns: 1_500, seed: Number(process.env['FC_SEED'] ?? 1) },
    );
  });

  test('are verified from the best score down, and give the page of all matches by score', () => {
    const columns = lines.map(({ ementa, tese, temas }) => ({ ementa, tese, temas: temas.join('\n') }));
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 40 }), (q, most) => {
        const matching = byFts5(q);
        const request = { ordem: 'relevancia', doc_ids_max: most, count_ms: 60_000 } as const;
        const found = reply(`(${q})`, request);
        const { terms } = searchFor(`(${q})`);
        const expected = rankByOracle(columns, new Set(matching), terms);
        expect(found.doc_ids).toEqual(expected.slice(0, most));
        expect(found.count).toBe(Math.min(matching.length, 1_001));
        // The next page goes on where this one ends.
        if (found.doc_ids.length < most) return;
        const next = reply(`(${q})`, { ...request, count_ms: null, after: afterPage(found) });
        expect(next.doc_ids).toEqual(expected.slice(most, 2 * most));
      }),
      { numRuns: 150, seed: Number(process.env['FC_SEED'] ?? 1) },
    );
  }, 120_000);

  test('are verified only within the time, even if no decision matches', () => {
    const never = '"dano moral dano moral dano moral dano moral dano moral" OR NEAR(d* m* l* d* m* l*, 0)';
    for (const ordem of ['recentes', 'relevancia'] as const) {
      const [outcome] = handler.run([searchFor(never, { ordem, budget_ms: 0 })]);
      expect(outcome).toMatchObject({ ok: false, failure: 'deadline' });
    }
  });
});

describe('the end of an element of a list', () => {
  const line = (chave: string, temas: string[], ementa = '') => ({ tipo: 'acordao', chave, temas, ementa });
  const handler = handled('stj', [
    line('1', ['Direito Civil', 'Processo Penal'], 'x direito civil processo penal'),
    line('2', ['Direito Civil Processo Penal']),
    line('3', ['', 'Processo Civil', '...', 'Penal']),
  ]);
  const found = (q: string) => searched(handler, searchFor(`(${q})`, { doc_ids_max: 9 })).doc_ids;

  test.each([
    ['temas : "civil processo"', [2]],
    ['temas : "civil proc"*', [2]],
    ['"civil processo"', [2, 1]],
    ['temas : NEAR(direito penal, 4294967296)', [2]],
    ['temas : NEAR(processo penal, 67108864)', [2, 1]],
    ['temas : NEAR(civil penal, 8191)', [2]],
    ['temas : NEAR("direito civil" processo, 0)', [2]],
    ['ementa : NEAR(x penal, 4294967296)', [1]],
    ['temas : civil AND temas : penal', [3, 2, 1]],
    ['temas : ^ direito', [2, 1]],
    ['temas : ^ processo', [3]],
    ['temas : ^ penal', []],
  ])('is crossed by no phrase and no NEAR: %s', (q, expected) => {
    expect(found(q)).toEqual(expected);
  });
});

test('a decision may have as many elements as positions can tell apart, and is refused with one more', () => {
  const inverter = new Inverter();
  const texts = { ementa: '', tese: '', dispositivo: '', processo: '' };
  expect(() => inverter.invert({ ...texts, temas: Array<string>(16_385).fill('a') })).toThrow(
    '16384 elements',
  );
  expect(inverter.invert({ ...texts, temas: Array<string>(16_384).fill('a') }).lists).toHaveLength(1);
});
