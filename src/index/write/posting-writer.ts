import type Database from 'better-sqlite3';
import { rowOver, withRow, type Entry } from '../format/terms.ts';
import { findStarts, skipPositions } from '../format/positions.ts';
import { NOTHING } from '../format/posting-list.ts';
import { BLOCK_SIZE, TERMS_MAX } from '../format/schema.ts';
import { ByteWriter } from '../format/bytes.ts';
import type { IndexedField } from '../format/bm25f.ts';
import type { DocumentPostings } from './inverter.ts';
import type { RecordBatch } from './record-batch.ts';
import { TermsWriter } from './terms-writer.ts';
import { TermIdMap, inOrder } from './term-id-map.ts';
import { PostingBuffer, type Groups } from './posting-buffer.ts';
import { PostingStore, blockIn, type Changes } from './posting-store.ts';

/** What becomes of a list. */
interface Touched {
  readonly changes: Changes;
  /** Its rows from now on, and the first blocks of those that are to come. */
  readonly rows: readonly number[];
  readonly coming: readonly number[];
}

/** Stands for the positions of a decision that is taken out of a list. */
const NO_POSITIONS = 1;

/**
 * Writes posting lists, positions and the term dictionary. New and replaced decisions stay in memory until `flush`, once a
 * transaction: so a common word's list is written once, and not once for each decision.
 */
export class PostingWriter {
  readonly #terms = new TermIdMap();
  readonly #dictionary: TermsWriter;
  readonly #store: PostingStore;
  readonly #buffer = new PostingBuffer();
  readonly #coming = new ByteWriter(1 << 12);
  /** Of the decision appended last. */
  #block = 0;
  /** Whether the buffer has replaced decisions. Without any, all in it comes after what the lists have, in one block. */
  #hasReplaced = false;
  /** The id given last. */
  lastTermId = 0;

  constructor(db: Database.Database) {
    this.#dictionary = new TermsWriter(db);
    this.#store = new PostingStore(db);
  }

  /** What waits in memory, in bytes. */
  get bytesHeld(): number {
    return this.#buffer.bytes;
  }

  /** Takes the words that the numbers in the next postings stand for. */
  addTerms(texts: RecordBatch['texts']): void {
    if (texts.restarts) {
      // The buffer has the old numbers.
      this.flush();
      this.#terms.restart(true);
    }
    this.#terms.addTerms(texts);
  }

