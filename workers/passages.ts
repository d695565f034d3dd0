import type { Termo } from '../src/base/messages.ts';
import { BLOCK_SIZE } from '../src/base/schema.ts';
import { BudgetExceeded } from './budget.ts';
import { EMPTY, forEachBit, hasBit, intersect, isEmpty, newBits, setBit, type Bits } from './bits.ts';
import type { Connection } from './connection.ts';
import type { Lists } from './lists.ts';

/** Wanted decisions that one statement looks at: some hundreds take FTS5 less than a millisecond. */
const SLICE_WANTED_MAX = 512;
/** Beginning another statement costs about as much as passing over this many decisions. */
const SKIPPED_MAX = 64;
/** FTS5 merges every word of a prefix before its first row, each time: above this it is asked only once. */
const PREFIX_POSTINGS_MAX = 5_000;
/** What merging costs, by a wide margin, for judging beforehand whether there is time for it. */
const MERGE_MS_PER_POSTING = 0.000_3;

const SLICE_SQL = 'SELECT rowid FROM fts WHERE fts MATCH ? AND rowid >= ? AND rowid <= ? ORDER BY rowid';
const WHOLE_SQL = 'SELECT rowid FROM fts WHERE fts MATCH ? AND within_budget()';

/**
 * Part of a query that asks where words stand: a phrase, NEAR, words in some columns. FTS5 says which decisions
 * match, but it cannot be stopped between two rows, so it is asked in slices of decisions that hold all words.
 */
export class Passage {
  readonly #connection: Connection;
  readonly #fts5: string;
  readonly #termos: readonly Termo[];
  readonly #lists: Lists;
  #whole: Map<number, Bits> | null = null;

  constructor(connection: Connection, lists: Lists, fts5: string, termos: readonly Termo[]) {
    this.#connection = connection;
    this.#lists = lists;
    this.#fts5 = fts5;
    this.#termos = termos;
  }

  /** @param within only these matter; null for all. @throws BudgetExceeded */
  bits(block: number, within: Bits | null): Bits {
    const holding = this.#holdingAll(block);
    if (isEmpty(holding)) return EMPTY;
    const wanted = holding.slice();
    if (within !== null) intersect(wanted, within);
    if (isEmpty(wanted)) return EMPTY;
    if (this.#prefixPostings() <= PREFIX_POSTINGS_MAX) return this.#bySlices(block, holding, wanted);
    this.#whole ??= this.#atOnce();
    intersect(wanted, this.#whole.get(block) ?? EMPTY);
    return wanted;
  }

  #holdingAll(block: number): Bits {
    let holding: Bits | null = null;
    for (const termo of this.#termos) {
      const bits = this.#lists.of(termo).bits(block);
      if (holding === null) holding = bits;
      else if (bits !== EMPTY && holding !== EMPTY) intersect(holding, bits);
      else return EMPTY;
    }
    return holding ?? EMPTY;
  }

  #bySlices(block: number, holding: Bits, wanted: Bits): Bits {
    const base = block * BLOCK_SIZE;
    const found = newBits();
    let first = -1;
    let last = -1;
    let count = 0;
    let skipped = 0;
    const ask = () => {
      if (count === 0) return;
      this.#connection.budget.check();
      const select = this.#connection.statement<number>(SLICE_SQL).pluck();
      for (const numero of select.all(this.#fts5, base + first, base + last)) {
        if (hasBit(wanted, numero - base)) setBit(found, numero - base);
      }
      count = 0;
    };
    forEachBit(holding, (offset) => {
      if (!hasBit(wanted, offset)) {
        skipped += 1;
        return;
      }
      if (count >= SLICE_WANTED_MAX || skipped > SKIPPED_MAX) ask();
      if (count === 0) first = offset;
      last = offset;
      count += 1;
      skipped = 0;
    });
    ask();
    return found;
  }

  /** One statement for the whole base, if by its words' frequencies it must end in time. */
  #atOnce(): Map<number, Bits> {
    const { budget, statement } = this.#connection;
    const postings = this.#termos.reduce((sum, termo) => sum + this.#lists.of(termo).postings, 0);
    if (postings * MERGE_MS_PER_POSTING > budget.remaining()) throw new BudgetExceeded();
    const found = new Map<number, Bits>();
    for (const numero of statement<number>(WHOLE_SQL).pluck().iterate(this.#fts5)) {
      const block = Math.floor(numero / BLOCK_SIZE);
      let bits = found.get(block);
      if (bits === undefined) {
        bits = newBits();
        found.set(block, bits);
      }
      setBit(bits, numero % BLOCK_SIZE);
    }
    return found;
  }

  #prefixPostings(): number {
    return this.#termos.reduce((sum, termo) => sum + (termo.prefixo ? this.#lists.of(termo).postings : 0), 0);
  }
}
