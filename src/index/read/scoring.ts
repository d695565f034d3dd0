import { IMPACT_MAX, idf } from '../format/bm25f.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Words } from '../format/term-vector.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import { hasBit, type Bits } from './bitset.ts';
import type { Hits } from './hits.ts';
import type { Lists } from './lists.ts';
import { addAbove, candidatesOf, placeOf } from './scores.ts';
import type { TermList } from './term-list.ts';

/** A word of the query with the weight that its frequency gives it. */
interface Weighted {
  readonly list: TermList;
  readonly weight: number;
}

/** A word, and the least impact of it. */
interface Needed {
  readonly word: Weighted;
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
  readonly #weighted: readonly Weighted[];
  /** Documents that hold each term, as the first page knew them. */
  readonly df: readonly number[];
  readonly #replaced: ReadonlyMap<number, Words>;
  readonly #blocksReplaced: ReadonlySet<number>;

  /**
   * @param df those of the first page; null on it. @param horizon the highest number there was then.
   * @param replaced what decisions weighed on the first page, by number, if not as now.
   */
  constructor(
    lists: Lists,
    terms: readonly QueryTerm[],
    horizon: number,
    df: readonly number[] | null,
    replaced: ReadonlyMap<number, Words>,
  ) {
    this.df = df ?? terms.map((term) => lists.of(term).frequency(horizon));
    this.#weighted = terms.map((term, at) => ({
      list: lists.of(term),
      weight: idf(horizon, this.df[at] ?? 0),
    }));
    this.#replaced = replaced;
    this.#blocksReplaced = new Set([...replaced.keys()].map((docId) => Math.floor(docId / BLOCK_SIZE)));
  }

  /** Has `hits` hold the candidates with a score above the floor, and no others. @param count of the candidates. */
  above(block: number, candidates: Bits, count: number, floor: number, hits: Hits): void {
    hits.count = 0;
    const needed = this.#blocksReplaced.has(block) ? null : this.#neededFor(block, floor);
    if (needed === null || needed.cost > ALL_NS + CANDIDATE_NS * count * this.#weighted.length) {
      this.#all(block, candidates, floor, hits);
      return;
    }
    const { word, least } = needed;
    if (least > IMPACT_MAX) return;
    word.list.addAtLeast(block, least, candidates, word.weight, hits);
    if (hits.count === 0 || this.#weighted.length === 1) return;
    for (const other of this.#weighted) if (other !== word) other.list.addImpacts(block, other.weight, hits);
    hits.keepAbove(floor);
  }

  /**
   * A word with an impact that every score above the floor needs, whatever the other words add; of several the one whose
   * impacts are looked through soonest. Null where there is none.
   */
  #neededFor(block: number, floor: number): Needed | null {
    if (floor === Number.NEGATIVE_INFINITY) return null;
    let most = 0;
    for (const { list, weight } of this.#weighted) most += weight * list.max(block);
    let best: Needed | null = null;
    for (const word of this.#weighted) {
      const { list, weight } = word;
      const least = leastAbove(floor - (most - weight * list.max(block)), weight);
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
    for (const { list, weight } of this.#weighted) list.score(block, candidates, weight);
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
    for (const { list, weight } of this.#weighted) {
      const { token, prefix } = list.term;
      let best = words.get(token) ?? 0;
      if (prefix)
        for (const [word, impact] of words) if (word.startsWith(token)) best = Math.max(best, impact);
      score += weight * best;
    }
    return score;
  }
}

/** The lowest impact that, times the weight, is above something. */
function leastAbove(sum: number, weight: number): number {
  if (sum < 0) return 0;
  let least = Math.floor(sum / weight) + 1;
  // A quotient is rounded, a product is exact.
  while (least > 0 && (least - 1) * weight > sum) least -= 1;
  while (least * weight <= sum) least += 1;
  return least;
}
