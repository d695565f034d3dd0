import Database from 'better-sqlite3';
import type { Base } from '../../src/contract/vocabulary.ts';
import { readLine } from '../../src/ingest/canonical.ts';
import { lastDays } from '../../src/ingest/dates.ts';
import { toDecisao } from '../../src/ingest/decisao.ts';
import { INDEXED_FIELDS } from '../../src/index/format/bm25f.ts';
import { FTS5_SQL } from '../../src/index/format/tokens.ts';
import type { Line } from './service.ts';

const LAST = lastDays(new Date('2026-11-22T12:00:00Z'));

/**
 * FTS5 over the texts of the lines that a base was loaded with: a search must find what FTS5 matches.
 * @returns a function from FTS5 text to the numbers of the matches, the highest first.
 */
export function fts5Of(base: Base, lines: readonly (Line | string)[]): (fts5: string) => number[] {
  const db = new Database(':memory:');
  db.exec(FTS5_SQL);
  const insert = db.prepare(
    `INSERT INTO fts (rowid, ${INDEXED_FIELDS.join(', ')}) VALUES (?, ${INDEXED_FIELDS.map(() => '?').join(', ')})`,
  );
  db.transaction(() => {
    for (const [at, line] of lines.entries()) {
      const linha = readLine(typeof line === 'string' ? line : JSON.stringify(line), base, LAST);
      if (typeof linha === 'string') throw new Error(linha);
      const { indexed } = toDecisao(linha);
      insert.run(at + 1, ...INDEXED_FIELDS.map((column) => oneText(indexed[column])));
    }
  })();
  const match = db.prepare<[string], number>('SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid DESC');
  return (fts5) => match.pluck().all(fts5);
}

/** A word of no test, more times than the tests' distances reach. FTS5 has no gaps. */
const GAP = ` ${'zzz '.repeat(100)}`;

function oneText(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.filter((element) => element.trim() !== '').join(GAP);
}
