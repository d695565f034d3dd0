import type Database from 'better-sqlite3';
import { hasBlock, rowOver, withRow, type Entry, type Single } from '../format/terms.ts';
import { partOf } from '../format/posting-row.ts';
import { skipPositions } from '../format/positions.ts';
import { NOTHING, sparseRow } from '../format/posting-list.ts';
import { BLOCK_SIZE, TERMS_MAX } from '../format/schema.ts';
import { SEAL_BYTES } from '../format/seal.ts';
import { wordsOf, type NewTexts, type DocumentPostings } from './inverter.ts';
import { TermsWriter } from './terms-writer.ts';
import { TermIdMap, inOrder } from './term-id-map.ts';
import { PostingBuffer, type Groups } from './posting-buffer.ts';
import { PostingStore, type Added, type ListPart } from './posting-store.ts';

/** What a list has in a block. */
type Held =
  | { readonly kind: 'a row' }
  | { readonly kind: 'a row to come'; readonly content: Uint8Array }
  | { readonly kind: 'in dictionary' };

const NEW_ROW: Held = { kind: 'a row to come', content: NOTHING };

/**
 * Writes posting lists, positions and the term dictionary. New decisions stay in memory until `flush` appends them to
 * their lists, once a transaction. So a common word's list is written once, and not once for each decision.
 */
export class PostingWriter {
  readonly #terms = new TermIdMap();
  readonly #dictionary: TermsWriter;
  readonly #store: PostingStore;
  readonly #buffer = new PostingBuffer();
  /** The id given last. */
  lastTermId = 0;

  constructor(db: Database.Database) {
    this.#dictionary = new TermsWriter(db);
    this.#store = new PostingStore(db);
  }

  /** Takes the words that the numbers in the next postings stand for. */
  addTerms(texts: NewTexts & { readonly restarts: boolean }): void {
    // The buffer has the old numbers.
    if (texts.restarts) this.flush();
    this.#terms.addTerms(texts);
  }

