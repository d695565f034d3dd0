import Database from 'better-sqlite3';
import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BaseFileError, checkBeside, identityOf, statOf, type FileStamp } from '../format/file-check.ts';
import { APPLICATION_ID, MADE_UP_SQL, SCHEMA_VERSION } from '../format/schema.ts';
import { rowsOf, type RowOf } from '../format/seal.ts';
import { READ_STATE_SQL, readState } from '../format/state.ts';
import type { Base } from '../../contract/vocabulary.ts';
import { Budget } from './budget.ts';
import { dropThreadCache } from './thread-cache.ts';

/** One thread's read-only connection to its base file, with its statements prepared once. */
export interface Connection {
  readonly db: Database.Database;
  readonly base: Base;
  readonly budget: Budget;
  /** Checks at once, and not in a while, whether another file's bytes came into the file. @throws BaseFileError */
  readonly verify: () => void;
  /** The file that is open, and how it was last written to. */
  readonly stamp: () => FileStamp;
  /** The prepared statement of an SQL text; texts are constants or built from a few fixed parts. */
  readonly statement: <Row>(sql: string) => Database.Statement<unknown[], Row>;
  /** The content of a sealed row. @throws DamagedBase */
  readonly row: RowOf;
  /** The same for an SQL text of one column: each row comes as its value. */
  readonly value: <Value>(sql: string) => Database.Statement<unknown[], Value>;
}

/** What a request reads of its moment of the base. */
export interface Snapshot {
  readonly generation: number;
  /** The highest number, which is also how many decisions there are, for numbers have no gaps. */
  readonly lastDocId: number;
  /** The highest id of a term. */
  readonly terms: number;
  /** Rows of `replaced`: the first one, and the one that comes next. */
  readonly replaced: readonly [number, number];
  /** Names it among all states of all files: the same text, the same data. */
  readonly dataVersion: string;
  /** Names the file. */
  readonly file: string;
  readonly isMadeUp: boolean;
}

/** @throws DamagedBase */
export function snapshotOf({ value, stamp }: Connection): Snapshot {
  const { generation, docs, terms, replaced } = readState(value<Buffer>(READ_STATE_SQL).get());
  const { file, written } = stamp();
  return {
    generation,
    lastDocId: docs,
    terms,
    replaced,
    dataVersion: `${file}:${written}:${generation}`,
    file,
    isMadeUp: value<number>(MADE_UP_SQL).get() === 1,
  };
}

/** What a reply tells of the state that it was read from. */
export function stateOf({ generation, lastDocId, dataVersion, file, isMadeUp }: Snapshot) {
  return { generation, docs: lastDocId, data_version: dataVersion, file, made_up: isMadeUp };
}

/** A load writes to the file all the time while it folds its log in. */
const WRITTEN_CHECK_MS = 20;
/** A file that would not open is not tried again at once, unless it is another one: each trial costs what a search does. */
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 1_000;
const CACHE_KIB = 2_048;

/** Opens the base file when first asked, and again when the file at its path has become another one. */
export class Connector {
  readonly #file: string;
  readonly #base: Base;
  #open: Connection | undefined;
  #stamp: FileStamp = { file: '', written: '' };
  #checkedAt = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  /** What was at the path when it failed. */
  #failedOn = '';
  #retryAt = Number.NEGATIVE_INFINITY;
  #retryMs = RETRY_MS_MIN;

  constructor(file: string, base: Base) {
    this.#file = file;
    this.#base = base;
  }

  /** @throws BaseFileError or SQLite's error when the file cannot serve; the same again for a while, as long as it is that file. */
  connection(): Connection {
    const now = performance.now();
    if (now < this.#retryAt && this.#failedOn === this.#seen()) throw this.#failure;
    try {
      const connection = this.#current(now);
      this.#retryMs = RETRY_MS_MIN;
      return connection;
    } catch (error) {
      this.#failure = error;
      this.#failedOn = this.#seen();
      this.#retryAt = now + this.#retryMs;
      this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS_MAX);
      throw error;
    }
  }

  /** Names what is at the path, whatever it is. */
  #seen(): string {
    try {
      const { file, written } = identityOf(statOf(this.#file));
      return `${file}:${written}`;
    } catch (error) {
      return String(error);
    }
  }

  #current(now: number): Connection {
    // Nothing is opened or read that was not looked at just before: it may have become a pipe, or another file.
    this.#check(now, now - this.#checkedAt >= WRITTEN_CHECK_MS);
    this.#open ??= {
      ...open(this.#file, this.#base),
      verify: () => {
        this.#check(performance.now(), true);
      },
      stamp: () => this.#stamp,
    };
    return this.#open;
  }

