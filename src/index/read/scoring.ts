import { elementAt, missing } from '../format/element-at.ts';
import { IMPACT_MAX, idf } from '../format/bm25f.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Words } from '../format/term-vector.ts';
import type { QueryTerm } from '../../engine/messages.ts';
import type { Bits } from './bitset.ts';
import type { BlockCollector } from './block-collector.ts';
import type { PostingLists } from './posting-lists.ts';
import type { TermList } from './term-list.ts';

/** A word of the query; it adds `idf` times its impact to a score. */
interface Scored {
  readonly list: TermList;
  readonly idf: number;
}

/** A word, and the least impact that a score above the floor needs. */
interface Needed {
  readonly word: Scored;
  readonly least: number;
  /** Nanoseconds. */
  readonly cost: number;
}

/** Measured: to score all candidates of a block, and each candidate and word. */
const ALL_NS = 10_000;
const CANDIDATE_NS = 3;

/**
 * Scores the candidates of a block with the formula of `src/index/format/bm25f.ts`. A score is an exact sum, so the
 * order in which its terms are added does not matter.
 */
export class Scoring {
  readonly #words: readonly Scored[];
  /** Each term's document frequency on the first page. */
  readonly df: readonly number[];
  readonly #replaced: ReadonlyMap<number, Words>;
  readonly #blocksReplaced: ReadonlySet<number>;

  /**
   * @param df null on the first page. @param docIdMax the highest doc id on the first page.
   * @param replaced by doc id, the impacts on the first page of decisions replaced since.
   */
  constructor(
    lists: PostingLists,
    terms: readonly QueryTerm[],
    docIdMax: number,
    df: readonly number[] | null,
    replaced: ReadonlyMap<number, Words>,
  ) {
    this.df = df ?? terms.map((term) => lists.of(term).frequency(docIdMax));
    this.#words = terms.map((term, at) => ({
      list: lists.of(term),
      idf: idf(docIdMax, elementAt(this.df, at)),
    }));
    this.#replaced = replaced;
    this.#blocksReplaced = new Set([...replaced.keys()].map((docId) => Math.floor(docId / BLOCK_SIZE)));
  }

  /** Sets `collector` to the candidates with a score above the floor. @param count of the candidates. */
  above(block: number, candidates: Bits, count: number, floor: number, collector: BlockCollector): void {
    collector.count = 0;
    const needed = this.#blocksReplaced.has(block) ? null : this.#neededFor(block, floor);
    if (needed === null || needed.cost > ALL_NS + CANDIDATE_NS * count * this.#words.length) {
      this.#all(block, candidates, floor, collector);
      return;
    }
    const { word, least } = needed;
    if (least > IMPACT_MAX) return;
    word.list.addAtLeast(block, { least, matches: candidates, idf: word.idf }, collector);
    if (collector.count === 0 || this.#words.length === 1) return;
    for (const other of this.#words) if (other !== word) other.list.addImpacts(block, other.idf, collector);
    collector.keepAbove(floor);
  }

  /**
   * The cheapest word that every score above the floor needs, whatever the other words add, and its least impact. Null if none.
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

  #all(block: number, candidates: Bits, floor: number, collector: BlockCollector): void {
    collector.reset(candidates);
    for (const { list, idf: unit } of this.#words) list.addImpacts(block, unit, collector);
    for (let at = 0; this.#blocksReplaced.has(block) && at < collector.count; at += 1) {
      const words = this.#replaced.get(block * BLOCK_SIZE + (collector.offsets[at] ?? missing()));
      if (words !== undefined) collector.scores[at] = this.#scoreOf(words);
    }
    collector.keepAbove(floor);
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

/** The lowest impact with `impact * unit > sum`. */
function leastAbove(sum: number, unit: number): number {
  if (sum < 0) return 0;
  let least = Math.floor(sum / unit) + 1;
  // A quotient is rounded, a product is exact.
  while (least > 0 && (least - 1) * unit > sum) least -= 1;
  while (least * unit <= sum) least += 1;
  return least;
}
