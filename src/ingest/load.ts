import { openSync, writeSync, closeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Base } from '../contract/enums.ts';
import { FILE_MODE, makeFolder } from '../files.ts';
import { readLine } from './canonical.ts';
import { toDecisao } from './decisao.ts';
import { readLines, type Line } from './lines.ts';
import type { BaseWriter } from './writer.ts';

export interface LoadOptions {
  readonly base: Base;
  readonly writer: BaseWriter;
  readonly rejects: RejectsFile;
  /** Told the bytes read of the file so far, after each line. */
  readonly onProgress: (bytes: number) => void;
  /** Asked after each line: true ends the load with what has been written. */
  readonly shouldStop: () => boolean;
}

/** How often an idle load looks whether its transaction has been open for long. */
const LOOK_MS = 250;

/** Loads one file; what is committed stays, whatever happens. @throws the system's or decompressor's error. */
export async function loadFile(path: string, options: LoadOptions): Promise<void> {
  const { writer, onProgress, shouldStop } = options;
  let bytes = 0;
  let failure: unknown = null;
  const timer = setInterval(() => {
    try {
      writer.commitIfOld();
    } catch (error) {
      failure = error;
    }
  }, LOOK_MS);
  try {
    for await (const line of readLines(path, (total) => (bytes = total))) {
      if (failure !== null) throw failure;
      loadLine(path, line, options);
      onProgress(bytes);
      if (shouldStop()) break;
    }
    // The commit that failed may have been the last thing before the end of the input.
    if (failure !== null) throw failure;
  } finally {
    clearInterval(timer);
    // What was read before a cut archive gave out is good, and stays.
    writer.commit();
  }
}

function loadLine(path: string, line: Line, { base, writer, rejects }: LoadOptions): void {
  const linha = line.text === null ? (line.reason ?? 'not readable') : readLine(line.text, base);
  if (typeof linha === 'string')
    rejects.add({ file: path, line: line.number, reason: linha, text: line.text });
  else writer.write(toDecisao(linha, base));
}

export interface Reject {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  /** The line itself, null where it could not be read as text. */
  readonly text: string | null;
}

/** Rejected lines, as JSON Lines, in a file that is made with the first of them. */
export class RejectsFile {
  readonly path: string;
  count = 0;
  #file: number | null = null;

  constructor(path: string) {
    this.path = path;
  }

  add(reject: Reject): void {
    if (this.#file === null) {
      makeFolder(dirname(this.path));
      // Never over a file that is there: it may be the very source of these lines.
      this.#file = openSync(this.path, 'wx', FILE_MODE);
    }
    writeSync(this.#file, `${JSON.stringify(reject)}\n`);
    this.count += 1;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
