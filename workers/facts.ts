import { LRUCache } from 'lru-cache';
import type { Connection } from './connection.ts';

/** What is known of a stored list without reading it: its id, null where there is none, and counts by block. */
export interface ListFacts {
  readonly id: number | null;
  readonly counts: Map<number, number>;
}

interface KnownFacts {
  readonly geracao: number;
  readonly facts: LRUCache<string, ListFacts>;
}

const FACTS_MAX = 2_000;
const known = new WeakMap<Connection, KnownFacts>();

/** The facts of the lists asked for lately, by term: most queries have words that others had. They hold for one data generation. */
export function factsAt(connection: Connection, geracao: number): LRUCache<string, ListFacts> {
  let found = known.get(connection);
  if (found?.geracao !== geracao) {
    found = { geracao, facts: new LRUCache({ max: FACTS_MAX }) };
    known.set(connection, found);
  }
  return found.facts;
}

/** For when the file may have become another one under the same connection. */
export function forgetFacts(connection: Connection): void {
  known.delete(connection);
}
