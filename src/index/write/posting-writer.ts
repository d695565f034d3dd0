import type Database from 'better-sqlite3';
import { hasBlock, withBlock, type Entry, type Single } from '../format/lexicon.ts';
import { skipPlaces } from '../format/places.ts';
import { NOTHING, sparseRow } from '../format/posting-list.ts';
import { BLOCK_SIZE, LISTS_MAX } from '../format/schema.ts';
import { SEAL_BYTES } from '../format/seal.ts';
import { wordsOf, type NewTexts, type DocumentPostings } from './inverter.ts';
import { LexiconWriter } from './lexicon-writer.ts';
import { TermIdMap, inOrder } from './term-id-map.ts';
import { PostingBuffer, type Groups } from './posting-buffer.ts';
import { PostingStore, type Added } from './posting-store.ts';

/** What a list has in a block: the content of a row that is to come, or null where there is one. */
type Held = Uint8Array | null;

/**
 * Writes posting lists, positions and the term dictionary. New decisions stay in memory until `flush` appends them to
 * their lists, once a transaction. So a common word's list is written once, and not once for each decision.
 */
export class PostingWriter {
  readonly #terms = new TermIdMap();
  readonly #lexicon: LexiconWriter;
  readonly #store: PostingStore;
  readonly #buffer = new PostingBuffer();
  /** The id given last. */
  lists = 0;

  constructor(db: Database.Database) {
    this.#lexicon = new LexiconWriter(db);
    this.#store = new PostingStore(db);
  }

  /** Takes the words that the numbers in the next postings stand for. */
  addTerms(texts: NewTexts & { readonly restarts: boolean }): void {
    // The buffer has the old numbers.
    if (texts.restarts) this.flush();
    this.#terms.addTerms(texts);
  }

  /** Adds a decision. Its number is above all others. */
  append(numero: number, weights: DocumentPostings): void {
    const block = Math.floor(numero / BLOCK_SIZE);
    if (block !== this.#buffer.block) this.flush();
    this.#buffer.block = block;
    this.#buffer.add(numero % BLOCK_SIZE, weights);
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
      const before = held.get(number);
      if (before === 'in dictionary') continue;
      const part = { list: this.#terms.idOf(number), block };
      this.#store.append(part, before ?? null, addedOf(groups, number));
    }
  }

  /** Puts a decision's new words in the place of its old ones. The buffer must be empty. */
  replace(numero: number, old: readonly string[], { lists, impacts, places }: DocumentPostings): void {
    const postings = new Map<string, { impact: number; places: Uint8Array } | null>();
    for (const word of old) postings.set(word, null);
    let from = 0;
    for (const [at, number] of lists.entries()) {
      const end = skipPlaces(places, from, 1);
      const posting = { impact: impacts[at] ?? 0, places: places.subarray(from, end) };
      postings.set(this.#terms.textOf(number), posting);
      from = end;
    }
    const block = Math.floor(numero / BLOCK_SIZE);
    for (const [name, list] of this.#enterRows(block, [...postings.keys()])) {
      this.#store.edit({ list, block }, numero % BLOCK_SIZE, postings.get(name) ?? null);
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
  #enter(block: number, groups: Groups): Map<number, Held | 'in dictionary'> {
    const held = new Map<number, Held | 'in dictionary'>();
    const unknown = [...groups.numbers].filter((number) => !this.#terms.isIn(number, block));
    const entered = inOrder(unknown, (number) => this.#terms.textOf(number));
    this.#lexicon.change(
      entered.map(({ bytes }) => bytes),
      (at, found) => {
        const number = entered[at]?.of ?? 0;
        const entry = found ?? this.#newEntry();
        this.#terms.setId(number, entry.id);
        const added = addedOf(groups, number);
        if (found === null && added.to - added.from === 1) {
          held.set(number, 'in dictionary');
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

  /** Gives every list a row in the block. @returns the lists' ids by name. */
  #enterRows(block: number, names: readonly string[]): Map<string, number> {
    const ids = new Map<string, number>();
    const entered = inOrder(names, (name) => name);
    this.#lexicon.change(
      entered.map(({ bytes }) => bytes),
      (at, found) => {
        const name = entered[at]?.of ?? '';
        const entry = found ?? this.#newEntry();
        ids.set(name, entry.id);
        const after = this.#withRow(entry, block);
        if (after.held !== null) this.#store.append({ list: entry.id, block }, after.held, NONE_ADDED);
        return after.entry;
      },
    );
    return ids;
  }

  /** @returns the entry of a list that is to have a row in a block, null where it is as before, and what it holds there. */
  #withRow(found: Entry, block: number): { entry: Entry | null; held: Held } {
    const { id, runs, single } = found;
    if (single === null) {
      if (hasBlock(found, block)) return { entry: null, held: null };
      return { entry: { id, runs: withBlock(runs, block), single }, held: NOTHING };
    }
    // The one decision that the dictionary had gets a row where it is.
    const at = Math.floor(single.numero / BLOCK_SIZE);
    const row = addedOfSingle(single);
    if (at === block) {
      const content = sparseRow(NOTHING, row, [row.places, NOTHING]).subarray(0, -SEAL_BYTES);
      return { entry: { id, runs: [block, 1], single: null }, held: content };
    }
    this.#store.append({ list: id, block: at }, NOTHING, row);
    return { entry: { id, runs: withBlock([at, 1], block), single: null }, held: NOTHING };
  }

  #newEntry(): Entry {
    this.lists += 1;
    if (this.lists >= LISTS_MAX) throw new Error(`a base holds at most ${LISTS_MAX - 1} words`);
    return { id: this.lists, runs: [], single: null };
  }
}

const NONE_ADDED: Added = { offsets: new Uint16Array(0), impacts: NOTHING, places: NOTHING, from: 0, to: 0 };

function addedOf({ starts, offsets, impacts, places, placeStarts }: Groups, number: number): Added {
  return {
    offsets,
    impacts,
    from: starts[number] ?? 0,
    to: starts[number + 1] ?? 0,
    places: places.subarray(placeStarts[number], placeStarts[number + 1]),
  };
}

function singleOf(block: number, { offsets, impacts, from, places }: Added): Single {
  return { numero: block * BLOCK_SIZE + (offsets[from] ?? 0), impact: impacts[from] ?? 0, places };
}

function addedOfSingle({ numero, impact, places }: Single): Added {
  const offsets = Uint16Array.of(numero % BLOCK_SIZE);
  return { offsets, impacts: Uint8Array.of(impact), places, from: 0, to: 1 };
}
