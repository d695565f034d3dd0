import { countOf, openList, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE, listKey, listOf } from '../format/schema.ts';
import {
  EMPTY,
  copyOf,
  countBits,
  forEachBit,
  intersect,
  newBits,
  setBit,
  truncate,
  unite,
  uniteFew,
  type Bits,
} from './bitset.ts';
import type { Connection } from './connection.ts';
import type { Candidates } from './scores.ts';
import { LENGTH_SQL, LIST_SQL, type Reading, type TermList } from './term-list.ts';

interface Merged {
  readonly bits: Bits;
  readonly impacts: Uint8Array;
}

const NO_IMPACTS = new Uint8Array(0);
const PREFIX_WORDS_SQL = 'SELECT id FROM lexico WHERE termo >= ? AND termo < ?';
/** Lists merged between two looks at the clock. */
const MERGED_AT_ONCE = 256;

/**
 * Every word that starts with the given letters, each decision once with the best of its impacts, where these are read.
 */
export class MergedList implements TermList {
  readonly #connection: Connection;
  readonly #lists: Reading;
  readonly #texto: string;
  readonly #words: readonly number[];
  readonly #merged = new Map<number, Merged>();
  #postings: number | null = null;

  constructor(connection: Connection, lists: Reading, texto: string) {
    this.#connection = connection;
    this.#lists = lists;
    this.#texto = texto;
    let words = lists.kept.words.get(texto);
    if (words === undefined) {
      words = wordsWith(connection, texto);
      lists.kept.words.set(texto, words);
    }
    this.#words = words;
  }

  count(block: number): number {
    return this.#words.length === 0 ? 0 : countBits(this.#merge(block).bits);
  }

  bits(block: number): Bits {
    return this.#words.length === 0 ? EMPTY : copyOf(this.#merge(block).bits);
  }

  keep(block: number, bits: Bits): boolean {
    return intersect(bits, this.#words.length === 0 ? EMPTY : this.#merge(block).bits);
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
    for (let block = 0; block < this.#lists.blocks; block += 1) {
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
        for (let block = 0; block < this.#lists.blocks; block += 1) {
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

  #merge(block: number): Merged {
    let merged = this.#merged.get(block);
    if (merged === undefined) {
      merged = this.#lists.reads === 'members' ? this.#members(block) : this.#withImpacts(block);
      this.#merged.set(block, merged);
    }
    return merged;
  }

  /** Those who stand in a block, which are kept: whoever types a word asks for its beginnings again and again. */
  #members(block: number): Merged {
    const { merged } = this.#lists.kept;
    const key = `${this.#texto} ${block}`;
    let bits = merged.get(key);
    if (bits === undefined) {
      const all = newBits();
      this.#forEachList(block, ({ count, offsets, bitmap }) => {
        if (bitmap !== null) unite(all, bitmap);
        if (offsets !== null) uniteFew(all, offsets, count);
      });
      // Kept for longer than this search has its sets.
      bits = all.slice();
      merged.set(key, bits);
    }
    return { bits, impacts: NO_IMPACTS };
  }

  #withImpacts(block: number): Merged {
    const merged = { bits: newBits(), impacts: new Uint8Array(BLOCK_SIZE) };
    this.#forEachList(block, (list) => {
      keepBest(merged.bits, merged.impacts, list);
    });
    return merged;
  }

  #forEachList(block: number, visit: (list: PostingList) => void): void {
    const select = this.#connection.value<Buffer>(LIST_SQL);
    this.#forEachWord((word) => {
      const dados = select.get(listKey(listOf('word', word), block));
      if (dados !== undefined) visit(openList(dados));
    });
  }

  /** @throws BudgetExceeded */
  #forEachWord(visit: (word: number) => void): void {
    for (const [at, word] of this.#words.entries()) {
      if (at % MERGED_AT_ONCE === 0) this.#connection.budget.check();
      visit(word);
    }
  }
}

/** The ids of the words that begin so. */
export function wordsWith({ value }: Connection, prefix: string): number[] {
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
