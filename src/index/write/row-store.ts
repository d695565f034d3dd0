import type Database from 'better-sqlite3';
import { once } from '../format/known.ts';
import { seal, selectOf, unseal, type RowOf, type SealedTable } from '../format/seal.ts';

/** Reads and writes sealed rows. */
export class RowStore {
  readonly #select: ReturnType<typeof selectOf>;
  readonly #insert: (table: SealedTable) => Database.Statement<[number, Uint8Array]>;
  readonly #remove: (table: SealedTable) => Database.Statement<[number]>;

  constructor(db: Database.Database) {
    this.#select = selectOf(db);
    this.#insert = once((table) => db.prepare(`INSERT OR REPLACE INTO ${table} (id, data) VALUES (?, ?)`));
    this.#remove = once((table) => db.prepare(`DELETE FROM ${table} WHERE id = ?`));
  }

  /** @throws DamagedBase, also if the row is missing. */
  readonly read: RowOf = (table, key) => unseal(table, key, this.#select(table).get(key));

  /** Null if there is no such row. @throws DamagedBase */
  find(table: SealedTable, key: number): Uint8Array | null {
    const row = this.#select(table).get(key);
    return row === undefined ? null : unseal(table, key, row);
  }

  put(table: SealedTable, key: number, content: Uint8Array): void {
    this.#insert(table).run(key, seal(table, key, content));
  }

  delete(table: SealedTable, key: number): void {
    this.#remove(table).run(key);
  }
}
