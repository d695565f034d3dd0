import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { QueryTerm } from '../../../src/engine/messages.ts';
import { openSyntaxCheck } from '../../../src/query/syntax-check.ts';
import { readExpression } from '../../../src/query/expression.ts';
import { fts5Of } from '../../support/fts5-oracle.ts';
import { handled } from '../../support/handled.ts';
import { NO_FILTER, searchFor, searched } from '../../support/requests.ts';
import type { Line } from '../../support/service.ts';

const WORDS = ['dano', 'danos', 'moral', 'mora', 'ação', 'lei', 'prova', 'x1', 'réu'];
/** More than one block of numbers. */
const DECISIONS = 70_000;

/** Decisions whose words repeat seldom enough that phrases, NEAR and columns all tell some from others. */
function lineOf(at: number): Line {
  const word = (salt: number) =>
    WORDS[(at * 7 + salt * salt * 31 + Math.floor(at / 97) * salt) % WORDS.length] ?? '';
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => word(from + i)).join(' ');
  return {
    tipo: at % 3 === 0 ? 'sumula' : 'acordao',
    chave: String(at),
    ementa: words(at % 5, at % 9),
    tese: words(2, at % 4),
    temas: [words(3, at % 2)],
    data_julgamento: `20${String(10 + (at % 15))}-0${1 + (at % 9)}-11`,
  };
}

const column = fc.constantFrom('ementa', 'tese', '{ementa temas}', '- tese', '-{ementa tese}');
const word = fc.constantFrom(...WORDS, 'nada', 'd', 'mor', 'AÇÃO');
const string = fc.oneof(
  { weight: 4, arbitrary: word },
  {
    weight: 2,
    arbitrary: fc.array(word, { minLength: 1, maxLength: 3 }).map((some) => `"${some.join(' ')}"`),
  },
  { weight: 1, arbitrary: fc.constantFrom('""', '"§"', '"NOT"', '"dano § moral"') },
);
const starred = fc.tuple(string, fc.boolean()).map(([text, isPrefix]) => text + (isPrefix ? '*' : ''));
const phrase = fc.oneof(
  { weight: 5, arbitrary: starred },
  { weight: 1, arbitrary: fc.tuple(starred, starred).map((some) => some.join(' + ')) },
);
const near = fc.oneof(
  { weight: 6, arbitrary: phrase },
  { weight: 1, arbitrary: phrase.map((text) => `^ ${text}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(phrase, { minLength: 1, maxLength: 3 }), fc.constantFrom('', ', 0', ', 2'))
      .map(([some, distance]) => `NEAR(${some.join(' ')}${distance})`),
  },
);
const inColumn = (inside: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.option(column, { freq: 4 }), inside)
    .map(([name, text]) => (name === null ? text : `${name} : ${text}`));
const { expression } = fc.letrec<{ expression: string; primary: string }>((tie) => ({
  primary: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'query' },
    fc.array(inColumn(near), { minLength: 1, maxLength: 3 }).map((some) => some.join(' ')),
    inColumn(tie('expression').map((text) => `(${text})`)),
  ),
  expression: fc
    .array(fc.tuple(tie('primary'), fc.constantFrom(' AND ', ' OR ', ' NOT ')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((some) => some.map(([text, operator], at) => (at === 0 ? text : operator + text)).join('')),
}));

describe('the set of matches', () => {
  const lines = Array.from({ length: DECISIONS }, (_, at) => lineOf(at + 1));
  const handler = handled('stf', lines);
  let byFts5: (fts5: string) => number[];
  beforeAll(() => {
    byFts5 = fts5Of('stf', lines);
  });
  const isHeld = (term: QueryTerm | undefined) =>
    term === undefined || byFts5(`"${term.token}"${term.prefix ? '*' : ''}`).length > 0;

  test('equals what FTS5 matches, for any query and filter, in both orders', () => {
    const check = openSyntaxCheck();
    const readable = expression.filter((text) => check(text) === null && /[a-z]/u.test(text));
    // Few, so that some are used for the first time and some again.
    const filters = fc.record({
      tipo: fc.constantFrom(null, null, 'sumula' as const),
      first: fc.constantFrom(0, 0, 11, 23),
      last: fc.constantFrom(99, 17, 23),
    });
    fc.assert(
      fc.property(
        readable,
        fc.integer({ min: 1, max: 300 }),
        filters,
        (fts5, most, { tipo, first, last }) => {
          const judged = { judged_from: 20_000_000 + first * 10_000, judged_to: 20_001_231 + last * 10_000 };
          const filter = { ...NO_FILTER, tipo, ...(first > 0 && judged) };
          const isKept = (at: number) => {
            const year = 10 + (at % 15);
            return (tipo === null || at % 3 === 0) && (first === 0 || (year >= first && year <= last));
          };
          const expected = byFts5(fts5).filter(isKept);
          const { tree, positive } = readExpression(fts5);
          const query = { tree, terms: [...positive] };
          const request = searchFor('dano', { ...query, filter, doc_ids_max: most, count_ms: 60_000 });
          const recent = searched(handler, request);
          expect(recent.doc_ids).toEqual(expected.slice(0, most));
          expect(recent.count).toBe(Math.min(expected.length, 1_001));
          const absent = positive.flatMap((_, at) => (isHeld(positive[at]) ? [] : [at]));
          if (expected.length < most) expect(recent.absent ?? []).toEqual(absent);
          const ranked = searched(handler, { ...request, ordem: 'relevancia', doc_ids_max: 100_000 });
          expect(ranked.absent ?? []).toEqual(absent);
          expect(new Set(ranked.doc_ids)).toEqual(new Set(expected));
        },
      ),
      { numRuns: 60, seed: Number(process.env['FC_SEED'] ?? 1) },
    );
  });

  test('continues below any position, with the filter applied', () => {
    const filter = { ...NO_FILTER, tipo: 'sumula', judged_from: 20_120_000, judged_to: 20_181_231 } as const;
    const expected = byFts5('dano OR lei').filter((at) => at % 3 === 0 && at % 15 >= 2 && at % 15 <= 8);
    const all: number[] = [];
    let below = DECISIONS + 1;
    for (;;) {
      const after = { ordem: 'recentes' as const, below: below };
      const page = searched(handler, searchFor('dano OR lei', { filter, after, doc_ids_max: 997 })).doc_ids;
      all.push(...page);
      if (page.length < 997) break;
      below = page.at(-1) ?? 0;
    }
    expect(all).toEqual(expected);
  });
});
