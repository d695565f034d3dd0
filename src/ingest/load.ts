import { tmpdir } from 'node:os';
import type { Base } from '../contract/enums.ts';
import { Batches, type BatchOptions } from './batches.ts';
import { Damaged } from './damaged.ts';
import { isOfTheArchive } from './decompress.ts';
import { lastDays } from './dates.ts';
import { encodingOf } from './encoding.ts';
import type { Formato, Source } from './formats/format.ts';
import { openInput, type Input, type Part } from './input.ts';
import { Interrupted } from './interruption.ts';
import { Readings } from './readings.ts';
import { isBlank, recognise } from './recognise.ts';

export interface LoadOptions extends BatchOptions {
  readonly base: Base;
  /** Told how far the file has been read, in bytes of its size, after each decision. */
  readonly onProgress: (bytes: number) => void;
  /** Ends the load at once, with what has been read. */
  readonly signal: AbortSignal;
  /** The format of the file; without it, it is recognised. */
  readonly format?: Formato | undefined;
  /** A folder for what a pipe brings, while it is loaded. */
  readonly spoolFolder?: string;
}

/** How often a slow input is looked after: decisions that wait for more, a transaction that has been open for long. */
const LOOK_MS = 250;
/** Readings of a file whose format is checked as a whole: its encoding, its structure, its decisions. */
const READINGS = 3;

/**
 * Loads one file; what is committed stays, whatever happens.
 * @throws the system's or decompressor's error; PlainError where the format is not recognised; Damaged, and then
 * nothing of the file was loaded, unless its format is one that is loaded while it is read.
 */
export async function loadFile(path: string, options: LoadOptions): Promise<void> {
  try {
    await loadUntilSignal(path, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

async function loadUntilSignal(path: string, options: LoadOptions): Promise<void> {
  const progress = new Readings(options.onProgress);
  const { spoolFolder = tmpdir(), signal } = options;
  const input = await sound({ name: path }, () =>
    openInput(path, { spoolFolder, signal, onBytes: (bytes) => progress.add(bytes) }),
  );
  progress.size = input.size;
  const batches = new Batches(options);
  const timer = setInterval(() => {
    batches.lookAfter();
  }, LOOK_MS);
  try {
    await loadInput(input, path, { ...options, batches, progress });
  } finally {
    clearInterval(timer);
    input.close();
    // What was read before a cut archive gave out is good, and stays.
    try {
      await batches.end();
    } finally {
      options.writer.commit();
    }
  }
}

interface Loading extends LoadOptions {
  readonly batches: Batches;
  readonly progress: Readings;
}

async function loadInput(input: Input, path: string, loading: Loading): Promise<void> {
  const { progress } = loading;
  const formats = await formatsIn(input, loading);
  if (formats.every((format) => format === null || format.isLoadedWhileRead)) {
    for (const [at, part] of input.parts.entries())
      await loadPart(part, formats[at] ?? null, 'utf-8', path, loading);
    return;
  }
  await input.keep();
  progress.start(0, READINGS);
  const encodings: Source['encoding'][] = [];
  for (const part of input.parts) encodings.push(await sound(part, () => encodingOf(part.open())));
  progress.start(1, READINGS);
  for (const [at, part] of input.parts.entries()) {
    const source = { ...part, encoding: encodings[at] ?? 'utf-8' };
    await sound(part, () => readToTheEnd(source, formats[at] ?? null, loading));
  }
  progress.start(2, READINGS);
  for (const [at, part] of input.parts.entries()) {
    await loadPart(part, formats[at] ?? null, encodings[at] ?? 'utf-8', path, loading);
  }
}

/** The format of each part, null for an empty one. A pipe that holds a zip has its parts by now. */
async function formatsIn(input: Input, { format, base }: Loading): Promise<(Formato | null)[]> {
  const formats: (Formato | null)[] = [];
  for (const part of input.parts) {
    if (format === undefined) formats.push(await recognise(part, base));
    else if (format.isLoadedWhileRead) formats.push(format);
    else formats.push((await sound(part, () => isBlank(part))) ? null : format);
  }
  return formats;
}

/** Reads a text without loading anything, so that damage shows before the first decision is written. */
async function readToTheEnd(source: Source, format: Formato | null, loading: Loading): Promise<void> {
  if (format === null) return;
  for await (const found of format.read(source)) {
    void found;
    loading.progress.report();
  }
}

async function loadPart(
  part: Part,
  format: Formato | null,
  encoding: Source['encoding'],
  path: string,
  { batches, notes, now, progress, signal }: Loading,
): Promise<void> {
  let hasItems = false;
  const file = part.name === 'standard input' ? path : part.name;
  if (format !== null) {
    for await (const { place, item: map } of format.read({ ...part, encoding })) {
      hasItems = true;
      const item = map(lastDays(now()));
      if (item.kind === 'left-out') notes?.leftOut(item.reason);
      else await batches.add({ file, place, format, item });
      progress.report();
      if (signal.aborted) return;
    }
  }
  // Lines have no form for a court's word that there is none.
  if (!hasItems) notes?.empty(part.name, format !== null && !format.isLoadedWhileRead);
}

/** Runs a reading whose failure means that the input is damaged, and says of which part it is. */
async function sound<T>(part: Pick<Part, 'name'>, reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof Damaged) throw new Damaged(`${part.name}: ${error.message}`, error.place);
    if (isOfTheArchive(error)) throw new Damaged(`${part.name}: ${error.message}`);
    throw error;
  }
}
