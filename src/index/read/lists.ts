import type { Termo } from '../../engine/messages.ts';
import type { Entry } from '../format/lexicon.ts';
import { NO_POSTINGS, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { EMPTY, copyOf, intersect, intersectFew, newBits, uniteFew, type Bits } from './bitset.ts';
import type { Connection, Snapshot } from './connection.ts';
import { findList, wordsWith } from './lexicon.ts';
import { ListRows } from './list-rows.ts';
import { MergedList } from './merged-list.ts';
import { addScores, type Candidates } from './scores.ts';
import type { Reading, Reads, TermList } from './term-list.ts';
import { threadCacheAt, type ThreadCache } from './thread-cache.ts';

const NO_OFFSETS = new Uint16Array(0);

/** The stored list of a word, read block by block when needed. */
class StoredList implements TermList {
  readonly #reading: Reading;
  readonly termo: Termo;
  readonly #entry: Entry | null;
  #read: { readonly block: number; readonly list: PostingList } | null = null;

  constructor(reading: Reading, termo: Termo, entry: Entry | null) {
    this.#reading = reading;
    this.termo = termo;
    this.#entry = entry;
  }

  count(block: number): number {
    return this.#list(block).count;
  }

  bits(block: number): Bits {
    const { count, offsets, bitmap } = this.#list(block);
    if (count === 0) return EMPTY;
    if (bitmap !== null) return copyOf(bitmap);
    const bits = newBits();
    uniteFew(bits, offsets ?? NO_OFFSETS, count);
    return bits;
  }

  keep(block: number, bits: Bits): boolean {
    const { count, offsets, bitmap } = this.#list(block);
    return bitmap === null ? intersectFew(bits, offsets ?? NO_OFFSETS, count) : intersect(bits, bitmap);
  }

  score(block: number, candidates: Candidates, weight: number): void {
    const list = this.#list(block);
    if (list.count === 0 || this.#entry === null) return;
    addScores(list, this.#reading.rows.weights(this.#entry, block, list), candidates, weight);
  }

  frequency(): number {
    let sum = 0;
    for (let block = 0; block < this.#reading.blocks; block += 1) sum += this.count(block);
    return sum;
  }

  occurs(): boolean {
    if (this.#entry === null) return false;
    for (let block = 0; block < this.#reading.blocks; block += 1) if (this.count(block) > 0) return true;
    return false;
  }

  words(): readonly Entry[] {
    return this.#entry === null ? [] : [this.#entry];
  }

  #list(block: number): PostingList {
    if (this.#entry === null) return NO_POSTINGS;
    if (this.#read?.block !== block) {
      this.#read = { block, list: this.#reading.rows.list(this.#entry, block) };
    }
    return this.#read.list;
  }
}

/** The lists of one request, each read once. */
export class Lists implements Reading {
  readonly #connection: Connection;
  readonly blocks: number;
  readonly lists: number;
  readonly reads: Reads;
  readonly #known = new Map<string, TermList>();
  readonly cache: ThreadCache;
  readonly rows: ListRows;

  /** @param reads what the lists are for. */
  constructor(connection: Connection, { generation, lastNumber, lists }: Snapshot, reads: Reads = 'impacts') {
    this.#connection = connection;
    this.lists = lists;
    this.reads = reads;
    this.cache = threadCacheAt(connection, generation);
    this.rows = new ListRows(connection, this.cache);
    this.blocks = Math.floor(lastNumber / BLOCK_SIZE) + 1;
  }

  of(termo: Termo): TermList {
    const name = termo.prefixo ? `${termo.texto}*` : termo.texto;
    let list = this.#known.get(name);
    if (list === undefined) {
      list = termo.prefixo
        ? new MergedList(this.#connection, this, termo, wordsOf(this.#connection, this, termo.texto))
        : new StoredList(this, termo, this.#entryOf(name));
      this.#known.set(name, list);
    }
    return list;
  }

  #entryOf(name: string): Entry | null {
    let facts = this.cache.facts.get(name);
    if (facts === undefined) {
      facts = { entry: findList(this.#connection, name, this.lists) };
      this.cache.facts.set(name, facts);
    }
    return facts.entry;
  }
}

function wordsOf(connection: Connection, { cache, lists }: Reading, prefix: string): readonly Entry[] {
  let words = cache.words.get(prefix);
  if (words === undefined) {
    words = wordsWith(connection, prefix, lists);
    cache.words.set(prefix, words);
  }
  return words;
}
