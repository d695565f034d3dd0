import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { DataWatch } from './data-watch.ts';

/** What this needs of the clock: `now` in milliseconds, which never jumps, and `soon`, after the events at hand. */
interface TurnClock {
  now(): number;
  soon(action: () => void): void;
}

/** Threads look this often whether the file at their path is another one (`workers/connection.ts`). */
const IDENTITY_CHECK_MS = 20;
/** Time enough for each of them to have looked, and to have made the new file's log readable for others. */
const SETTLED_MS = 100;
const RETRY_MS = 1_000;

/**
 * Watches the file of a base. SQLite counts the commits of others (`PRAGMA data_version`: 2 µs), which is exact; that
 * another file was put at the path, or other bytes into it, is seen as the threads see it, by what the system says of it.
 */
export class FileWatch implements DataWatch {
  readonly #file: string;
  readonly #clock: TurnClock;
  #stamp: string | null = null;
  #stampedAt = Number.NEGATIVE_INFINITY;
  #changedAt = Number.NEGATIVE_INFINITY;
  #open: { readonly db: Database.Database; readonly version: Database.Statement<[], number> } | null = null;
  #version: number | undefined;
  #moment = 0;
  /** What it was found to be while the events at hand are handled; undefined before it was looked at. */
  #ofTurn: number | null | undefined;
  #isClosed = false;

  constructor(file: string, clock: TurnClock) {
    this.#file = file;
    this.#clock = clock;
  }

  moment(): number | null {
    if (this.#ofTurn !== undefined) return this.#ofTurn;
    const found = this.#isClosed ? null : this.#look();
    this.#ofTurn = found;
    this.#clock.soon(() => {
      this.#ofTurn = undefined;
    });
    return found;
  }

  close(): void {
    this.#isClosed = true;
    this.#ofTurn = undefined;
    this.#letGo();
  }

  #look(): number | null {
    const now = this.#clock.now();
    if (now - this.#stampedAt >= IDENTITY_CHECK_MS) this.#checkStamp(now);
    if (this.#stamp === null || now - this.#changedAt < SETTLED_MS) return null;
    try {
      this.#open ??= open(this.#file);
      const version = this.#open.version.get();
      if (version !== this.#version) this.#moment += 1;
      this.#version = version;
      return this.#moment;
    } catch {
      // The threads say what is wrong with it; here it is only not known.
      this.#change(now + RETRY_MS);
      return null;
    }
  }

  #checkStamp(now: number): void {
    this.#stampedAt = now;
    const stamp = stampOf(this.#file);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#change(now);
  }

  #change(at: number): void {
    this.#moment += 1;
    this.#changedAt = at;
    this.#letGo();
  }

  #letGo(): void {
    this.#open?.db.close();
    this.#open = null;
  }
}

function open(file: string) {
  // A lock is no reason for the main thread to wait.
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    return { db, version: db.prepare<[], number>('PRAGMA data_version').pluck() };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Which file stands at the path, and when it was last written to; null where there is none. */
function stampOf(file: string): string | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}`;
  } catch {
    return null;
  }
}
