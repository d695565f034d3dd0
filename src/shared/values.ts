import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { codeOf } from '../process/fail.ts';
import { createAtomically, writeAtomically } from '../process/files.ts';

/** Interval of the check of a folder of values. */
const VALUES_REFRESH_MS = 1_000;
/** Two changes may get the same time stamp, so a folder changed this recently is read again. */
const STAMP_DOUBT_MS = 2_000;

export interface Value {
  readonly text: string;
  /** From 1; it changes with each write. */
  readonly revision: number;
  /** Why it cannot be read; `text` is then empty. */
  readonly fault?: string;
}

/** Texts that all processes of a service share: files in the data folder, or a NATS bucket in a cluster. */
export interface Values {
  /** All known values, by key. A change creates a new map. */
  readonly entries: ReadonlyMap<string, Value>;
  /** Reads changes. On a failure the known values stay. */
  refresh(): void | Promise<void>;
  /** @param revision as known here; 0 if none. @returns false if another writer was first. @throws errors of disk or broker. */
  put(key: string, text: string, revision: number): boolean | Promise<boolean>;
}

export interface FolderValuesOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** False for a file to read again each time: a repair in place does not change the folder. */
  readonly isWhole: (key: string, value: Value) => boolean;
  /** Called once for each fault of the folder. Without it `refresh` throws. */
  readonly onFault?: (reason: string) => void;
}

const SUFFIX = '.json';

/** The files `KEY.json` of a folder, read again when the folder has changed, which is checked at most once a second. */
export class FolderValues implements Values {
  readonly #options: FolderValuesOptions;
  #entries: ReadonlyMap<string, Value> = new Map();
  #revision = 0;
  #stamp = '';
  #isWhole = true;
  #refreshedAt = 0;
  #fault = '';

  constructor(options: FolderValuesOptions) {
    this.#options = options;
    this.refresh();
  }

  get entries(): ReadonlyMap<string, Value> {
    if (this.#options.clock.now() - this.#refreshedAt >= VALUES_REFRESH_MS) this.refresh();
    return this.#entries;
  }

  refresh(): void {
    this.#refreshedAt = this.#options.clock.now();
    try {
      this.#readIfChanged();
      this.#fault = '';
    } catch (error) {
      const { onFault } = this.#options;
      if (onFault === undefined) throw error;
      const reason = String(error);
      if (reason !== this.#fault) onFault(reason);
      this.#fault = reason;
    }
  }

  /** Safe between processes only under the data folder's lock. */
  put(key: string, text: string, revision: number): boolean {
    const file = this.#fileOf(key);
    this.refresh();
    if ((this.#entries.get(key)?.revision ?? 0) !== revision) return false;
    try {
      if (revision === 0) createAtomically(file, text);
      else writeAtomically(file, text);
    } catch (error) {
      if (revision === 0 && codeOf(error) === 'EEXIST') return false;
      throw error;
    }
    this.refresh();
    return true;
  }

  #readIfChanged(): void {
    const { folder, clock } = this.#options;
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat === undefined && this.#entries.size > 0) throw new Error(`${folder} is gone`);
    const changedMs = stat?.mtimeMs ?? 0;
    const stamp = `${stat?.ino ?? 0}:${changedMs}`;
    // Two changes within the resolution of the file system's clock leave the same stamp.
    const isDoubtful = Math.abs(clock.date().getTime() - changedMs) < STAMP_DOUBT_MS;
    if (stamp === this.#stamp && !isDoubtful && this.#isWhole) return;
    this.#take(stat === undefined ? new Map() : this.#read());
    this.#stamp = stamp;
  }

  #read(): Map<string, Omit<Value, 'revision'>> {
    const names = readdirSync(this.#options.folder).filter((name) => name.endsWith(SUFFIX));
    const keys = names.map((name) => name.slice(0, -SUFFIX.length)).toSorted();
    return new Map(keys.map((key) => [key, readText(this.#fileOf(key))]));
  }

  #take(found: ReadonlyMap<string, Omit<Value, 'revision'>>): void {
    const before = this.#entries;
    const isSame = (key: string, { text, fault }: Omit<Value, 'revision'>) =>
      before.get(key)?.text === text && before.get(key)?.fault === fault;
    if (found.size === before.size && [...found].every(([key, value]) => isSame(key, value))) return;
    this.#revision += 1;
    const revision = this.#revision;
    const entries = [...found].map(([key, value]): [string, Value] => {
      const known = isSame(key, value) ? before.get(key) : undefined;
      return [key, known ?? { ...value, revision }];
    });
    this.#entries = new Map(entries);
    this.#isWhole = entries.every(([key, value]) => this.#options.isWhole(key, value));
  }

  #fileOf(key: string): string {
    return join(this.#options.folder, `${key}${SUFFIX}`);
  }
}

function readText(file: string): Omit<Value, 'revision'> {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    return { text: '', fault: error instanceof Error ? error.message : String(error) };
  }
}
