import Database from 'better-sqlite3';
import { FTS5_SQL } from '../index/format/tokens.ts';

/**
 * FTS5's own parser, on an empty table with the index's columns.
 * @returns a function from FTS5 text to FTS5's message, or null if it is valid. It runs the query:
 * FTS5 reports errors only then.
 */
export function openSyntaxCheck(): (fts5: string) => string | null {
  const db = new Database(':memory:');
  db.exec(FTS5_SQL);
  const match = db.prepare('SELECT rowid FROM fts WHERE fts MATCH ?');
  return (fts5) => {
    try {
      match.get(fts5);
      return null;
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR') return error.message;
      throw error;
    }
  };
}
