import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { costMs } from '../../../src/index/read/cost.ts';
import { BLOCK_SIZE } from '../../../src/index/format/schema.ts';
import type { Connection, Snapshot } from '../../../src/index/read/connection.ts';
import type { Ordem } from '../../../src/contract/vocabulary.ts';
import { searchFor } from '../../support/requests.ts';

/** A dictionary of so many rows for each letter. */
function dictionary(rows: Readonly<Record<string, number>>): Connection {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE terms (id INTEGER PRIMARY KEY, first_term BLOB NOT NULL UNIQUE)');
  const insert = db.prepare('INSERT INTO terms (first_term) VALUES (?)');
  for (const [letter, count] of Object.entries(rows))
    for (let at = 0; at < count; at += 1) insert.run(Buffer.from(`${letter}${String(at).padStart(4, '0')}`));
  // Only what the estimate reads.
  return { value: (sql: string) => db.prepare(sql).pluck() } as unknown as Connection;
}

const connection = dictionary({ a: 40, b: 10, z: 5 });
function cost(q: string, ordem: Ordem = 'relevancia', blocks = 1): number {
  const snapshot = { docs: blocks * BLOCK_SIZE - 1 } as Snapshot;
  return costMs(connection, { ...searchFor(q, { ordem }), budget_ms: 1 }, snapshot);
}

test('a search costs the dictionary rows of its prefixes, each prefix once', () => {
  expect(cost('dano moral')).toBe(0);
  // With the row before in which each begins.
  expect(cost('a*') / cost('b*')).toBeCloseTo(41 / 11);
  expect(cost('a* OR b*')).toBeCloseTo(cost('a*') + cost('b*'));
  expect(cost('a* OR (a* dano)')).toBeCloseTo(cost('a*'));
  expect(cost('dano NOT z*')).toBeCloseTo(cost('z*'));
  expect(cost('a00*')).toBeCloseTo(cost('a*'));
  expect(cost('a001*')).toBeCloseTo(cost('b*'));
});

test('a prefix costs more in NEAR, and more by relevance in a larger base', () => {
  expect(cost('NEAR(a* dano, 3)')).toBeGreaterThan(cost('a*'));
  expect(cost('a*', 'relevancia', 16)).toBeGreaterThan(2 * cost('a*'));
  expect(cost('a*', 'recentes', 16)).toBeLessThan(cost('a*', 'recentes'));
});
