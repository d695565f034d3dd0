import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLOCK_SIZE, baseFile } from '../../../src/index/format/schema.ts';
import { forEachBit, newBits, setSpan } from '../../../src/index/read/bitset.ts';
import { Connector, type Connection } from '../../../src/index/read/connection.ts';
import { Lists } from '../../../src/index/read/lists.ts';
import { Passage, type Direction } from '../../../src/index/read/phrases.ts';
import { tickOf } from '../../../src/index/read/yield-term.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

/** More than one block of numbers. */
const DECISIONS = 70_000;
const WORDS = ['um', 'dois', 'tres', 'quatro'];
const PLENTY_MS = 120_000;

/** Common words in changing order, and one word in every few hundred decisions. */
function ementaOf(at: number): string {
  const words = Array.from({ length: 2 + (at % 5) }, (_, place) => WORDS[(at * (place + 3) + (at >> 4)) % 4]);
  return [...words, ...(at % 390 === 7 ? ['raro'] : [])].join(' ');
}

describe('a passage that is asked for in a way that can be stopped', () => {
  let dataDir: string;
  let db: Database.Database;
  let connection: Connection;
  beforeAll(() => {
    dataDir = temporaryFolder();
    loadLines(
      dataDir,
      'stj',
      Array.from({ length: DECISIONS }, (_, at) => ({
        tipo: 'acordao',
        chave: String(at),
        ementa: ementaOf(at + 1),
      })),
    );
    db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
    connection = new Connector(baseFile(dataDir, 'stj'), 'stj').connection();
  });
  afterAll(() => {
    connection.db.close();
    db.close();
    rmSync(dataDir, { recursive: true });
  });

  /**
   * What it finds, newest first; everything is to be stoppable when 0 ms may not be.
   * @param spanSize how many numbers are asked about at a time; all of a block when not given.
   */
  function found(
    fts5: string,
    words: readonly string[],
    direction: Direction,
    unstoppableMs: number,
    spanSize = BLOCK_SIZE,
  ): number[] {
    connection.budget.start(performance.now() + PLENTY_MS);
    const termos = words.map((texto) => ({ texto, prefixo: false }));
    const passage = new Passage(
      connection,
      new Lists(connection, { geracao: 1, lastNumber: DECISIONS, estado: '' }),
      { fts5, termos, direction },
      unstoppableMs,
    );
    const numeros: number[] = [];
    const blocks = [0, 1];
    const spans = blocks.flatMap((block) =>
      Array.from({ length: Math.ceil(BLOCK_SIZE / spanSize) }, (_, at) => ({ block, from: at * spanSize })),
    );
    for (const { block, from } of direction === 'descending' ? spans.toReversed() : spans) {
      const within = spanSize === BLOCK_SIZE ? null : newBits();
      if (within !== null) setSpan(within, from, Math.min(BLOCK_SIZE, from + spanSize));
      forEachBit(passage.bits(block, within), (offset) => numeros.push(block * BLOCK_SIZE + offset));
    }
    return numeros.toSorted((a, b) => b - a);
  }
  const byFts5 = (fts5: string) =>
    db
      .prepare<[string], number>('SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC')
      .pluck()
      .all(fts5);

  test('goes by a word that is there now and then', () => {
    expect(tickOf(connection, 2)).toEqual({ texto: 'raro' });
  });

  test('finds what FTS5 finds for it alone, in both directions, also among the decisions with that word', () => {
    const word = fc.constantFrom(...WORDS, 'raro');
    const words = fc.array(word, { minLength: 2, maxLength: 3 });
    const passage = fc.tuple(words, fc.constantFrom('phrase', 'near', 'column'));
    fc.assert(
      fc.property(
        passage,
        fc.constantFrom<Direction>('ascending', 'descending'),
        ([some, kind], direction) => {
          const fts5 =
            kind === 'phrase'
              ? `"${some.join(' ')}"`
              : kind === 'near'
                ? `NEAR(${some.join(' ')}, 1)`
                : `{ementa tese} : (${some.join(' AND ')})`;
          const expected = byFts5(fts5);
          expect(found(fts5, some, direction, 0)).toEqual(expected);
          expect(found(fts5, some, direction, Number.POSITIVE_INFINITY)).toEqual(expected);
          // All of it would take long, a span of it does not.
          expect(found(fts5, some, direction, 1, 1_000)).toEqual(expected);
        },
      ),
      { numRuns: 60, seed: Number(process.env['FC_SEED'] ?? 1) },
    );
  });

  test('ends when nobody waits any more, though no decision matches it', () => {
    connection.budget.start(performance.now() + PLENTY_MS);
    let looks = 0;
    const isAbandoned = () => (looks += 1) > 2;
    const lists = new Lists(connection, { geracao: 1, lastNumber: DECISIONS, estado: '' });
    const termos = [{ texto: 'um', prefixo: false }];
    const never = { fts5: '"um tres um tres um tres um"', termos, direction: 'ascending' as const };
    const passage = new Passage(connection, lists, never, 0);
    connection.budget.start(performance.now() + PLENTY_MS, undefined, isAbandoned);
    expect(() => passage.bits(0, null)).toThrow();
    connection.budget.start(performance.now() + PLENTY_MS, undefined, () => false);
    expect(byFts5(never.fts5)).toEqual([]);
  });
});