  /**
   * Another file at the path is opened in place of this one. One that was written to is most often the same, for
   * a load writes to it, but may be another one's bytes: then it is looked into with a connection of its own,
   * for the old one would go on with the pages that it has in memory, which are dropped.
   */
  #check(now: number, isDue: boolean): void {
    const stamp = identityOf(statOf(this.#file));
    const isWritten = stamp.written !== this.#stamp.written;
    if (stamp.file !== this.#stamp.file) this.close();
    else if (this.#open !== undefined && isWritten) {
      if (!isDue) return;
      open(this.#file, this.#base).db.close();
      this.#open.db.pragma('shrink_memory');
      dropThreadCache(this.#open);
    }
    this.#stamp = stamp;
    this.#checkedAt = now;
  }

  /** Drops the connection, after a fault of the file: the next request opens it again. */
  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }
}

function open(file: string, base: Base): Omit<Connection, 'verify' | 'stamp'> {
  checkBeside(file);
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 100 });
  try {
    checkVersion(db, file, base);
    checkBase(db, file, base);
    db.pragma(`cache_size = -${CACHE_KIB}`);
    db.pragma('query_only = ON');
    const budget = new Budget();
    const statement = preparedOnce((sql) => db.prepare(sql));
    const value = preparedOnce((sql) => db.prepare(sql).pluck());
    return { db, base, budget, row: rowsOf(db), statement, value };
  } catch (error) {
    db.close();
    throw explained(error, file);
  }
}

/** What SQLite says of it depends on what forbids it: the mount, or permissions. */
const CANNOT_WRITE = /^SQLITE_(?:CANTOPEN|READONLY)/u;

/**
 * A file in WAL mode, which every load leaves it in, cannot even be read where SQLite can make no index beside it. There is no
 * reading it as immutable: the library takes no URIs, and a read-only mount does not say that nobody writes elsewhere.
 */
function explained(error: unknown, file: string): unknown {
  if (error instanceof Database.SqliteError && error.code === 'SQLITE_IOERR_SHMSIZE') {
    return new BaseFileError(`${error.code}: no room for ${file}-shm, for the disk is full: free some space`);
  }
  const cannotWrite = error instanceof Database.SqliteError && CANNOT_WRITE.test(error.code);
  if (!cannotWrite || isWritable(dirname(file))) return error;
  return new BaseFileError(
    `${error.code}: ${file} needs ${basename(file)}-wal and -shm beside it, and its folder is read-only: make it writable, ` +
      'or set journal_mode = DELETE in the file before (docs/deploy.md)',
  );
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function preparedOnce(
  prepare: (sql: string) => Database.Statement,
): <Row>(sql: string) => Database.Statement<unknown[], Row> {
  const prepared = new Map<string, Database.Statement>();
  return <Row>(sql: string) => {
    let found = prepared.get(sql);
    if (found === undefined) {
      found = prepare(sql);
      prepared.set(sql, found);
    }
    // The row's shape is what the SQL text beside the call selects.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return found as Database.Statement<unknown[], Row>;
  };
}

function checkVersion(db: Database.Database, file: string, base: Base): void {
  if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new BaseFileError(
      `${file} is not a base file of this service; move it away and load the base again with: bun run ingest ${base} FILE`,
    );
  }
  const version = db.pragma('user_version', { simple: true });
  if (version !== SCHEMA_VERSION) {
    throw new BaseFileError(
      `${file} has schema version ${String(version)}, this service reads ${SCHEMA_VERSION}: ` +
        `move the file away and load the base again with: bun run ingest ${base} FILE`,
    );
  }
  // It would be read without what its log holds. Without a log beside it, an operator has set the mode.
  if (db.pragma('journal_mode', { simple: true }) !== 'wal' && existsSync(`${file}-wal`)) {
    throw new BaseFileError(`${file} is damaged: it says that it has no write-ahead log, and has one`);
  }
}

/** A copy of another base's file would answer with that base's decisions. */
function checkBase(db: Database.Database, file: string, base: Base): void {
  const held = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'base'`).pluck().get();
  if (held !== base)
    throw new BaseFileError(
      `${file} is the file of base ${String(held)}, not of ${base}; put the file of ${base} there`,
    );
}
