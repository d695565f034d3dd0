import type Database from 'better-sqlite3';
import { bug } from '../../bug.ts';
import { elementAt } from '../format/element-at.ts';
import { rowOver, withRow, type TermEntry } from '../format/terms.ts';
import { findStarts } from '../format/positions.ts';
import { NO_BYTES } from '../format/posting-list.ts';
import { BLOCK_SIZE, TERMS_MAX } from '../format/schema.ts';
import { ByteWriter } from '../format/bytes.ts';
import {
  blockIn,
  changesOf,
  partedAt,
  presentIn,
  settled,
  singleAt,
  withSingle,
  type Changes,
} from './changes.ts';
import type { DocumentPostings, IndexedTexts } from './inverter.ts';
import type { RecordBatch } from './record-batch.ts';
import { TermsWriter, type Change } from './terms-writer.ts';
import { TermIdMap, inOrder } from './term-id-map.ts';
import { PostingBuffer, type Groups } from './posting-buffer.ts';
import { PostingStore } from './posting-store.ts';

/** A list's changes. */
interface Touched {
  readonly changes: Changes;
  /** The list's rows from now on, and the first blocks of new rows. */
  readonly rows: readonly number[];
  readonly coming: readonly number[];
}

/** The positions of a decision removed from a list. */
const NO_POSITIONS = 1;
/** Those of a withdrawn decision. */
export const NO_POSTINGS: DocumentPostings = {
  lists: new Uint32Array(0),
  impacts: NO_BYTES,
  positions: NO_BYTES,
};

/** Writes posting lists, positions and the term dictionary. Decisions are in memory until `flush`; it writes each list once. */
export class PostingWriter {
  readonly #terms = new TermIdMap();
  readonly #dictionary: TermsWriter;
  readonly #store: PostingStore;
  readonly #buffer = new PostingBuffer();
  readonly #coming = new ByteWriter(1 << 12);
  /** The last appended decision's block. */
  #block = 0;
  /** Whether the buffer has replaced decisions. If not, all postings are appended to the same block. */
  #hasReplaced = false;
  lastTermId = 0;
  /** Terms removed with the last decision that held them. */
  removedTerms = 0;

  constructor(db: Database.Database) {
    this.#dictionary = new TermsWriter(db);
    this.#store = new PostingStore(db);
  }

  /** Bytes in memory. */
  get bytesHeld(): number {
    return this.#buffer.bytes;
  }

  /** Adds the words for the numbers in the next postings. */
  addTerms(texts: RecordBatch['texts']): void {
    if (texts.restarts) {
      // The buffer has old numbers.
      this.flush();
      this.#terms.restart(true);
    }
    this.#terms.addTerms(texts);
  }