  /** Adds a decision. Its number is above all others. */
  append(docId: number, { lists, impacts, positions }: DocumentPostings): void {
    const block = Math.floor(docId / BLOCK_SIZE);
    if (block !== this.#block) this.flush();
    this.#block = block;
    this.#buffer.add(docId, this.#terms.numbersOf(lists), impacts, positions);
  }

  /** What a stored decision has in the lists, for `replace`. */
  invert(indexed: Readonly<Record<IndexedField, string>>): DocumentPostings {
    return this.#terms.inverter.invert(indexed);
  }

  /** The same of its words alone: where they stand is not known. */
  postingsOf(words: ReadonlyMap<string, number>): DocumentPostings {
    const lists = Uint32Array.from(words.keys(), (word) => this.#terms.inverter.numberOf(word));
    return { lists, impacts: Uint8Array.from(words.values()), positions: NOTHING };
  }

  /** Puts a decision's new postings in the place of its old ones. What is in both stays as it is. */
  replace(docId: number, old: DocumentPostings, { lists, impacts, positions }: DocumentPostings): void {
    const numbers = this.#terms.numbersOf(lists);
    const starts = startsOf(lists, positions);
    const oldStarts = startsOf(old.lists, old.positions);
    const places = new Map<number, number>();
    for (let at = 0; at < old.lists.length; at += 1) places.set(old.lists[at] ?? 0, at);
    const changed = new Uint32Array(lists.length + old.lists.length);
    const weights = new Uint8Array(changed.length);
    const coming = this.#coming;
    coming.clear();
    let count = 0;
    for (let at = 0; at < lists.length; at += 1) {
      const number = numbers[at] ?? 0;
      const place = places.get(number);
      const [start = 0, end = 0] = [starts[at], starts[at + 1]];
      if (place !== undefined) {
        places.delete(number);
        const from = oldStarts[place] ?? 0;
        const isSame = old.impacts[place] === impacts[at];
        const length = (oldStarts[place + 1] ?? 0) - from;
        if (isSame && holds(old.positions, from, length, positions, start, end)) continue;
      }
      changed[count] = number;
      weights[count] = impacts[at] ?? 0;
      count += 1;
      coming.copy(positions, start, end);
    }
    for (const number of places.keys()) {
      changed[count] = number;
      count += 1;
      coming.byte(NO_POSITIONS);
    }
    this.#hasReplaced = true;
    const bytes = coming.bytes.subarray(0, coming.length);
    this.#buffer.add(docId, changed.subarray(0, count), weights.subarray(0, count), bytes);
  }

  /** Writes what `append` and `replace` have added. Call it before the transaction commits. */
  flush(): void {
    if (this.#buffer.isEmpty) return;
    const groups = this.#buffer.take(this.#terms.inverter.size);
    const touched = this.#enter(groups);
    // In the order of the rows: neighbours lie on the same page.
    const order = Float64Array.from(
      groups.numbers,
      (number) => this.#terms.idOf(number) * IDS_APART + number,
    );
    for (const key of order.toSorted()) {
      const number = key % IDS_APART;
      const list = touched.get(number);
      const part = { termId: this.#terms.idOf(number), block: this.#block };
      if (list === undefined) this.#store.append(part, false, changesOf(groups, number));
      else this.#write(part.termId, list);
    }
    this.#hasReplaced = false;
    if (this.#terms.isFull) this.#terms.restart(false);
  }

  /** The words of a decision at hand, or of one that `invert` gave, with their impacts. */
  wordsOf({ lists, impacts }: DocumentPostings, isOld = false): [string, number][] {
    const numbers = isOld ? lists : this.#terms.numbersOf(lists);
    return Array.from(numbers, (number, at) => [this.#terms.textOf(number), impacts[at] ?? 0]);
  }

  /** Forgets the decisions of a transaction that was rolled back. */
  reset(): void {
    this.#buffer.clear();
    this.#hasReplaced = false;
    this.#terms.forgetIds();
  }

  #write(termId: number, { changes, rows, coming }: Touched): void {
    let rest = changes;
    while (rest.from < rest.to) {
      const block = blockIn(rest.docIds, rest.from);
      const row = rowOver({ rows }, block);
      let end = block + 1;
      for (let at = 0; at < rows.length; at += 2) if (rows[at] === row) end = row + (rows[at + 1] ?? 0);
      const [here, after] = partedAt(rest, end * BLOCK_SIZE);
      const isNew = coming.includes(row);
      if (!this.#hasReplaced) this.#store.append({ termId, block }, isNew, here);
      // A block over which no row goes has only what would be taken out.
      else if (row >= 0) this.#store.change(termId, row, isNew, here);
      rest = after;
    }
  }

  /**
   * Puts into the dictionary which rows the lists have from now on, and those of one decision altogether.
   * @returns what becomes of the lists by number, of all those not known to have a row for what is appended to them.
   */
  #enter(groups: Groups): Map<number, Touched> {
    const touched = new Map<number, Touched>();
    const isKnown = (number: number) => !this.#hasReplaced && this.#terms.isIn(number, this.#block);
    const unknown = [...groups.numbers].filter((number) => !isKnown(number));
    const entered = inOrder(unknown, (number) => this.#terms.textOf(number));
    this.#dictionary.change(
      entered.map(({ bytes }) => bytes),
      (at, found) => {
        const number = entered[at]?.number ?? 0;
        const changes = changesOf(groups, number);
        const after = this.#entryAfter(found, this.#hasReplaced ? settled(changes) : changes);
        touched.set(number, after);
        const id = after.entry?.id ?? found?.id ?? 0;
        this.#terms.set(number, id, rowOver(after, this.#block) < 0 ? -1 : this.#block);
        return after.entry;
      },
    );
    return touched;
  }

  /** @returns also the entry of a list after its changes; null where it is as before. */
  #entryAfter(found: Entry | null, coming: Changes): Touched & { entry: Entry | null } {
    const changes = found?.single == null ? coming : withSingle(coming, found.single);
    const before = found?.rows ?? [];
    const isNew = before.length === 0;
    const { count, blocks, last } = presentIn(changes);
    if (isNew && (count === 1 || (count === 0 && found === null))) {
      const single = singleAt(changes, last);
      const entry = count === 0 ? null : { id: found?.id ?? this.#newId(), rows: [], single };
      return { entry, changes: { ...changes, to: changes.from }, rows: [], coming: [] };
    }
    const id = found?.id ?? this.#newId();
    let rows = before;
    const added: number[] = [];
    // A list of which nothing is left still has a row.
    for (const block of isNew && count === 0 ? [blockIn(changes.docIds, changes.from)] : blocks) {
      if (rowOver({ rows }, block) >= 0) continue;
      rows = withRow(this.#joinRows(id, rows, block, added), block);
      added.push(block);
    }
    return { entry: added.length > 0 ? { id, rows, single: null } : null, changes, rows, coming: added };
  }

  /**
   * Joins the last rows of a list before it gets one of a later block. Only then, so that what a load appends to stands
   * together in the file, and a row only with one not much shorter, so that no posting is written again and again.
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

/** How many times as many blocks the longer of two rows may go over. */
const JOIN_RATIO = 3;
/** Above all numbers of terms in a load. */
const IDS_APART = 2 ** 24;

function startsOf(lists: Uint32Array, positions: Uint8Array): Uint32Array {
  const starts = new Uint32Array(lists.length + 1);
  if (positions.length > 0) findStarts(positions, 0, lists.length, starts);
  return starts;
}

/** Whether some bytes are the same as others from one place up to another. */
function holds(
  bytes: Uint8Array,
  from: number,
  length: number,
  others: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (length !== end - start) return false;
  for (let at = 0; at < length; at += 1) if (bytes[from + at] !== others[start + at]) return false;
  return true;
}

function changesOf({ starts, docIds, impacts, positions, positionStarts }: Groups, number: number): Changes {
  return {
    docIds,
    impacts,
    from: starts[number] ?? 0,
    to: starts[number + 1] ?? 0,
    positions: positions.subarray(positionStarts[number], positionStarts[number + 1]),
  };
}

/** Of the changes of one decision only the last counts. */
function settled(changes: Changes): Changes {
  const { docIds, from, to } = changes;
  const kept: number[] = [];
  for (let at = from; at < to; at += 1) if (at + 1 === to || docIds[at + 1] !== docIds[at]) kept.push(at);
  return kept.length === to - from ? changes : picked(changes, kept);
}

function picked({ docIds, impacts, positions, from, to }: Changes, kept: readonly number[]): Changes {
  const starts = new Uint32Array(to - from + 1);
  findStarts(positions, 0, to - from, starts);
  const bytes = kept.map((at) => positions.subarray(starts[at - from], starts[at - from + 1]));
  return {
    docIds: Uint32Array.from(kept, (at) => docIds[at] ?? 0),
    impacts: Uint8Array.from(kept, (at) => impacts[at] ?? 0),
    positions: Buffer.concat(bytes),
    from: 0,
    to: kept.length,
  };
}

/** The changes that come before a doc id, and the others. */
function partedAt(changes: Changes, docId: number): [Changes, Changes] {
  const { docIds, positions, from, to } = changes;
  let at = from;
  while (at < to && (docIds[at] ?? 0) < docId) at += 1;
  if (at === to) return [changes, { ...changes, from: to }];
  const end = skipPositions(positions, 0, at - from);
  return [
    { ...changes, to: at, positions: positions.subarray(0, end) },
    { ...changes, from: at, positions: positions.subarray(end) },
  ];
}

/** How many do not take a decision out, in which blocks they are, and the place of the last. */
function presentIn({ docIds, impacts, from, to }: Changes): {
  count: number;
  blocks: number[];
  last: number;
} {
  const blocks: number[] = [];
  let count = 0;
  let last = from;
  for (let at = from; at < to; at += 1) {
    if (impacts[at] === 0) continue;
    count += 1;
    last = at;
    const block = blockIn(docIds, at);
    if (block !== blocks.at(-1)) blocks.push(block);
  }
  return { count, blocks, last };
}

function singleAt(changes: Changes, place: number): NonNullable<Entry['single']> {
  const { docIds, impacts, positions } = picked(changes, [place]);
  return { docId: docIds[0] ?? 0, impact: impacts[0] ?? 0, positions };
}

/** Puts the one decision of a list among its changes, unless it is there. */
function withSingle(changes: Changes, { docId, impact, positions }: NonNullable<Entry['single']>): Changes {
  const [before, after] = partedAt(changes, docId);
  if (after.from < after.to && after.docIds[after.from] === docId) return changes;
  const [first, last] = [before, after].map(({ docIds, from, to }) => docIds.subarray(from, to));
  const [lighter, heavier] = [before, after].map(({ impacts, from, to }) => impacts.subarray(from, to));
  return {
    docIds: Uint32Array.of(...(first ?? []), docId, ...(last ?? [])),
    impacts: Uint8Array.of(...(lighter ?? []), impact, ...(heavier ?? [])),
    positions: Buffer.concat([
      before.positions,
      positions,
      after.from < after.to ? after.positions : NOTHING,
    ]),
    from: 0,
    to: changes.to - changes.from + 1,
  };
}
