import { openSync, writeSync, closeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Base } from '../contract/enums.ts';
import { FILE_MODE, makeFolder } from '../files.ts';
import { readLines, type Line } from './lines.ts';
import { Preparer, type PreparedBatch } from './prepare.ts';
import type { BaseWriter } from './writer.ts';

export interface LoadOptions {
  readonly writer: BaseWriter;
  /** Gives what is stored of each line, a batch at a time and in their order. */
  readonly prepare: (lines: readonly string[]) => Promise<PreparedBatch>;
  readonly rejects: RejectsFile;
  /** Told the bytes read of the file so far, after each line. */
  readonly onProgress: (bytes: number) => void;
  /** Asked after each line: true ends the load with what has been read. */
  readonly shouldStop: () => boolean;
}

/** How often a slow input is looked after: lines that wait for more, a transaction that has been open for long. */
const LOOK_MS = 250;
const BATCH_LINES_MAX = 64;
const BATCH_CHARACTERS_MAX = 1 << 20;
/** Batches read ahead of the one that is being written. */
const AHEAD_MAX = 3;

/** Loads one file; what is committed stays, whatever happens. @throws the system's or decompressor's error. */
export async function loadFile(path: string, options: LoadOptions): Promise<void> {
  const { writer, onProgress, shouldStop } = options;
  const batches = new Batches(path, options);
  let bytes = 0;
  const timer = setInterval(() => {
    batches.lookAfter();
  }, LOOK_MS);
  try {
    for await (const line of readLines(path, (total) => (bytes = total))) {
      await batches.add(line);
      onProgress(bytes);
      if (shouldStop()) break;
    }
  } finally {
    clearInterval(timer);
    // What was read before a cut archive gave out is good, and stays.
    try {
      await batches.end();
    } finally {
      writer.commit();
    }
  }
}

/** Writes lines that are known to be good, here and now. @throws the reason where one is not. */
export function writeLines(writer: BaseWriter, base: Base, lines: readonly string[]): void {
  const { items, texts } = new Preparer(base).prepare(lines);
  writer.learn(texts);
  for (const item of items) {
    if (typeof item === 'string') throw new Error(item);
    writer.write(item);
  }
  writer.commit();
}

/** Lines on their way into the base: gathered, prepared ahead, and written in their order. */
class Batches {
  readonly #path: string;
  readonly #options: LoadOptions;
  #gathered: Line[] = [];
  #characters = 0;
  /** Each settles when its batch, and all before it, have been written, and never fails; the oldest first. */
  readonly #sent: Promise<void>[] = [];
  /** What went wrong first: nothing is written after it. */
  #failure: { readonly error: unknown } | null = null;

  constructor(path: string, options: LoadOptions) {
    this.#path = path;
    this.#options = options;
  }

  async add(line: Line): Promise<void> {
    this.#gathered.push(line);
    this.#characters += line.text?.length ?? 0;
    if (this.#gathered.length >= BATCH_LINES_MAX || this.#characters >= BATCH_CHARACTERS_MAX) this.#send();
    if (this.#sent.length > AHEAD_MAX) await this.#sent[0];
    this.#throwFailure();
  }

  /** What a slow input has brought is not kept from readers. */
  lookAfter(): void {
    this.#send();
    this.#try(() => {
      this.#options.writer.commitIfOld();
    });
  }

  /** Writes all that was added. @throws what went wrong on the way. */
  async end(): Promise<void> {
    this.#send();
    await this.#sent.at(-1);
    this.#throwFailure();
  }

  #send(): void {
    if (this.#gathered.length === 0) return;
    const lines = this.#gathered;
    this.#gathered = [];
    this.#characters = 0;
    const before = this.#sent.at(-1);
    const prepared = this.#options.prepare(lines.map(({ text }) => text).filter((text) => text !== null));
    this.#sent.push(this.#writeAfter(before, lines, prepared));
  }

  async #writeAfter(
    before: Promise<void> | undefined,
    lines: readonly Line[],
    prepared: Promise<PreparedBatch>,
  ): Promise<void> {
    // Both are waited for at once: a failure of this one must not go unheard while the other takes its time.
    const [batch] = await Promise.allSettled([prepared, before]);
    this.#try(() => {
      if (batch.status === 'rejected') throw batch.reason;
      this.#write(lines, batch.value);
    });
    void this.#sent.shift();
  }

  #write(lines: readonly Line[], { items, texts }: PreparedBatch): void {
    const { writer, rejects } = this.#options;
    writer.learn(texts);
    let at = 0;
    for (const line of lines) {
      const item = line.text === null ? (line.reason ?? 'not readable') : items[at];
      if (line.text !== null) at += 1;
      if (item === undefined) throw new Error('a batch came back with fewer lines');
      if (typeof item !== 'string') writer.write(item);
      else rejects.add({ file: this.#path, line: line.number, reason: item, text: line.text });
    }
  }

  #try(act: () => void): void {
    if (this.#failure !== null) return;
    try {
      act();
    } catch (error) {
      this.#failure = { error };
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
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
