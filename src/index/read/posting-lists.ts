import { elementAt, missing } from '../format/element-at.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import { IMPACT_MAX } from '../format/bm25f.ts';
import { known } from '../format/known.ts';
import type { TermEntry } from '../format/terms.ts';
import { NO_BYTES, NO_POSTINGS, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Members } from './bitset.ts';
import type { Connection, Snapshot } from './connection.ts';
import { addAtLeast, addImpacts, highestOf, type AtLeast, type BlockCollector } from './block-collector.ts';
import { findTerm, termsWith } from './terms.ts';
import { ListRows } from './list-rows.ts';
import { MergedList } from './merged-list.ts';
import type { Reading, Reads, TermList } from './term-list.ts';
import { threadCacheAt, type ListFacts, type ThreadCache } from './thread-cache.ts';

const SHARE_WHOLE = 255;
/** Measured: to skip an impact that is too low, and to add an impact. */
const SKIP_NS = 0.6;
const HIT_NS = 12;

/** A word's list, read block by block when needed. */
class StoredList implements TermList {
  readonly #reading: Reading;
  readonly term: QueryTerm;
  readonly #facts: ListFacts;
  #read: { readonly block: number; readonly list: PostingList } | null = null;

  constructor(reading: Reading, term: QueryTerm, facts: ListFacts) {
    this.#reading = reading;
    this.term = term;
    this.#facts = facts;
  }

  count(block: number): number {
    return this.#list(block).count;
  }

  members(block: number): Members {
    const list = this.#list(block);
    return list.kind === 'sparse' ? list.offsets : list.bitmap;
  }

  addAtLeast(block: number, wanted: AtLeast, collector: BlockCollector): void {
    addAtLeast(this.#list(block), this.#impacts(block), wanted, collector);
  }

  addImpacts(block: number, idf: number, collector: BlockCollector): void {
    addImpacts(this.#list(block), this.#impacts(block), idf, collector);
  }

  max(block: number): number {
    if (this.count(block) === 0) return 0;
    const { impacts: facts } = this.#facts;
    const max = facts === null ? 0 : elementAt(facts.maxima, block);
    if (max > 0) return max;
    const impacts = this.#impacts(block);
    this.#facts.impacts ??= { maxima: new Uint8Array(this.#reading.blocks), shares: sharesOf(impacts) };
    return (this.#facts.impacts.maxima[block] = highestOf(impacts));
  }

  costOfAtLeast(block: number, least: number): number {
    const { count } = this.#list(block);
    const { impacts: facts } = this.#facts;
    const share = facts === null ? 0 : elementAt(facts.shares, Math.min(least, IMPACT_MAX));
    return count * (SKIP_NS + (HIT_NS * share) / SHARE_WHOLE);
  }

  frequency(): number {
    let sum = 0;
    for (let block = 0; block < this.#reading.blocks; block += 1) sum += this.count(block);
    return sum;
  }

  occurs(): boolean {
    for (let block = 0; block < this.#reading.blocks; block += 1) if (this.count(block) > 0) return true;
    return false;
  }

  words(): readonly TermEntry[] {
    return this.#facts.entry === null ? [] : [this.#facts.entry];
  }

  #list(block: number): PostingList {
    if (this.#facts.entry === null) return NO_POSTINGS;
    if (this.#read?.block !== block) {
      this.#read = { block, list: this.#reading.rows.list(this.#facts.entry, block) };
    }
    return this.#read.list;
  }

  #impacts(block: number): Uint8Array {
    const list = this.#list(block);
    return this.#facts.entry === null ? NO_BYTES : this.#reading.rows.impacts(this.#facts.entry, block, list);
  }
}

function sharesOf(impacts: Uint8Array): Uint8Array {
  const counts = new Uint32Array(IMPACT_MAX + 1);
  for (let at = 0; at < impacts.length; at += 1) {
    const impact = impacts[at] ?? missing();
    counts[impact] = (counts[impact] ?? missing()) + 1;
  }
  const shares = new Uint8Array(IMPACT_MAX + 1);
  let count = 0;
  for (let impact = IMPACT_MAX; impact >= 0; impact -= 1) {
    count += counts[impact] ?? missing();
    shares[impact] = Math.ceil((count / impacts.length) * SHARE_WHOLE);
  }
  return shares;
}

/** A request's lists, each read once. */
export class PostingLists implements Reading {
  readonly #connection: Connection;
  readonly blocks: number;
  readonly #terms: number;
  readonly reads: Reads;
  readonly #known = new Map<string, TermList>();
  readonly cache: ThreadCache;
  readonly rows: ListRows;

  constructor(connection: Connection, { generation, docs, terms }: Snapshot, reads: Reads = 'impacts') {
    this.#connection = connection;
    this.#terms = terms;
    this.reads = reads;
    this.cache = threadCacheAt(connection, generation);
    this.rows = new ListRows(connection.row, this.cache);
    this.blocks = Math.floor(docs / BLOCK_SIZE) + 1;
  }

  of(term: QueryTerm): TermList {
    const name = term.prefix ? `${term.token}*` : term.token;
    return known(this.#known, name, () => (term.prefix ? this.#merged(term) : this.#stored(term)));
  }

  #stored(term: QueryTerm): TermList {
    const { token } = term;
    const facts = known(this.cache.facts, token, () => ({
      entry: findTerm(this.#connection, token, this.#terms),
      impacts: null,
    }));
    return new StoredList(this, term, facts);
  }

  #merged(term: QueryTerm): TermList {
    const { token } = term;
    const words = known(this.cache.words, token, () => termsWith(this.#connection, token, this.#terms));
    return new MergedList(this.#connection.budget, this, term, words);
  }
}