  /** Adds a decision with the highest doc id. */
  append(docId: number, { lists, impacts, positions }: DocumentPostings): void {
    const block = Math.floor(docId / BLOCK_SIZE);
    if (block !== this.#block) this.flush();
    this.#block = block;
    this.#buffer.add(docId, this.#terms.numbersOf(lists), impacts, positions);
  }

  /** A stored decision's postings, for `replace`. */
  invert(indexed: IndexedTexts): DocumentPostings {
    return this.#terms.inverter.invert(indexed);
  }

  /** The same from the decision's words, without positions. */
  postingsOf(words: ReadonlyMap<string, number>): DocumentPostings {
    const lists = Uint32Array.from(words.keys(), (word) => this.#terms.inverter.numberOf(word));
    return { lists, impacts: Uint8Array.from(words.values()), positions: NO_BYTES };
  }

  /** Replaces a decision's old postings; equal postings are left alone. */
  replace(docId: number, old: DocumentPostings, { lists, impacts, positions }: DocumentPostings): void {
    const numbers = this.#terms.numbersOf(lists);
    const starts = startsOf(lists, positions);
    const oldStarts = startsOf(old.lists, old.positions);
    const oldRanks = new Map<number, number>();
    for (const [at, list] of old.lists.entries()) oldRanks.set(list, at);
    const changed = new Uint32Array(lists.length + old.lists.length);
    const changedImpacts = new Uint8Array(changed.length);
    const coming = this.#coming;
    coming.clear();
    let count = 0;
    for (const [at, number] of numbers.entries()) {
      const rank = oldRanks.get(number);
      const [start, end] = [starts[at] ?? bug('no start'), starts[at + 1] ?? bug('no end')];
      if (rank !== undefined) {
        oldRanks.delete(number);
        const before = old.positions.subarray(oldStarts[rank], oldStarts[rank + 1]);
        const isSame = old.impacts[rank] === impacts[at];
        if (isSame && Buffer.compare(before, positions.subarray(start, end)) === 0) continue;
      }
      changed[count] = number;
      changedImpacts[count] = impacts[at] ?? bug('no impact');
      count += 1;
      coming.copy(positions, start, end);
    }
    for (const number of oldRanks.keys()) {
      changed[count] = number;
      count += 1;
      coming.byte(NO_POSITIONS);
    }
    this.#hasReplaced = true;
    const bytes = coming.bytes.subarray(0, coming.length);
    this.#buffer.add(docId, changed.subarray(0, count), changedImpacts.subarray(0, count), bytes);
  }

  /** Call it before the transaction commits. */
  flush(): void {
    if (this.#buffer.isEmpty) return;
    const groups = this.#buffer.take(this.#terms.inverter.size);
    const touched = this.#enter(groups);
    // In row order, because neighbours are on the same page.
    const order = Float64Array.from(
      groups.numbers,
      (number) => this.#terms.idOf(number) * IDS_APART + number,
    );
    const emptied: number[] = [];
    for (const key of order.toSorted()) {
      const number = key % IDS_APART;
      const known = { rows: [this.#block, 1], coming: [] };
      const list = touched.get(number) ?? { ...known, changes: changesOf(groups, number) };
      if (this.#write(this.#terms.idOf(number), list)) emptied.push(number);
    }
    this.#remove(emptied);
    this.#hasReplaced = false;
    if (this.#terms.isFull) this.#terms.restart(false);
  }

  /** The words and impacts of a new decision, or of a decision from `invert` (`isOld`). */
  wordsOf({ lists, impacts }: DocumentPostings, isOld = false): [string, number][] {
    const numbers = isOld ? lists : this.#terms.numbersOf(lists);
    return Array.from(numbers, (number, at) => [this.#terms.term(number), impacts[at] ?? bug('no impact')]);
  }

  /** Call it after a rollback. */
  reset(): void {
    this.#buffer.clear();
    this.#hasReplaced = false;
    this.#terms.forgetIds();
  }

  /** @returns whether nothing is left of the list. */
  #write(termId: number, { changes, rows, coming }: Touched): boolean {
    const emptied: number[] = [];
    let hasAny = rows.length === 0;
    let rest = changes;
    while (rest.from < rest.to) {
      const block = blockIn(rest.docIds, rest.from);
      const row = rowOver(rows, block);
      let end = block + 1;
      for (let at = 0; at < rows.length; at += 2) if (rows[at] === row) end = row + elementAt(rows, at + 1);
      const [here, after] = partedAt(rest, end * BLOCK_SIZE);
      // A block without a row has only removals.
      if (row >= 0 && this.#store.change(termId, row, coming.includes(row), here)) hasAny = true;
      else emptied.push(row);
      rest = after;
    }
    const isEmpty = (row: number) => emptied.includes(row) || !this.#store.hasAny(termId, row);
    return !hasAny && rows.every((row, at) => at % 2 === 1 || isEmpty(row));
  }

  /** Removes terms whose lists have no decision any more. */
  #remove(emptied: readonly number[]): void {
    const terms = inOrder(emptied, (number) => this.#terms.term(number));
    this.#dictionary.change(
      terms.map(({ bytes }) => bytes),
      (at, found) => {
        if (found?.kind === 'list') this.#store.remove(found.id, found.rows);
        this.#terms.set((terms[at] ?? bug('no term')).number, 0, -1);
        this.removedTerms += 1;
        return 'removed';
      },
    );
  }

  /**
   * Enters new list rows into the dictionary, and lists with a single decision.
   * @returns changes by list number, except for lists known to have a row to append to.
   */
  #enter(groups: Groups): Map<number, Touched> {
    const touched = new Map<number, Touched>();
    const isKnown = (number: number) => !this.#hasReplaced && this.#terms.isIn(number, this.#block);
    const unknown = [...groups.numbers].filter((number) => !isKnown(number));
    const entered = inOrder(unknown, (number) => this.#terms.term(number));
    this.#dictionary.change(
      entered.map(({ bytes }) => bytes),
      (at, found) => {
        const number = (entered[at] ?? bug('no term')).number;
        const changes = changesOf(groups, number);
        const after = this.#entryAfter(found, this.#hasReplaced ? settled(changes) : changes);
        touched.set(number, after);
        if (after.entry === 'removed') this.removedTerms += 1;
        const id = (after.entry === 'removed' ? null : after.entry)?.id ?? found?.id ?? 0;
        const isIn = after.entry !== 'removed' && rowOver(after.rows, this.#block) >= 0;
        this.#terms.set(number, id, isIn ? this.#block : -1);
        return after.entry;
      },
    );
    return touched;
  }

  /** @returns also the list's entry after the changes; null if unchanged. */
  #entryAfter(found: TermEntry | null, coming: Changes): Touched & { entry: ReturnType<Change> } {
    const changes = found?.kind === 'single' ? withSingle(coming, found) : coming;
    const before = found?.kind === 'list' ? found.rows : [];
    const isNew = before.length === 0;
    const { count, blocks, last } = presentIn(changes);
    const inEntry = { changes: { ...changes, to: changes.from }, rows: [], coming: [] };
    if (isNew && count === 0) return { ...inEntry, entry: found === null ? null : 'removed' };
    if (isNew && count === 1)
      return { ...inEntry, entry: singleAt(changes, last, found?.id ?? this.#newId()) };
    const id = found?.id ?? this.#newId();
    let rows = before;
    const added: number[] = [];
    for (const block of blocks) {
      if (rowOver(rows, block) >= 0) continue;
      rows = withRow(this.#joinRows(id, rows, block, added), block);
      added.push(block);
    }
    return { entry: added.length > 0 ? { kind: 'list', id, rows } : null, changes, rows, coming: added };
  }

  /**
   * Joins a list's last rows before it gets a row for a later block. Not earlier, so that the rows to which a load appends are
   * neighbours in the file; and only rows of similar length, so that no posting is rewritten many times.
   */
  #joinRows(
    id: number,
    rows: readonly number[],
    block: number,
    coming: readonly number[],
  ): readonly number[] {
    let joined = rows;
    for (;;) {
      const [first = 0, firstLength = 0, second = 0, secondLength = 0] = joined.slice(-4);
      const isOne = joined.length < 4 || block < second || firstLength > JOIN_RATIO * secondLength;
      const isComing = coming.includes(first) || coming.includes(second);
      if (isOne || isComing || !this.#store.join(id, first, second)) return joined;
      joined = [...joined.slice(0, -4), first, second + secondLength - first];
    }
  }

  #newId(): number {
    this.lastTermId += 1;
    if (this.lastTermId >= TERMS_MAX) throw new Error(`a base holds at most ${TERMS_MAX - 1} words`);
    return this.lastTermId;
  }
}

/** The longer of two joined rows may have this many times the blocks of the other. */
const JOIN_RATIO = 3;
/** Above all term numbers of a load. */
const IDS_APART = 2 ** 24;

function startsOf(lists: Uint32Array, positions: Uint8Array): Uint32Array {
  const starts = new Uint32Array(lists.length + 1);
  if (positions.length > 0) findStarts(positions, 0, lists.length, starts);
  return starts;
}
