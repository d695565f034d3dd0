import Database from 'better-sqlite3';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../contract/vocabulary.ts';
import { baseFile } from '../index/format/schema.ts';
import { READ_STATE_SQL, readState } from '../index/format/state.ts';
import { writeAtomically } from '../process/files.ts';
import type { Listed } from './portal.ts';

/** A file that was loaded, as it was listed then. */
export interface LoadedFile extends Listed {
  /** Empty if the portal gave none. */
  readonly etag: string;
  readonly received: number;
}

/** A base file, and how far its loads had come. */
interface BaseSeen {
  readonly inode: number;
  readonly generation: number;
}

interface Stored {
  readonly base: BaseSeen;
  /** Day of the newest file, which the service's metrics show; empty if none is known. */
  readonly latest: string;
  readonly files: Readonly<Record<string, LoadedFile>>;
}

/** What was loaded from the portal: `DATA_DIR/sync/BASE.json`. */
export class Ledger {
  readonly files: Map<string, LoadedFile>;
  /** True if a list was there that does not fit the base: all files count as new. */
  readonly isForgotten: boolean;
  readonly #path: string;
  readonly #base: string;

  /** @throws system errors, and those of a base file that cannot be read. */
  constructor(dataDir: string, base: Base) {
    this.#path = join(dataDir, 'sync', `${base}.json`);
    this.#base = baseFile(dataDir, base);
    const stored = existsSync(this.#path) ? read(this.#path) : null;
    const isSame = stored !== null && existsSync(this.#base) && isContinued(stored.base, seen(this.#base));
    this.files = new Map(isSame ? Object.entries(stored.files) : []);
    this.isForgotten = existsSync(this.#path) && !isSame;
  }

  /** Remembers a file whose decisions are in the base. @throws system errors. */
  add(file: LoadedFile): void {
    this.files.set(file.id, file);
    const stored: Stored = {
      base: seen(this.#base),
      latest: [...this.files.values()].map(dayOf).reduce((a, b) => (a > b ? a : b)),
      files: Object.fromEntries(this.files),
    };
    writeAtomically(this.#path, JSON.stringify(stored));
  }
}

/** Null if it is damaged. */
function read(path: string): Stored | null {
  try {
    // Only `add` writes it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(readFileSync(path, 'utf8')) as Stored;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A base that was moved away, restored or made again lacks what was loaded. */
function isContinued(before: BaseSeen, now: BaseSeen): boolean {
  return now.inode === before.inode && now.generation >= before.generation;
}

function seen(file: string): BaseSeen {
  const db = new Database(file, { fileMustExist: true });
  try {
    const { generation } = readState(db.prepare<[], Buffer>(READ_STATE_SQL).pluck().get());
    return { inode: statSync(file).ino, generation };
  } finally {
    db.close();
  }
}

/** The last day that a file covers, by its name, or the day of its last change. */
function dayOf({ name, modified }: Listed): string {
  const text = `${name.replace(/^(\d{4})(\d\d)(\d\d)\./u, '$1-$2-$3 ')} ${modified}`;
  return /\d{4}-\d\d-\d\d/u.exec(text)?.[0] ?? '';
}
