import Database from 'better-sqlite3';
import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  BaseFileError,
  checkSideFiles,
  checkOpen,
  identityOf,
  statOf,
  type FileStamp,
} from '../format/file-check.ts';
import { once } from '../format/known.ts';
import { MADE_UP_SQL } from '../format/schema.ts';
import { rowsOf, type RowOf } from '../format/seal.ts';
import { READ_STATE_SQL, readState, versionOf, type State } from '../format/state.ts';
import type { Base } from '../../contract/vocabulary.ts';
import { Budget } from './budget.ts';
import { clearThreadCache } from './thread-cache.ts';

/** A thread's read-only connection to a base file; each statement is prepared once. */
export interface Connection {
  readonly db: Database.Database;
  readonly base: Base;
  readonly budget: Budget;
  /** Checks immediately whether the file has another file's bytes. @throws BaseFileError */
  readonly verify: () => void;
  readonly stamp: () => FileStamp;
  /** The prepared statement of an SQL text; texts are constants or built from a few fixed parts. */
  readonly statement: <Row>(sql: string) => Database.Statement<unknown[], Row>;
  /** The content of a sealed row. @throws DamagedBase */
  readonly row: RowOf;
  /** The same for SQL with a single column: each row is that value. */
  readonly value: <Value>(sql: string) => Database.Statement<unknown[], Value>;
}

/** The state of a base that a request reads. */
export interface Snapshot extends State {
  /** Differs between any two states of any files. */
  readonly dataVersion: string;
  readonly file: string;
  readonly isMadeUp: boolean;
}

/** @throws DamagedBase */
export function snapshotOf({ value, stamp }: Connection): Snapshot {
  const state = readState(value<Buffer>(READ_STATE_SQL).get());
  const { file, written } = stamp();
  const dataVersion = `${file}:${written}:${versionOf(state)}`;
  return { ...state, dataVersion, file, isMadeUp: value<number>(MADE_UP_SQL).get() === 1 };
}

/** The state as in replies. */
export function stateOf({ generation, mark, docs, withdrawn, dataVersion, file, isMadeUp }: Snapshot) {
  const version = versionOf({ generation, mark });
  return { generation, docs: docs - withdrawn, version, data_version: dataVersion, file, made_up: isMadeUp };
}

/** A load writes to the file all the time during a checkpoint. */
const WRITTEN_CHECK_MS = 20;
/** A file that failed to open is not tried again immediately, unless it changes: an attempt costs as much as a search. */
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 1_000;
const CACHE_KIB = 2_048;

/** Opens the base file on the first call, and again when another file is at its path. */
export class Connector {
  readonly #file: string;
  readonly #base: Base;
  #open: Connection | undefined;
  #stamp: FileStamp = { file: '', written: '' };
  #checkedAt = Number.NEGATIVE_INFINITY;
  #failure: unknown;
  /** The state of the path at that failure. */
  #failedOn = '';
  #retryAt = Number.NEGATIVE_INFINITY;
  #retryMs = RETRY_MS_MIN;

  constructor(file: string, base: Base) {
    this.#file = file;
    this.#base = base;
  }

  /** @throws BaseFileError or SQLite's error if the file cannot be used, repeated for a while unless the file changes. */
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

  #seen(): string {
    try {
      const { file, written } = identityOf(statOf(this.#file));
      return `${file}:${written}`;
    } catch (error) {
      return String(error);
    }
  }

  #current(now: number): Connection {
    // Checked before each use: it may have become a pipe, or another file.
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
   * Closes the connection if another file is at the path. If a load or a copy has written to the file, a new connection checks
   * it, because the open one would use its pages in memory; these are dropped.
   */
  #check(now: number, isDue: boolean): void {
    const stamp = identityOf(statOf(this.#file));
    const isWritten = stamp.written !== this.#stamp.written;
    if (stamp.file !== this.#stamp.file) this.close();
    else if (this.#open !== undefined && isWritten) {
      if (!isDue) return;
      open(this.#file, this.#base).db.close();
      this.#open.db.pragma('shrink_memory');
      clearThreadCache(this.#open);
    }
    this.#stamp = stamp;
    this.#checkedAt = now;
  }

  /** The next request opens the file again. */
  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }
}

function open(file: string, base: Base): Omit<Connection, 'verify' | 'stamp'> {
  checkSideFiles(file);
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 100 });
  try {
    checkOpen(db, file, base);
    checkLog(db, file);
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

/** SQLite's code depends on the cause: the mount, or permissions. */
const CANNOT_WRITE = /^SQLITE_(?:CANTOPEN|READONLY)/u;

/** A WAL-mode file cannot be read if SQLite cannot create -shm. Opening it as immutable needs URIs, which the library lacks. */
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
  const prepared = once(prepare);
  // The row's shape is what the SQL text selects.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return <Row>(sql: string) => prepared(sql) as Database.Statement<unknown[], Row>;
}

/** SQLite would read it without its log. If there is no log file, an operator has set the mode. */
function checkLog(db: Database.Database, file: string): void {
  if (db.pragma('journal_mode', { simple: true }) !== 'wal' && existsSync(`${file}-wal`)) {
    throw new BaseFileError(`${file} is damaged: its header has no write-ahead log, but there is one`);
  }
}
