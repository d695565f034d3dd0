import Database from 'better-sqlite3';
import { FTS5_SQL } from './fts5.ts';

/**
 * FTS5's own parser, on an empty table with the columns of the index: a text that it refuses is refused before any
 * base is asked, so that a real fault of a base can never look like a bad query.
 * @returns a function from FTS5 text to FTS5's message, or null when it reads well. Its errors come at the
 *   first step and not when the statement is prepared, so the query is really run.
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
