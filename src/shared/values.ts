import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { writeAtomically } from '../process/files.ts';

/** Interval of the check of a folder of values. */
const VALUES_REFRESH_MS = 1_000;
/** Two changes may get the same time stamp, so a folder changed this recently is read again. */
const STAMP_DOUBT_MS = 2_000;

export interface Value {
  readonly text: string;
  /** Why it cannot be read; `text` is then empty. */
  readonly fault?: string;
}

/** Texts that all processes of a service share: files in the data folder, or messages of NATS. */
export interface Values {
  /** All known values, by key. A change creates a new map. */
  readonly entries: ReadonlyMap<string, Value>;
  /** Reads changes. On a failure the known values stay. */
  refresh(): void | Promise<void>;
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
  put(key: string, text: string): void {
    writeAtomically(this.#fileOf(key), text);
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

  #read(): Map<string, Value> {
    const names = readdirSync(this.#options.folder).filter((name) => name.endsWith(SUFFIX));
    const keys = names.map((name) => name.slice(0, -SUFFIX.length)).toSorted();
    return new Map(keys.map((key) => [key, readText(this.#fileOf(key))]));
  }

  #take(found: ReadonlyMap<string, Value>): void {
    const before = this.#entries;
    const isSame = ([key, { text, fault }]: [string, Value]) =>
      before.get(key)?.text === text && before.get(key)?.fault === fault;
    if (found.size === before.size && [...found].every(isSame)) return;
    this.#entries = found;
    this.#isWhole = [...found].every(([key, value]) => this.#options.isWhole(key, value));
  }

  #fileOf(key: string): string {
    return join(this.#options.folder, `${key}${SUFFIX}`);
  }
}

function readText(file: string): Value {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    return { text: '', fault: error instanceof Error ? error.message : String(error) };
  }
}
