import type { LRUCache } from 'lru-cache';
import type { Termo } from '../src/base/messages.ts';
import {
  BITMAP_BYTES,
  NO_POSTINGS,
  SPARSE_MAX,
  countOf,
  openBitmap,
  openList,
  type PostingList,
} from '../src/base/posting-list.ts';
import { BLOCK_SIZE, PREFIX_LENGTH_MAX, listKey, listOf } from '../src/base/schema.ts';
import {
  EMPTY,
  countBits,
  forEachBit,
  intersect,
  intersectFew,
  newBits,
  setBit,
  truncate,
  type Bits,
} from './bits.ts';
import type { Connection, Snapshot } from './connection.ts';
import { factsAt, type ListFacts } from './facts.ts';
import { addScores, type Candidates } from './scores.ts';

/** The decisions that hold a term of the query, block by block. */
export interface TermList {
  /** How many of a block's there are, at the most; 0 only where there is none. */
  count(block: number): number;
  /** Those of them: a fresh set, or `EMPTY`. */
  bits(block: number): Bits;
  /** Keeps in `bits` what is among them. */
  keep(block: number, bits: Bits): void;
  /** Adds to the scores of the candidates what the term weighs in each. */
  score(block: number, candidates: Candidates, weight: number): void;
  /** Decisions up to a number, each counted once. */
  frequency(horizon: number): number;
  /** Postings that FTS5 would go through for it. */
  readonly postings: number;
  /** The word ids it stands for. */
  readonly ids: ReadonlySet<number>;
}

/** What lists are read for: who stands in them, or also how much they weigh there. */
export type Reads = 'members' | 'impacts';

const NO_OFFSETS = new Uint16Array(0);
const WORD_SQL = 'SELECT id FROM lexico WHERE termo = ?';
const PREFIX_SQL = 'SELECT id FROM prefixo WHERE texto = ?';
const LIST_SQL = 'SELECT dados FROM impacto WHERE lista = ?';
const BITMAP_SQL = `SELECT substr(dados, 1, ${BITMAP_BYTES}) FROM impacto WHERE lista = ?`;
const LENGTH_SQL = 'SELECT length(dados) FROM impacto WHERE lista = ?';
const POSTINGS_SQL = 'SELECT postagens FROM prefixo WHERE texto = ?';
const PREFIX_WORDS_SQL = 'SELECT id FROM lexico WHERE termo >= ? AND termo < ?';
/** Lists merged between two looks at the clock. */
const MERGED_AT_ONCE = 256;

/** A stored list, of a word or of a short prefix, read block by block when needed. */
class StoredList implements TermList {
  readonly #connection: Connection;
  readonly #blocks: number;
  readonly #termo: Termo;
  readonly #id: number | null;
  readonly #counts: Map<number, number>;
  readonly #reads: Reads;
  #read: { readonly block: number; readonly list: PostingList } | null = null;
  #bitmap: { readonly block: number; readonly bitmap: Uint32Array } | null = null;

  constructor(
    connection: Connection,
    { blocks, reads }: Pick<Lists, 'blocks' | 'reads'>,
    termo: Termo,
    { id, counts }: ListFacts,
  ) {
    this.#connection = connection;
    this.#blocks = blocks;
    this.#reads = reads;
    this.#termo = termo;
    this.#id = id;
    this.#counts = counts;
  }

