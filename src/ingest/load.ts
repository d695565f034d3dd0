import { tmpdir } from 'node:os';
import type { Base } from '../contract/vocabulary.ts';
import { Batches, type BatchOptions } from './batches.ts';
import { Damaged } from './damaged.ts';
import { isArchiveError } from './decompress.ts';
import { lastDays } from './dates.ts';
import { encodingOf } from './encoding.ts';
import type { Formato, Item, Source } from './formats/format.ts';
import { openInput, type Input, type InputText } from './input.ts';
import { Interrupted } from './interruption.ts';
import { isBlank, recognise } from './recognise.ts';

/** Interval at which a slow input is flushed: waiting decisions, and a long transaction. */
const FLUSH_MS = 250;

export interface LoadOptions extends BatchOptions {
  readonly base: Base;
  /** Called after each decision with the position in the file, in bytes. */
  readonly onProgress: (bytes: number) => void;
  /** Stops the load; the decisions read before stay. */
  readonly signal: AbortSignal;
  /** Also loads decisions of cases under secrecy. */
  readonly includeSealed?: boolean;
  /** The format of the file. Without it, the format is recognised. */
  readonly format?: Formato | undefined;
  /** Folder for the temporary copy of a pipe. */
  readonly spoolFolder?: string;
  /** Sees every record of a court's file before the first is loaded. `end` may throw Damaged, and nothing is. */
  readonly check?: { see(item: Item): void; end(): void } | undefined;
}

/** Passes over a file that is checked as a whole: its encoding, its structure, its decisions. */
const PASSES = 3;

/**
 * Loads one file. Committed decisions stay in any case.
 * @throws system and decompressor errors; PlainError if the format is not recognised; Damaged, and then nothing of the
 * file was loaded, except for a format with `isLoadedWhileRead`.
 */
export async function loadFile(path: string, options: LoadOptions): Promise<void> {
  const progress = new PassProgress(options.onProgress);
  const { spoolFolder = tmpdir(), signal } = options;
  const batches = new Batches(options);
  const timer = setInterval(() => {
    batches.flush();
  }, FLUSH_MS);
  let input: Input | null = null;
  try {
    input = await orDamaged({ name: path }, () =>
      openInput(path, { spoolFolder, signal, onBytes: (bytes) => progress.add(bytes) }),
    );
    progress.size = input.size;
    await loadInput(input, path, { ...options, batches, progress });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    clearInterval(timer);
    input?.close();
    // The decisions before the end of a cut archive are good and stay.
    try {
      await batches.end();
    } finally {
      options.writer.commit?.();
    }
  }
}

interface Loading extends LoadOptions {
  readonly batches: Batches;
  readonly progress: PassProgress;
}

async function loadInput(input: Input, path: string, loading: Loading): Promise<void> {
  const { progress } = loading;
  const found = await partsIn(input, loading);
  if (found.every(({ format }) => format === null || format.isLoadedWhileRead === true)) {
    for (const part of found) await loadPart(part, path, loading);
    return;
  }
  await input.spool();
  progress.start(0);
  const parts: TextToLoad[] = [];
  // Found again: a zip that was piped within gzip has its parts only now.
  for (const part of await partsIn(input, loading)) {
    const encoding = await orDamaged(part.text, () => encodingOf(part.text.open()));
    parts.push({ ...part, encoding });
  }
  progress.start(1);
  for (const part of parts) await orDamaged(part.text, () => readToTheEnd(part, loading));
  loading.check?.end();
  progress.start(2);
  for (const part of parts) await loadPart(part, path, loading);
}

/** @property format null for an empty text. */
interface TextToLoad {
  readonly text: InputText;
  readonly format: Formato | null;
  readonly encoding: Source['encoding'];
}

async function partsIn(input: Input, { format, base }: Loading): Promise<TextToLoad[]> {
  const parts: TextToLoad[] = [];
  for (const text of input.parts) {
    const found = format === undefined ? await recognise(text, base) : await formatOf(text, format);
    parts.push({ text, format: found, encoding: 'utf-8' });
  }
  return parts;
}

async function formatOf(text: InputText, format: Formato): Promise<Formato | null> {
  if (format.isLoadedWhileRead === true) return format;
  return (await orDamaged(text, () => isBlank(text))) ? null : format;
}

/** Reads a text without loading it, to find damage before the first decision is written. */
async function readToTheEnd({ text, format, encoding }: TextToLoad, loading: Loading): Promise<void> {
  if (format === null) return;
  for await (const found of format.read({ ...text, encoding })) {
    loading.check?.see(found.item(lastDays(loading.now())));
    loading.progress.report();
  }
}

async function loadPart(
  { text, format, encoding }: TextToLoad,
  path: string,
  { batches, notes, now, progress, signal, includeSealed = false }: Loading,
): Promise<void> {
  let hasItems = false;
  const file = text.name === 'standard input' ? path : text.name;
  if (format !== null) {
    for await (const { place, item: map, sealedBy } of format.read({ ...text, encoding })) {
      hasItems = true;
      const sealed = includeSealed ? null : sealedBy();
      const item: Item = sealed === null ? map(lastDays(now())) : sealedItem(sealed);
      if (item.kind === 'left-out') notes?.leftOut.add(item.reason);
      else await batches.add({ file, place, format, item });
      if (item.kind === 'linha') for (const name of item.texts) notes?.fullTexts.add(name);
      progress.report();
      if (signal.aborted) return;
    }
  }
  // JSON Lines cannot say that a search found nothing; a court's answer can.
  if (!hasItems) notes?.empty(text.name, format !== null && format.isLoadedWhileRead !== true);
}

function sealedItem(field: string): Item {
  return { kind: 'left-out', reason: `secrecy (--include-sealed loads it): ${field}` };
}

/** Runs a read. @throws Damaged, with the name of the part, if the input is damaged. */
async function orDamaged<T>(part: Pick<InputText, 'name'>, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Damaged) throw new Damaged(`${part.name}: ${error.message}`, error.place);
    if (isArchiveError(error)) throw new Damaged(`${part.name}: ${error.message}`);
    throw error;
  }
}

/** Reports several passes over a file as the progress of a single pass. */
class PassProgress {
  size: number | null = null;
  #pass = 0;
  #passes = 1;
  #bytes = 0;
  readonly #onProgress: (bytes: number) => void;

  constructor(onProgress: (bytes: number) => void) {
    this.#onProgress = onProgress;
  }

  /** Begins one of `PASSES` passes; the first one is 0. */
  start(pass: number): void {
    [this.#pass, this.#passes, this.#bytes] = [pass, PASSES, 0];
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.report();
  }

  report(): void {
    const size = this.size ?? this.#bytes;
    this.#onProgress((this.#pass * size + Math.min(this.#bytes, size)) / this.#passes);
  }
}
