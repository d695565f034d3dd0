import { bug } from '../bug.ts';
import type { Documento } from '../contract/documento.ts';
import { lastDays, type LastDays } from './dates.ts';
import type { Canonical, Formato, Item } from './formats/format.ts';
import { giveTurn } from './interruption.ts';
import type { Notes } from './notes.ts';
import type { LineBatch } from './record-maker.ts';
import { WITHDRAWN } from '../index/write/base-writer.ts';
import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';
import type { RejectsFile } from './rejects.ts';

/** After a signal that stops a load: time to index the decisions already read, which are then committed. */
const STOP_WRITING_MS_MAX = 2_000;

/** Receives decisions: a base, or the counts of a dry run. */
export interface Sink {
  addTerms?(texts: RecordBatch['texts']): void;
  /** The stored decision that another one would change, so that no older version is written. Dry runs compare none. */
  read?(decisao: NewRecord): Documento | null;
  /** @returns `WITHDRAWN` if its key may not come again. */
  write(decisao: NewRecord): unknown;
  commit?(): void;
  commitIfOld?(): void;
}

export interface BatchOptions {
  readonly writer: Sink;
  /** Makes a record or a reject reason for each line, in the order of the lines. */
  readonly recordsOf: (batch: LineBatch) => Promise<RecordBatch>;
  readonly rejects: RejectsFile;
  /** Sets the last day on which a decision can be dated. */
  readonly now: () => Date;
  readonly notes?: Notes;
  /** Once aborted, records read before are written for `STOP_WRITING_MS_MAX` more. */
  readonly signal?: AbortSignal;
}

/** A source record and its position. */
export interface SourceRecord {
  readonly file: string;
  readonly place: number | string;
  readonly format: Formato;
  readonly item: Exclude<Item, { kind: 'left-out' }>;
}

const BATCH_LINES_MAX = 64;
const BATCH_CHARACTERS_MAX = 1 << 20;
/** Large enough to keep the worker thread busy during a commit, which takes about a fifth of the time of the writes. */
const IN_FLIGHT_CHARACTERS_MAX = 8 << 20;
/** A longer batch's garbage is collected immediately: neither heap notices in time how much of it is strings. */
export const GARBAGE_CHARACTERS_MAX = 4 << 20;
/** Its text is not stored. */
const WITHDRAWN_REASON = 'withdrawn from this base: bun run readmit allows its key again';
/** Approximate cost of a record besides its text, in characters. It also bounds a file of empty lines. */
const RECORD_CHARACTERS = 500;

/** Collects source records in batches, has them converted ahead in a thread, and writes or rejects them in order. */
export class Batches {
  readonly #options: BatchOptions;
  #batch: SourceRecord[] = [];
  #characters = 0;
  /** Characters of all batches in `#inFlight`. */
  #charactersInFlight = 0;
  /** Oldest first. Each promise resolves when its batch and all earlier ones are written; none rejects. */
  readonly #inFlight: Promise<void>[] = [];
  /** The first error. Nothing is written after it. */
  #failure: { readonly error: unknown } | null = null;
  /** When writing stops; null before the signal. */
  #stopAt: number | null = null;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  async add(entry: SourceRecord): Promise<void> {
    this.#batch.push(entry);
    this.#characters += RECORD_CHARACTERS + charactersOf(entry.item);
    if (this.#batch.length >= BATCH_LINES_MAX || this.#characters >= BATCH_CHARACTERS_MAX) this.#send();
    while (this.#charactersInFlight > IN_FLIGHT_CHARACTERS_MAX) await this.#inFlight[0];
    this.#throwFailure();
  }

  /** Makes the records of a slow input visible to readers. */
  flush(): void {
    this.#send();
    this.#try(() => {
      this.#options.writer.commitIfOld?.();
    });
  }

  /** Writes all added records. @throws the first error. */
  async end(): Promise<void> {
    this.#send();
    await this.#inFlight.at(-1);
    this.#throwFailure();
  }

  #send(): void {
    if (this.#batch.length === 0) return;
    const entries = this.#batch;
    const characters = this.#characters;
    this.#batch = [];
    this.#characters = 0;
    this.#charactersInFlight += characters;
    const before = this.#inFlight.at(-1);
    const records = this.#options.recordsOf(batchOf(entries, lastDays(this.#options.now())));
    this.#inFlight.push(this.#writeAfter(before, entries, records, characters));
  }

  async #writeAfter(
    before: Promise<void> | undefined,
    entries: readonly SourceRecord[],
    records: Promise<RecordBatch>,
    characters: number,
  ): Promise<void> {
    // Awaiting `before` first would leave a rejection of `records` unhandled.
    const [batch] = await Promise.allSettled([records, before]);
    await giveTurn();
    this.#try(() => {
      if (batch.status === 'rejected') throw batch.reason;
      this.#write(entries, batch.value);
    });
    void this.#inFlight.shift();
    this.#charactersInFlight -= characters;
    if (characters > GARBAGE_CHARACTERS_MAX) Bun.gc(true);
  }

  #write(entries: readonly SourceRecord[], { items, unusedDates, fullTexts, texts }: RecordBatch): void {
    const { writer, rejects, notes } = this.#options;
    writer.addTerms?.(texts);
    for (const reason of unusedDates) notes?.unusedDates.add(reason);
    for (const name of fullTexts) notes?.fullTexts.add(name);
    let at = 0;
    for (const entry of entries) {
      if (this.#isOver()) return;
      const { file, place, item } = entry;
      if (item.kind === 'reject') {
        rejects.add({ file, place, reason: item.reason, text: item.text });
        continue;
      }
      const record = items[at] ?? bug('fewer records than lines');
      at += 1;
      if (typeof record === 'string') rejects.add({ file, place, reason: record, text: item.raw.text() });
      else if (this.#writeOne(record, item, entry.format) === WITHDRAWN)
        rejects.add({ file, place, reason: WITHDRAWN_REASON, text: null });
    }
  }

  /** An older file loaded after a newer one changes nothing. Without a time of change, the version loaded last counts. */
  #writeOne(decisao: NewRecord, { extras }: Canonical, { changedAt }: Formato): unknown {
    const { writer, notes } = this.#options;
    const coming = extras === null ? null : (changedAt?.(extras) ?? null);
    const stored = coming === null ? null : (writer.read?.(decisao) ?? null);
    const held = stored === null ? null : (changedAt?.(stored.extras) ?? null);
    if (coming === null || held === null || coming >= held) return writer.write(decisao);
    if (notes !== undefined) notes.outdatedCount += 1;
    return undefined;
  }

  #isOver(): boolean {
    if (this.#options.signal?.aborted !== true) return false;
    this.#stopAt ??= performance.now() + STOP_WRITING_MS_MAX;
    return performance.now() > this.#stopAt;
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

function charactersOf(item: SourceRecord['item']): number {
  return item.kind === 'linha' ? item.linha.length + item.raw.size : (item.text?.length ?? 0);
}

function batchOf(entries: readonly SourceRecord[], last: LastDays): LineBatch {
  const lines: string[] = [];
  const cut: number[] = [];
  for (const { item } of entries) {
    if (item.kind === 'reject') continue;
    if (item.isTextoCut) cut.push(lines.length);
    lines.push(item.linha);
  }
  return { lines, cut, last };
}
