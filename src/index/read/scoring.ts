import { IMPACT_MAX, idf } from '../format/bm25f.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Words } from '../format/term-vector.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import { hasBit, type Bits } from './bitset.ts';
import type { Hits } from './hits.ts';
import type { Lists } from './lists.ts';
import { addAbove, candidatesOf, placeOf } from './scores.ts';
import type { TermList } from './term-list.ts';

/** A word of the query with what each unit of its impact adds to a score. */
interface Scored {
  readonly list: TermList;
  readonly idf: number;
}

/** A word, and the least impact of it. */
interface Needed {
  readonly word: Scored;
  readonly least: number;
  /** Nanoseconds. */
  readonly cost: number;
}

/** Measured: what it takes to score all candidates, of a block and of each candidate and word. */
const ALL_NS = 10_000;
const CANDIDATE_NS = 3;

/**
 * Scores the candidates of a block with the formula of `src/index/format/bm25f.ts`. A score is an exact sum, so the
 * order in which its terms are added does not matter.
 */
export class Scoring {
  readonly #words: readonly Scored[];
  /** Documents that hold each term, as the first page knew them. */
  readonly df: readonly number[];
  readonly #replaced: ReadonlyMap<number, Words>;
  readonly #blocksReplaced: ReadonlySet<number>;

  /**
   * @param df those of the first page; null on it. @param docIdMax the highest number there was then.
   * @param replaced the impacts of decisions on the first page, by doc id, if not as now.
   */
  constructor(
    lists: Lists,
    terms: readonly QueryTerm[],
    docIdMax: number,
    df: readonly number[] | null,
    replaced: ReadonlyMap<number, Words>,
  ) {
    this.df = df ?? terms.map((term) => lists.of(term).frequency(docIdMax));
    this.#words = terms.map((term, at) => ({
      list: lists.of(term),
      idf: idf(docIdMax, this.df[at] ?? 0),
    }));
    this.#replaced = replaced;
    this.#blocksReplaced = new Set([...replaced.keys()].map((docId) => Math.floor(docId / BLOCK_SIZE)));
  }

  /** Has `hits` hold the candidates with a score above the floor, and no others. @param count of the candidates. */
  above(block: number, candidates: Bits, count: number, floor: number, hits: Hits): void {
    hits.count = 0;
    const needed = this.#blocksReplaced.has(block) ? null : this.#neededFor(block, floor);
    if (needed === null || needed.cost > ALL_NS + CANDIDATE_NS * count * this.#words.length) {
      this.#all(block, candidates, floor, hits);
      return;
    }
    const { word, least } = needed;
    if (least > IMPACT_MAX) return;
    word.list.addAtLeast(block, { least, matches: candidates, idf: word.idf }, hits);
    if (hits.count === 0 || this.#words.length === 1) return;
    for (const other of this.#words) if (other !== word) other.list.addImpacts(block, other.idf, hits);
    hits.keepAbove(floor);
  }

  /**
   * A word with an impact that every score above the floor needs, whatever the other words add; of several the one whose
   * impacts are looked through soonest. Null where there is none.
   */
  #neededFor(block: number, floor: number): Needed | null {
    if (floor === Number.NEGATIVE_INFINITY) return null;
    let most = 0;
    for (const { list, idf: unit } of this.#words) most += unit * list.max(block);
    let best: Needed | null = null;
    for (const word of this.#words) {
      const { list, idf: unit } = word;
      const least = leastAbove(floor - (most - unit * list.max(block)), unit);
      if (least < 1) continue;
      if (least > IMPACT_MAX) return { word, least, cost: 0 };
      const cost = list.costOfAtLeast(block, least);
      if (best === null || cost < best.cost) best = { word, least, cost };
    }
    return best;
  }

  #all(block: number, found: Bits, floor: number, hits: Hits): void {
    const candidates = candidatesOf(found);
    if (candidates.count === 0) return;
    for (const { list, idf: unit } of this.#words) list.score(block, candidates, unit);
    if (this.#blocksReplaced.has(block)) {
      for (const [docId, words] of this.#replaced) {
        const offset = docId - block * BLOCK_SIZE;
        if (offset < 0 || offset >= BLOCK_SIZE || !hasBit(found, offset)) continue;
        candidates.scores[placeOf(candidates, offset)] = this.#scoreOf(words);
      }
    }
    addAbove(candidates, floor, hits);
  }

  #scoreOf(words: Words): number {
    let score = 0;
    for (const { list, idf: unit } of this.#words) {
      const { token, prefix } = list.term;
      let best = words.get(token) ?? 0;
      if (prefix)
        for (const [word, impact] of words) if (word.startsWith(token)) best = Math.max(best, impact);
      score += unit * best;
    }
    return score;
  }
}

/** The lowest impact that, times the unit, is above a sum. */
function leastAbove(sum: number, unit: number): number {
  if (sum < 0) return 0;
  let least = Math.floor(sum / unit) + 1;
  // A quotient is rounded, a product is exact.
  while (least > 0 && (least - 1) * unit > sum) least -= 1;
  while (least * unit <= sum) least += 1;
  return least;
}
