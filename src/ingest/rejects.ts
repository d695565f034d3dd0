import { closeSync, existsSync, mkdirSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PlainError, explain } from '../process/fail.ts';
import { REASON_LENGTH_MAX, shortened } from './reasons.ts';
import { FILE_MODE, FOLDER_MODE, makeFolder } from '../process/files.ts';

export interface Reject {
  readonly file: string;
  /** A line's number, or words for where it stands. */
  readonly place: number | string;
  readonly reason: string;
  /** What was rejected, null where it could not be read as text. */
  readonly text: string | null;
}

/** What is stored at the most; what is rejected past it is only counted. */
export const REJECTS_MAX = 100_000;
export const REJECTS_BYTES_MAX = 64 * 1024 * 1024;
/** Characters that are stored of what was rejected. */
export const REJECT_TEXT_MAX = 64 * 1024;

/** What was rejected, as JSON Lines, in a file that is made with the first of it and is of bounded size. */
export class RejectsFile {
  /** Null: only counted. */
  readonly path: string | null;
  count = 0;
  /** How many of them stand in the file. */
  stored = 0;
  #bytes = 0;
  #isFull = false;
  readonly #onReject: (reject: Reject) => void;
  #file: number | null = null;

  constructor(path: string | null, onReject: (reject: Reject) => void = () => undefined) {
    this.path = path;
    this.#onReject = onReject;
  }

  /**
   * Makes the file and takes it away again, with the folders that it needed: a place that cannot be written is to be
   * known before anything is loaded, and nothing is to be left where nothing is rejected.
   * @throws PlainError that names the file.
   */
  refuseBadPlace(): void {
    if (this.path === null) return;
    // Never over a file that is there: it may be the very source of these lines.
    if (existsSync(this.path)) {
      throw new PlainError(`${this.path} is there already; name another file for the rejected lines`);
    }
    const path = resolve(this.path);
    try {
      const made = mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
      try {
        closeSync(openSync(path, 'wx', FILE_MODE));
        rmSync(path);
      } finally {
        if (made !== undefined) removeFolders(dirname(path), made);
      }
    } catch (error) {
      throw new PlainError(`the rejected lines cannot go to ${this.path}: ${explain(error)}`);
    }
  }

  add(reject: Reject): void {
    this.#onReject(reject);
    this.count += 1;
    if (this.path !== null && !this.#isFull) this.#store(this.path, reject);
  }

  #store(path: string, reject: Reject): void {
    const line = Buffer.from(`${JSON.stringify(recordOf(reject))}\n`);
    // Once one has no place, none after it has: the file holds the first of them.
    this.#isFull = this.stored === REJECTS_MAX || this.#bytes + line.length > REJECTS_BYTES_MAX;
    if (this.#isFull) return;
    if (this.#file === null) {
      makeFolder(dirname(path));
      this.#file = openSync(path, 'wx', FILE_MODE);
    }
    for (let at = 0; at < line.length;) at += writeSync(this.#file, line, at);
    this.stored += 1;
    this.#bytes += line.length;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** A reject as it is stored; `textLength` where its text is cut. */
function recordOf({ file, place, reason, text }: Reject) {
  return {
    file,
    ...(typeof place === 'number' ? { line: place } : { place }),
    reason: shortened(reason, REASON_LENGTH_MAX),
    text: text === null ? null : shortened(text, REJECT_TEXT_MAX),
    ...(text !== null && text.length > REJECT_TEXT_MAX ? { textLength: text.length } : {}),
  };
}

/** Removes a folder and those above it down from `top`, as far as they are empty. */
function removeFolders(path: string, top: string): void {
  try {
    for (let at = path; at.startsWith(top); at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody else uses one of them by now.
  }
}