  /** Adds a decision. Its number is above all others. */
  append(docId: number, weights: DocumentPostings): void {
    const block = Math.floor(docId / BLOCK_SIZE);
    if (block !== this.#buffer.block) this.flush();
    this.#buffer.block = block;
    this.#buffer.add(docId % BLOCK_SIZE, weights);
  }

  /** Writes the decisions that `append` has added. Call it before the transaction commits. */
  flush(): void {
    if (this.#buffer.size === 0) return;
    const { block } = this.#buffer;
    const groups = this.#buffer.take();
    const held = this.#enter(block, groups);
    // In the order of the rows: neighbours lie on the same page.
    const numbers = groups.numbers.toSorted((a, b) => this.#terms.idOf(a) - this.#terms.idOf(b));
    for (const number of numbers) {
      const before = held.get(number) ?? { kind: 'a row' };
      if (before.kind === 'in dictionary') continue;
      const part = { termId: this.#terms.idOf(number), block, row: block };
      this.#store.append(part, before.kind === 'a row' ? null : before.content, addedOf(groups, number));
    }
  }

  /** Puts a decision's new words in the place of its old ones. The buffer must be empty. */
  replace(docId: number, old: readonly string[], { lists, impacts, positions }: DocumentPostings): void {
    const postings = new Map<string, { impact: number; positions: Uint8Array } | null>();
    for (const word of old) postings.set(word, null);
    let from = 0;
    for (const [at, number] of lists.entries()) {
      const end = skipPositions(positions, from, 1);
      const posting = { impact: impacts[at] ?? 0, positions: positions.subarray(from, end) };
      postings.set(this.#terms.textOf(number), posting);
      from = end;
    }
    const block = Math.floor(docId / BLOCK_SIZE);
    for (const [name, part] of this.#enterRows(block, [...postings.keys()])) {
      this.#store.edit(part, docId % BLOCK_SIZE, postings.get(name) ?? null);
    }
  }

  /** The words of a decision at hand, with their impacts. */
  wordsOf(postings: DocumentPostings): [string, number][] {
    return wordsOf(postings, (number) => this.#terms.textOf(number));
  }

  /** Forgets the decisions of a transaction that was rolled back. */
  reset(): void {
    this.#buffer.clear();
    this.#terms.forgetIds();
  }

  /**
   * Puts into the dictionary which lists have rows in the block from now on, and those of one decision altogether.
   * @returns what each of them holds, of all those not known to have a row before.
   */
  #enter(block: number, groups: Groups): Map<number, Held> {
    const held = new Map<number, Held>();
    const unknown = [...groups.numbers].filter((number) => !this.#terms.isIn(number, block));
    const entered = inOrder(unknown, (number) => this.#terms.textOf(number));
    this.#dictionary.change(
      entered.map(({ bytes }) => bytes),
      (at, found) => {
        const number = entered[at]?.of ?? 0;
        const entry = found ?? this.#newEntry();
        this.#terms.setId(number, entry.id);
        const added = addedOf(groups, number);
        if (found === null && added.to - added.from === 1) {
          held.set(number, { kind: 'in dictionary' });
          return { ...entry, single: singleOf(block, added) };
        }
        this.#terms.setIn(number, block);
        const after = this.#withRow(entry, block);
        held.set(number, after.held);
        return after.entry;
      },
    );
    return held;
  }

  /** Gives every list a row that goes over the block. @returns where in the lists the block is, by name. */
  #enterRows(block: number, names: readonly string[]): Map<string, ListPart> {
    const parts = new Map<string, ListPart>();
    const entered = inOrder(names, (name) => name);
    this.#dictionary.change(
      entered.map(({ bytes }) => bytes),
      (at, found) => {
        const name = entered[at]?.of ?? '';
        const entry = found ?? this.#newEntry();
        const after = this.#withRow(entry, block);
        const part = { termId: entry.id, block, row: rowOver(after.entry ?? entry, block) };
        parts.set(name, part);
        if (after.held.kind === 'a row to come') this.#store.append(part, after.held.content, NONE_ADDED);
        return after.entry;
      },
    );
    return parts;
  }

  /** @returns the entry of a list that is to have a row over a block, null if it is as before, and what it holds there. */
  #withRow(found: Entry, block: number): { entry: Entry | null; held: Held } {
    const { id, rows, single } = found;
    if (single === null) {
      if (hasBlock(found, block)) return { entry: null, held: { kind: 'a row' } };
      return { entry: { id, rows: withRow(this.#joinRows(id, rows, block), block), single }, held: NEW_ROW };
    }
    // The one decision that the dictionary had gets a row where it is.
    const at = Math.floor(single.docId / BLOCK_SIZE);
    const row = addedOfSingle(single);
    if (at === block) {
      return {
        entry: { id, rows: [block, 1], single: null },
        held: { kind: 'a row to come', content: contentOf(block, row) },
      };
    }
    this.#store.append({ termId: id, block: at, row: at }, NOTHING, row);
    return { entry: { id, rows: withRow([at, 1], block), single: null }, held: NEW_ROW };
  }

  /**
   * Joins the last rows of a list before it gets one of a later block. Only then, so that what a load appends to stands
   * together in the file, and a row only with one not much shorter, so that no posting is written again and again.
   */
  #joinRows(id: number, rows: readonly number[], block: number): readonly number[] {
    let joined = rows;
    for (;;) {
      const [first = 0, firstLength = 0, second = 0, secondLength = 0] = joined.slice(-4);
      const isOne = joined.length < 4 || block < second || firstLength > JOIN_RATIO * secondLength;
      if (isOne || !this.#store.join(id, first, second)) return joined;
      joined = [...joined.slice(0, -4), first, second + secondLength - first];
    }
  }

  #newEntry(): Entry {
    this.lastTermId += 1;
    if (this.lastTermId >= TERMS_MAX) throw new Error(`a base holds at most ${TERMS_MAX - 1} words`);
    return { id: this.lastTermId, rows: [], single: null };
  }
}

/** How many times as many blocks the longer of two rows may go over. */
const JOIN_RATIO = 3;

const NONE_ADDED: Added = {
  offsets: new Uint16Array(0),
  impacts: NOTHING,
  positions: NOTHING,
  from: 0,
  to: 0,
};

function addedOf({ starts, offsets, impacts, positions, positionStarts }: Groups, number: number): Added {
  return {
    offsets,
    impacts,
    from: starts[number] ?? 0,
    to: starts[number + 1] ?? 0,
    positions: positions.subarray(positionStarts[number], positionStarts[number + 1]),
  };
}

function singleOf(block: number, { offsets, impacts, from, positions }: Added): Single {
  return { docId: block * BLOCK_SIZE + (offsets[from] ?? 0), impact: impacts[from] ?? 0, positions };
}

function addedOfSingle({ docId, impact, positions }: Single): Added {
  const offsets = Uint16Array.of(docId % BLOCK_SIZE);
  return { offsets, impacts: Uint8Array.of(impact), positions, from: 0, to: 1 };
}

/** What the part of a block would hold. */
function contentOf(block: number, added: Added): Uint8Array {
  const row = sparseRow(block, NOTHING, added, [added.positions, NOTHING]);
  return partOf(row.subarray(0, -SEAL_BYTES), block) ?? NOTHING;
}
