import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { MADE_UP_SQL, baseFile } from '../format/schema.ts';
import { PlainError } from '../../process/fail.ts';
import { commandFor } from '../../config/config.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';

/** Decisions of courts, or made-up ones for a demo and load tests. A data folder has only one kind. */
export type Kind = 'real' | 'made-up';

const HOLDS_ANY_SQL = 'SELECT EXISTS (SELECT 1 FROM item)';

/** Null if the base is empty. */
export function kindIn(db: Database.Database): Kind | null {
  if (isMarked(db)) return 'made-up';
  return db.prepare(HOLDS_ANY_SQL).pluck().get() === 1 ? 'real' : null;
}

function isMarked(db: Database.Database): boolean {
  return db.prepare(MADE_UP_SQL).pluck().get() === 1;
}

/** The kinds in a folder's readable bases. Opened for writing, because a read-only connection would leave a log. */
export function kindsIn(dataDir: string, bases: readonly Base[]): Set<Kind> {
  return new Set(bases.flatMap((base) => readBase(dataDir, base, { readonly: false }, kindIn) ?? []));
}

/** The bases of a folder that are marked as made up. */
export function madeUpBases(dataDir: string): Base[] {
  return BASES.filter((base) => readBase(dataDir, base, { readonly: true }, isMarked) === true);
}

/** Null without a readable file. */
export function readBase<T>(
  dataDir: string,
  base: Base,
  options: { readonly readonly: boolean },
  read: (db: Database.Database) => T,
): T | null {
  const file = baseFile(dataDir, base);
  try {
    // Opening a pipe would wait for ever.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const db = new Database(file, { ...options, fileMustExist: true });
    try {
      return read(db);
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** @param held the kinds already there. @throws PlainError if both kinds would mix. */
export function refuseMixing(kind: Kind, held: Iterable<Kind | null>, dataDir: string): void {
  if ([...held].every((one) => one === null || one === kind)) return;
  throw new PlainError(
    kind === 'real'
      ? `${dataDir} holds made-up decisions, and real ones never go among them; set DATA_DIR to another folder. ` +
          `Or empty the demo, bases and key together: ${commandFor(dataDir, 'demo', 'remove')}`
      : `${dataDir} holds real decisions, and made-up ones never go among them; set DATA_DIR to another folder`,
  );
}
