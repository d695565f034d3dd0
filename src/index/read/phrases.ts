import { missing } from '../format/element-at.ts';
import type { Positional } from '../../engine/messages.ts';
import { COLUMN_SPAN, ELEMENT_GAP, Positions, isListColumn } from '../format/positions.ts';
import type { Bits } from './bitset.ts';
import type { Connection } from './connection.ts';
import type { PostingLists } from './posting-lists.ts';
import type { TermList } from './term-list.ts';
import { PrefixPositions, WordPositions, type TermPositions } from './term-positions.ts';

/** Whether a decision of the current block matches. */
export type Verify = (offset: number) => boolean;

interface Term {
  /** How many of the phrase's words come before it. */
  readonly at: number;
  readonly list: TermList;
  readonly positions: TermPositions;
}

/** A clause that needs positions. Decisions with all its words are candidates, which are verified one by one. */
export class PositionalClause {
  readonly #phrases: readonly Phrase[];
  readonly #distance: number;
  /** The words' lists, each once. */
  readonly lists: readonly TermList[];
  /** The check of the block whose positions are open. */
  #open: Verify | null = null;

  constructor(
    connection: Connection,
    lists: PostingLists,
    { phrases, distance, columns, first }: Positional,
  ) {
    this.#distance = distance ?? 0;
    this.#phrases = phrases.map((phrase) => {
      const terms = phrase.map((term, at): Term => {
        const list = lists.of(term);
        return { at, list, positions: positionsOf(connection, lists, list) };
      });
      return new Phrase(terms, columns, first);
    });
    this.lists = [...new Set(phrases.flat().map((term) => lists.of(term)))];
  }

  /** @param candidates the block's decisions that have all words. @throws BudgetExceeded */
  open(block: number, candidates: Bits): Verify {
    const verify = (offset: number): boolean => {
      // Opened late, because often no candidate of a block is verified; and again, because blocks are visited repeatedly.
      if (this.#open !== verify) for (const phrase of this.#phrases) phrase.open(block, candidates);
      this.#open = verify;
      for (let at = 0; at < this.#phrases.length; at += 1) {
        if (this.#phrases[at]?.find(offset).count === 0) return false;
      }
      return this.#phrases.length === 1 || this.#areNear();
    };
    return verify;
  }

  /**
   * Whether each phrase has a position that is at most the distance plus the phrase's length before the last position. Other
   * columns are farther away than any distance.
   */
  #areNear(): boolean {
    const next = this.#phrases.map(() => 0);
    let last = 0;
    for (;;) {
      let isMatch = true;
      const distance = isListColumn(last) ? Math.min(this.#distance, ELEMENT_GAP - 1) : this.#distance;
      for (const [at, { found, length }] of this.#phrases.entries()) {
        const least = last - length - distance;
        let position = found.values[next[at] ?? missing()] ?? missing();
        while (position < least) {
          isMatch = false;
          next[at] = (next[at] ?? missing()) + 1;
          if ((next[at] ?? missing()) >= found.count) return false;
          position = found.values[next[at] ?? missing()] ?? missing();
        }
        if (position > last) {
          last = position;
          isMatch = false;
        }
      }
      if (isMatch) return true;
    }
  }
}

function positionsOf(connection: Connection, lists: PostingLists, list: TermList): TermPositions {
  if (!list.term.prefix) {
    const [entry] = list.words();
    if (entry !== undefined) return new WordPositions(lists.rows, entry);
  }
  return new PrefixPositions(lists.rows, list.words(), connection.budget);
}

/** Consecutive words. */
class Phrase {
  /** The rarest first. */
  #terms: readonly Term[];
  readonly #columns: number;
  readonly #isFirst: boolean;
  readonly length: number;
  /** The phrase's positions in the current decision. */
  readonly found = new Positions();
  readonly #other = new Positions();

  constructor(terms: readonly Term[], columns: number, isFirst: boolean) {
    this.#terms = terms;
    this.#columns = columns;
    this.#isFirst = isFirst;
    this.length = terms.length;
  }

  open(block: number, candidates: Bits): void {
    for (const { positions } of this.#terms) positions.open(block, candidates);
    this.#terms = this.#terms.toSorted((a, b) => a.list.count(block) - b.list.count(block));
  }

  find(offset: number): Positions {
    const { found } = this;
    found.count = 0;
    for (let next = 0; next < this.#terms.length; next += 1) {
      const term = this.#terms[next];
      if (term === undefined) break;
      const { at, positions } = term;
      const into = next > 0 ? this.#other : found;
      into.count = 0;
      positions.read(offset, this.#columns, into);
      if (next > 0) keepFollowed(found, this.#other, at);
      else shift(found, at);
      if (found.count === 0) return found;
    }
    if (this.#isFirst) keepFirst(found);
    return found;
  }
}

function shift(positions: Positions, by: number): void {
  const { values, count } = positions;
  for (let at = 0; at < count; at += 1) values[at] = (values[at] ?? missing()) - by;
}

/** Keeps the positions after which `others` has one `by` words later. */
function keepFollowed(positions: Positions, others: Positions, by: number): void {
  const { values, count } = positions;
  let kept = 0;
  let other = 0;
  for (let at = 0; at < count; at += 1) {
    const position = values[at] ?? missing();
    while (other < others.count && (others.values[other] ?? missing()) - by < position) other += 1;
    if (other < others.count && (others.values[other] ?? missing()) - by === position) {
      values[kept] = position;
      kept += 1;
    }
  }
  positions.count = kept;
}

/** Keeps the positions at the start of a column. */
function keepFirst(positions: Positions): void {
  const { values, count } = positions;
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const position = values[at] ?? missing();
    if (position % COLUMN_SPAN !== 0) continue;
    values[kept] = position;
    kept += 1;
  }
  positions.count = kept;
}