  count(block: number): number {
    if (this.#id === null) return 0;
    let count = this.#counts.get(block);
    if (count === undefined) {
      count = countOf(this.#connection.value<number>(LENGTH_SQL).get(this.#key(this.#id, block)) ?? 0);
      this.#counts.set(block, count);
    }
    return count;
  }

  bits(block: number): Bits {
    const { count, offsets, bitmap } = this.#members(block);
    if (count === 0) return EMPTY;
    if (bitmap !== null) return bitmap.slice();
    const bits = newBits();
    // By index: iterating over a typed array takes ten times as long.
    for (let at = 0; at < count; at += 1) setBit(bits, offsets?.[at] ?? 0);
    return bits;
  }

  keep(block: number, bits: Bits): void {
    const { count, offsets, bitmap } = this.#members(block);
    if (bitmap !== null) intersect(bits, bitmap);
    else intersectFew(bits, offsets ?? NO_OFFSETS, count);
  }

  score(block: number, candidates: Candidates, weight: number): void {
    if (this.count(block) > 0) addScores(this.#list(block), candidates, weight);
  }

  frequency(): number {
    let sum = 0;
    for (let block = 0; block < this.#blocks; block += 1) sum += this.count(block);
    return sum;
  }

  get postings(): number {
    if (!this.#termo.prefixo) return this.frequency();
    return this.#connection.value<number>(POSTINGS_SQL).get(this.#termo.texto) ?? 0;
  }

  get ids(): ReadonlySet<number> {
    if (this.#termo.prefixo) return new Set(wordsWith(this.#connection, this.#termo.texto));
    return new Set(this.#id === null ? [] : [this.#id]);
  }

  /** The list, without its impacts where nobody asks for them and they are most of it. */
  #members(block: number): Pick<PostingList, 'count' | 'offsets' | 'bitmap'> {
    if (this.#id === null || this.#reads === 'impacts' || this.count(block) <= SPARSE_MAX) {
      return this.#list(block);
    }
    if (this.#bitmap?.block !== block) {
      const dados = this.#connection.value<Buffer>(BITMAP_SQL).get(this.#key(this.#id, block));
      if (dados === undefined) return NO_POSTINGS;
      this.#bitmap = { block, bitmap: openBitmap(dados) };
    }
    return { count: this.count(block), offsets: null, bitmap: this.#bitmap.bitmap };
  }

  #list(block: number): PostingList {
    if (this.#id === null || this.#counts.get(block) === 0) return NO_POSTINGS;
    if (this.#read?.block !== block) {
      const dados = this.#connection.value<Buffer>(LIST_SQL).get(this.#key(this.#id, block));
      this.#read = { block, list: dados === undefined ? NO_POSTINGS : openList(dados) };
      this.#counts.set(block, this.#read.list.count);
    }
    return this.#read.list;
  }

  #key(id: number, block: number): number {
    return listKey(listOf(this.#termo.prefixo ? 'prefix' : 'word', id), block);
  }
}

/** Every word that starts with the given letters, each decision once with the best of its impacts. */
class MergedList implements TermList {
  readonly #connection: Connection;
  readonly #blocks: number;
  readonly #words: readonly number[];
  readonly #merged = new Map<number, { readonly bits: Bits; readonly impacts: Uint8Array }>();
  #postings: number | null = null;

  constructor(connection: Connection, blocks: number, texto: string) {
    this.#connection = connection;
    this.#blocks = blocks;
    this.#words = wordsWith(connection, texto);
  }

  count(block: number): number {
    return this.#words.length === 0 ? 0 : countBits(this.#merge(block).bits);
  }

  bits(block: number): Bits {
    return this.#words.length === 0 ? EMPTY : this.#merge(block).bits.slice();
  }

  keep(block: number, bits: Bits): void {
    intersect(bits, this.#words.length === 0 ? EMPTY : this.#merge(block).bits);
  }

  score(block: number, { matches, scores }: Candidates, weight: number): void {
    const { impacts } = this.#merge(block);
    let place = 0;
    forEachBit(matches, (offset) => {
      scores[place] = (scores[place] ?? 0) + weight * (impacts[offset] ?? 0);
      place += 1;
    });
  }

  frequency(horizon: number): number {
    let sum = 0;
    for (let block = 0; block < this.#blocks; block += 1) {
      const bits = this.bits(block);
      truncate(bits, horizon + 1 - block * BLOCK_SIZE);
      sum += countBits(bits);
    }
    return sum;
  }

  get postings(): number {
    if (this.#postings === null) {
      this.#postings = 0;
      const length = this.#connection.value<number>(LENGTH_SQL);
      this.#forEachWord((word) => {
        for (let block = 0; block < this.#blocks; block += 1) {
          this.#postings =
            (this.#postings ?? 0) + countOf(length.get(listKey(listOf('word', word), block)) ?? 0);
        }
      });
    }
    return this.#postings;
  }

  get ids(): ReadonlySet<number> {
    return new Set(this.#words);
  }

  #merge(block: number): { readonly bits: Bits; readonly impacts: Uint8Array } {
    let merged = this.#merged.get(block);
    if (merged === undefined) {
      merged = { bits: newBits(), impacts: new Uint8Array(BLOCK_SIZE) };
      const { bits, impacts } = merged;
      const select = this.#connection.value<Buffer>(LIST_SQL);
      this.#forEachWord((word) => {
        const dados = select.get(listKey(listOf('word', word), block));
        if (dados !== undefined) keepBest(bits, impacts, openList(dados));
      });
      this.#merged.set(block, merged);
    }
    return merged;
  }

  /** @throws BudgetExceeded */
  #forEachWord(visit: (word: number) => void): void {
    for (const [at, word] of this.#words.entries()) {
      if (at % MERGED_AT_ONCE === 0) this.#connection.budget.check();
      visit(word);
    }
  }
}

/** The lists of one request, each read once. */
export class Lists {
  readonly #connection: Connection;
  /** Blocks of numbers that there are. */
  readonly blocks: number;
  readonly reads: Reads;
  readonly #known = new Map<string, TermList>();
  readonly #facts: LRUCache<string, ListFacts>;

  /** @param reads what the lists are for. */
  constructor(connection: Connection, { geracao, lastNumber }: Snapshot, reads: Reads = 'impacts') {
    this.#connection = connection;
    this.reads = reads;
    this.#facts = factsAt(connection, geracao);
    this.blocks = Math.floor(lastNumber / BLOCK_SIZE) + 1;
  }

  of(termo: Termo): TermList {
    const key = termo.prefixo ? `${termo.texto}*` : termo.texto;
    let list = this.#known.get(key);
    if (list === undefined) {
      list =
        termo.prefixo && termo.texto.length > PREFIX_LENGTH_MAX
          ? new MergedList(this.#connection, this.blocks, termo.texto)
          : new StoredList(this.#connection, this, termo, this.#factsOf(key, termo));
      this.#known.set(key, list);
    }
    return list;
  }

  #factsOf(key: string, { texto, prefixo }: Termo): ListFacts {
    let facts = this.#facts.get(key);
    if (facts === undefined) {
      const id = this.#connection.value<number>(prefixo ? PREFIX_SQL : WORD_SQL).get(texto) ?? null;
      facts = { id, counts: new Map() };
      this.#facts.set(key, facts);
    }
    return facts;
  }
}

function wordsWith({ value }: Connection, prefix: string): number[] {
  return value<number>(PREFIX_WORDS_SQL).all(prefix, `${prefix}\u{10ffff}`);
}

function keepBest(bits: Bits, best: Uint8Array, { count, offsets, bitmap, impacts }: PostingList): void {
  const keep = (offset: number, impact: number) => {
    if (impact > (best[offset] ?? 0)) best[offset] = impact;
  };
  if (offsets !== null) {
    for (let at = 0; at < count; at += 1) {
      const offset = offsets[at] ?? 0;
      setBit(bits, offset);
      keep(offset, impacts[at] ?? 0);
    }
    return;
  }
  let at = 0;
  for (let place = 0; place < bits.length; place += 1) {
    let word = bitmap?.[place] ?? 0;
    bits[place] = (bits[place] ?? 0) | word;
    for (; word !== 0; word &= word - 1) {
      keep(place * 32 + 31 - Math.clz32(word & -word), impacts[at] ?? 0);
      at += 1;
    }
  }
}
