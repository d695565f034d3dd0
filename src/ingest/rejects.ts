import { closeSync, existsSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainError, explain } from '../process/fail.ts';
import { REASON_LENGTH_MAX, Reasons, shortened } from './reasons.ts';
import { FILE_MODE, makeFolder } from '../process/files.ts';

export interface Reject {
  readonly file: string;
  /** A line number, or a position in words (`record 7`). */
  readonly place: number | string;
  readonly reason: string;
  /** The rejected text; null if it could not be decoded. */
  readonly text: string | null;
}

/** Limits of the file. Rejects beyond them are only counted. */
export const REJECTS_MAX = 100_000;
export const REJECTS_BYTES_MAX = 64 * 1024 * 1024;
/** Stored characters of a rejected text. */
export const REJECT_TEXT_MAX = 64 * 1024;

/** Writes rejects as JSON Lines to a file of bounded size. The first reject creates the file. */
export class RejectsFile {
  /** Null if rejects are only counted. */
  readonly path: string | null;
  readonly reasons = new Reasons();
  /** Rejects in the file. */
  stored = 0;
  /** Rejects that were in it when a withdrawal removed it. */
  removed = 0;
  #bytes = 0;
  #isFull = false;
  #file: number | null = null;

  constructor(path: string | null) {
    this.path = path;
  }

  get count(): number {
    return this.reasons.total;
  }

  /**
   * Creates the file and removes it again; its folders stay. So an unwritable path fails before the load begins.
   * @throws PlainError that names the file.
   */
  checkPath(): void {
    if (this.path === null) return;
    // An existing file may be the source of these lines.
    if (existsSync(this.path)) {
      throw new PlainError(`${this.path} already exists; name another file for the rejected lines`);
    }
    try {
      closeSync(createFile(this.path));
      rmSync(this.path);
    } catch (error) {
      throw new PlainError(`cannot write the rejected lines to ${this.path}: ${explain(error)}`);
    }
  }

  add(reject: Reject): void {
    this.reasons.add(reject.reason);
    if (this.path !== null && !this.#isFull) this.#store(this.path, reject);
  }

  #store(path: string, reject: Reject): void {
    this.#leaveRemoved();
    const line = Buffer.from(`${JSON.stringify(recordOf(reject))}\n`);
    // After the first reject that does not fit, the file takes no more.
    this.#isFull = this.stored === REJECTS_MAX || this.#bytes + line.length > REJECTS_BYTES_MAX;
    if (this.#isFull) return;
    this.#file ??= createFile(path);
    for (let at = 0; at < line.length;) at += writeSync(this.#file, line, at);
    this.stored += 1;
    this.#bytes += line.length;
  }

  /** A withdrawal meanwhile removes the file, since any line may be of what it takes out; later ones go into a new file. */
  #leaveRemoved(): void {
    if (this.#file === null || fstatSync(this.#file).nlink > 0) return;
    closeSync(this.#file);
    this.removed += this.stored;
    [this.#file, this.stored, this.#bytes] = [null, 0, 0];
  }

  close(): void {
    this.#leaveRemoved();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** The stored form of a reject; `textLength` only if its text is truncated. */
function recordOf({ file, place, reason, text }: Reject) {
  return {
    file,
    ...(typeof place === 'number' ? { line: place } : { place }),
    reason: shortened(reason, REASON_LENGTH_MAX),
    text: text === null ? null : shortened(text, REJECT_TEXT_MAX),
    ...(text !== null && text.length > REJECT_TEXT_MAX ? { textLength: text.length } : {}),
  };
}

function createFile(path: string): number {
  makeFolder(dirname(path));
  return openSync(path, 'wx', FILE_MODE);
}
