import Database from 'better-sqlite3';
import { checkBase } from '../../src/index/check/check-base.ts';
import { Connector, snapshotOf } from '../../src/index/read/connection.ts';
import { eachTerm } from '../../src/index/read/terms.ts';
import { ListRows } from '../../src/index/read/list-rows.ts';
import { WordPositions } from '../../src/index/read/term-positions.ts';
import { threadCacheAt } from '../../src/index/read/thread-cache.ts';
import { Positions } from '../../src/index/format/positions.ts';
import { offsetsOf } from '../../src/index/format/posting-list.ts';
import { BLOCK_SIZE } from '../../src/index/format/schema.ts';
import type { Base } from '../../src/contract/vocabulary.ts';

/** What a list holds of one decision: its id, its impact, and the positions of the word. */
export type Posting = readonly [docId: number, impact: number, ...positions: number[]];

/** All lists of a base by name, however the file holds them. */
export function listsIn(file: string, base: Base): Map<string, Posting[]> {
  const connector = new Connector(file, base);
  const connection = connector.connection();
  const snapshot = snapshotOf(connection);
  const rows = new ListRows(connection.row, threadCacheAt(connection, -1));
  const content = new Map<string, Posting[]>();
  for (const [name, entry] of eachTerm(connection, snapshot.terms)) {
    const postings: Posting[] = [];
    const positions = new WordPositions(rows, entry);
    const found = new Positions();
    for (let block = 0; block * BLOCK_SIZE <= snapshot.docs; block += 1) {
      const list = rows.list(entry, block, false);
      if (list.count === 0) continue;
      const impacts = rows.impacts(entry, block, list, false);
      positions.openList(block, list);
      for (const [rank, offset] of offsetsOf(list).entries()) {
        found.count = 0;
        positions.readAt(rank, 0b11111, found);
        postings.push([
          block * BLOCK_SIZE + offset,
          impacts[rank] ?? 0,
          ...found.values.subarray(0, found.count),
        ]);
      }
    }
    if (postings.length > 0) content.set(name, postings);
  }
  connector.close();
  return content;
}

/** What in a base file is damaged, a line each. */
export function damagesOf(file: string, base: Base): string[] {
  const damages: string[] = [];
  checkBase(file, base, (damage) => damages.push(damage));
  return damages;
}

const TABLES =
  'record item source_keys doc_values postings terms positions term_vectors replaced withdrawn commits meta state'.split(
    ' ',
  );

/** All rows of a base file, table by table. */
export function rowsIn(file: string): unknown[][] {
  const db = new Database(file, { readonly: true });
  const found = TABLES.map((name) => db.prepare(`SELECT * FROM ${name}`).all());
  db.close();
  return found;
}
