import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FILE_MODE, makeFolder } from '../files.ts';

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

  add(reject: Reject): void {
    this.count += 1;
    this.#onReject(reject);
    if (this.path === null) return;
    if (this.#file === null) {
      makeFolder(dirname(this.path));
      // Never over a file that is there: it may be the very source of these lines.
      this.#file = openSync(this.path, 'wx', FILE_MODE);
    }
    const { file, place, reason, text } = reject;
    const where = typeof place === 'number' ? { line: place } : { place };
    writeSync(this.#file, `${JSON.stringify({ file, ...where, reason, text })}\n`);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
