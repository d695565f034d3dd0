import { lastDays, type LastDays } from './dates.ts';
import type { Canonical, Formato } from './formats/format.ts';
import type { IsOutdated } from './latest.ts';
import type { Notes } from './notes.ts';
import type { LineBatch } from './prepare.ts';
import type { Prepared, PreparedBatch } from '../index/write/prepared.ts';
import type { RejectsFile } from './rejects.ts';

/** Where decisions go: a base, or the tally of a dry run. */
export interface Sink {
  learn(texts: PreparedBatch['texts']): void;
  write(decisao: Prepared): unknown;
  /** Gives the decision under a key of an earlier version the one that it has now. */
  rename(decisao: Pick<Prepared, 'tribunal' | 'chave'>, formerChave: string): void;
  commit(): void;
  commitIfOld(): void;
}

export interface BatchOptions {
  readonly writer: Sink;
  /** Gives what is stored of each line, a batch at a time and in their order. */
  readonly prepare: (batch: LineBatch) => Promise<PreparedBatch>;
  readonly rejects: RejectsFile;
  /** The clock, for the dates that can be true. */
  readonly now: () => Date;
  /** Asked when a decision is about to be written, of those whose format says when it was changed. */
  readonly isOutdated?: IsOutdated;
  readonly notes?: Notes;
}

/** A record on its way, with where it came from. */
export interface Entry {
  readonly file: string;
  readonly place: number | string;
  readonly format: Formato;
  readonly item: Canonical | Rejected;
}

interface Rejected {
  readonly kind: 'reject';
  readonly reason: string;
  readonly text: string | null;
}

const BATCH_LINES_MAX = 64;
const BATCH_CHARACTERS_MAX = 1 << 20;
/**
 * Characters that may be on their way: enough for the preparing thread to go on while a transaction is ended, which takes
 * about a fifth of the time of writing it.
 */
const AHEAD_CHARACTERS_MAX = 8 << 20;
/** About what a record takes beside its text, as characters: a file of empty lines has its bound too. */
const RECORD_CHARACTERS = 500;

/** Records on their way into the base: gathered, prepared ahead, and written or rejected in their order. */
export class Batches {
  readonly #options: BatchOptions;
  #gathered: Entry[] = [];
  #characters = 0;
  /** Of all batches in `#sent`. */
  #charactersSent = 0;
  /** Each settles when its batch, and all before it, have been written, and never fails; the oldest first. */
  readonly #sent: Promise<void>[] = [];
  /** What went wrong first: nothing is written after it. */
  #failure: { readonly error: unknown } | null = null;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  async add(entry: Entry): Promise<void> {
    this.#gathered.push(entry);
    this.#characters += RECORD_CHARACTERS + charactersOf(entry.item);
    if (this.#gathered.length >= BATCH_LINES_MAX || this.#characters >= BATCH_CHARACTERS_MAX) this.#send();
    while (this.#charactersSent > AHEAD_CHARACTERS_MAX) await this.#sent[0];
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
    const entries = this.#gathered;
    const characters = this.#characters;
    this.#gathered = [];
    this.#characters = 0;
    this.#charactersSent += characters;
    const before = this.#sent.at(-1);
    const prepared = this.#options.prepare(batchOf(entries, lastDays(this.#options.now())));
    this.#sent.push(this.#writeAfter(before, entries, prepared, characters));
  }

  async #writeAfter(
    before: Promise<void> | undefined,
    entries: readonly Entry[],
    prepared: Promise<PreparedBatch>,
    characters: number,
  ): Promise<void> {
    // Both are waited for at once: a failure of this one must not go unheard while the other takes its time.
    const [batch] = await Promise.allSettled([prepared, before]);
    this.#try(() => {
      if (batch.status === 'rejected') throw batch.reason;
      this.#write(entries, batch.value);
    });
    void this.#sent.shift();
    this.#charactersSent -= characters;
  }

  #write(entries: readonly Entry[], { items, texts }: PreparedBatch): void {
    const { writer, rejects } = this.#options;
    writer.learn(texts);
    let at = 0;
    for (const entry of entries) {
      const { file, place, item } = entry;
      if (item.kind === 'reject') {
        rejects.add({ file, place, reason: item.reason, text: item.text });
        continue;
      }
      const prepared = items[at];
      at += 1;
      if (prepared === undefined) throw new Error('a batch came back with fewer lines');
      if (typeof prepared === 'string')
        rejects.add({ file, place, reason: prepared, text: item.came.text() });
      else this.#take(prepared, item, entry.format);
    }
  }

  #take(decisao: Prepared, { extras, formerChave }: Canonical, format: Formato): void {
    const { writer, isOutdated, notes } = this.#options;
    if (formerChave !== null) writer.rename(decisao, formerChave);
    const changedAt = extras === null ? null : format.changedAt(extras);
    if (changedAt !== null && isOutdated?.(decisao, changedAt, format) === true) notes?.outdated();
    else writer.write(decisao);
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

function charactersOf(item: Canonical | Rejected): number {
  return item.kind === 'linha' ? item.linha.length + item.came.size : (item.text?.length ?? 0);
}

function batchOf(entries: readonly Entry[], last: LastDays): LineBatch {
  const lines: string[] = [];
  const cut: number[] = [];
  for (const { item } of entries) {
    if (item.kind === 'reject') continue;
    if (item.isTextoCut) cut.push(lines.length);
    lines.push(item.linha);
  }
  return { lines, cut, last };
}
