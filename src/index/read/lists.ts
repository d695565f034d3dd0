import type { Termo } from '../../engine/messages.ts';
import {
  BITMAP_BYTES,
  NO_POSTINGS,
  SPARSE_MAX,
  countOf,
  openBitmap,
  openList,
  type PostingList,
} from '../format/posting-list.ts';
import { BLOCK_SIZE, PREFIX_LENGTH_MAX, listKey, listOf } from '../format/schema.ts';
import { EMPTY, copyOf, intersect, intersectFew, newBits, uniteFew, type Bits } from './bitset.ts';
import type { Connection, Snapshot } from './connection.ts';
import { keptAt, type Kept, type ListFacts } from './thread-cache.ts';
import { MergedList, wordsWith } from './merged-list.ts';
import { addScores, type Candidates } from './scores.ts';
import { LENGTH_SQL, LIST_SQL, type Reading, type Reads, type TermList } from './term-list.ts';

const NO_OFFSETS = new Uint16Array(0);
const WORD_SQL = 'SELECT id FROM lexico WHERE termo = ?';
const PREFIX_SQL = 'SELECT id FROM prefixo WHERE texto = ?';
const BITMAP_SQL = `SELECT substr(dados, 1, ${BITMAP_BYTES}) FROM impacto WHERE lista = ?`;
const POSTINGS_SQL = 'SELECT postagens FROM prefixo WHERE texto = ?';

/** A stored list, of a word or of a short prefix, read block by block when needed. */
class StoredList implements TermList {
  readonly #connection: Connection;
  readonly #blocks: number;
  readonly #termo: Termo;
  readonly #id: number | null;
  readonly #counts: Map<number, number>;
  readonly #reads: Reads;
  readonly #kept: Kept;
  #read: { readonly block: number; readonly list: PostingList } | null = null;
  #bitmap: { readonly block: number; readonly bitmap: Uint32Array } | null = null;

  constructor(
    connection: Connection,
    { blocks, reads, kept }: Reading,
    termo: Termo,
    { id, counts }: ListFacts,
  ) {
    this.#connection = connection;
    this.#kept = kept;
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
    if (bitmap !== null) return copyOf(bitmap);
    const bits = newBits();
    uniteFew(bits, offsets ?? NO_OFFSETS, count);
    return bits;
  }

  keep(block: number, bits: Bits): boolean {
    const { count, offsets, bitmap } = this.#members(block);
    return bitmap === null ? intersectFew(bits, offsets ?? NO_OFFSETS, count) : intersect(bits, bitmap);
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
      const dados = this.#bytes(this.#kept.bitmaps, BITMAP_SQL, this.#key(this.#id, block));
      if (dados === undefined) return NO_POSTINGS;
      this.#bitmap = { block, bitmap: openBitmap(dados) };
    }
    return { count: this.count(block), offsets: null, bitmap: this.#bitmap.bitmap };
  }

  #list(block: number): PostingList {
    if (this.#id === null || this.#counts.get(block) === 0) return NO_POSTINGS;
    if (this.#read?.block !== block) {
      const dados = this.#bytes(this.#kept.lists, LIST_SQL, this.#key(this.#id, block));
      this.#read = { block, list: dados === undefined ? NO_POSTINGS : openList(dados) };
      this.#counts.set(block, this.#read.list.count);
    }
    return this.#read.list;
  }

  #bytes(kept: Kept['lists'], sql: string, key: number): Buffer | undefined {
    let dados = kept.get(key);
    if (dados === undefined) {
      dados = this.#connection.value<Buffer>(sql).get(key);
      if (dados !== undefined) kept.set(key, dados);
    }
    return dados;
  }

  #key(id: number, block: number): number {
    return listKey(listOf(this.#termo.prefixo ? 'prefix' : 'word', id), block);
  }
}

/** The lists of one request, each read once. */
export class Lists implements Reading {
  readonly #connection: Connection;
  readonly blocks: number;
  readonly reads: Reads;
  readonly #known = new Map<string, TermList>();
  readonly kept: Kept;

  /** @param reads what the lists are for. */
  constructor(connection: Connection, { geracao, lastNumber }: Snapshot, reads: Reads = 'impacts') {
    this.#connection = connection;
    this.reads = reads;
    this.kept = keptAt(connection, geracao);
    this.blocks = Math.floor(lastNumber / BLOCK_SIZE) + 1;
  }

  of(termo: Termo): TermList {
    const key = termo.prefixo ? `${termo.texto}*` : termo.texto;
    let list = this.#known.get(key);
    if (list === undefined) {
      list =
        termo.prefixo && termo.texto.length > PREFIX_LENGTH_MAX
          ? new MergedList(this.#connection, this, termo.texto)
          : new StoredList(this.#connection, this, termo, this.#factsOf(key, termo));
      this.#known.set(key, list);
    }
    return list;
  }

  #factsOf(key: string, { texto, prefixo }: Termo): ListFacts {
    let facts = this.kept.facts.get(key);
    if (facts === undefined) {
      const id = this.#connection.value<number>(prefixo ? PREFIX_SQL : WORD_SQL).get(texto) ?? null;
      facts = { id, counts: new Map() };
      this.kept.facts.set(key, facts);
    }
    return facts;
  }
}
