import { closeSync, existsSync, mkdirSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PlainError, explain } from '../process/fail.ts';
import { FILE_MODE, FOLDER_MODE, makeFolder } from '../process/files.ts';

export interface Reject {
  readonly file: string;
  /** A line's number, or words for where it stands. */
  readonly place: number | string;
  readonly reason: string;
  /** What was rejected, null where it could not be read as text. */
  readonly text: string | null;
}

/** What was rejected, as JSON Lines, in a file that is made with the first of it. */
export class RejectsFile {
  /** Null: only counted. */
  readonly path: string | null;
  count = 0;
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
    if (this.path !== null) this.#write(this.path, reject);
    this.count += 1;
  }

  #write(path: string, { file, place, reason, text }: Reject): void {
    if (this.#file === null) {
      makeFolder(dirname(path));
      this.#file = openSync(path, 'wx', FILE_MODE);
    }
    const where = typeof place === 'number' ? { line: place } : { place };
    writeSync(this.#file, `${JSON.stringify({ file, ...where, reason, text })}\n`);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** Removes a folder and those above it down from `top`, as far as they are empty. */
function removeFolders(path: string, top: string): void {
  try {
    for (let at = path; at.startsWith(top); at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody else uses one of them by now.
  }
}
