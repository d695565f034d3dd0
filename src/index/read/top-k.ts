import { idf } from '../format/bm25f.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Termo } from '../../engine/messages.ts';
import { hasBit, type Bits } from './bitset.ts';
import type { Lists } from './lists.ts';
import { candidatesOf, offsetAt, placeOf, type Candidates } from './scores.ts';
import type { TermList } from './term-list.ts';
import type { Words } from '../format/word-vector.ts';
import type { Budget } from './budget.ts';
import type { Confirm } from './phrases.ts';
import { LOOKED_AT_ONCE } from './newest.ts';
import { PlaceHeap } from './place-heap.ts';

/** Matches with their scores, the best first; ties by number. */
export interface Ranked {
  readonly numeros: number[];
  readonly scores: number[];
}

/** The place after which to go on (null on the first page), and how many to keep. */
export interface RankingPage {
  readonly after: { readonly score: number; readonly numero: number } | null;
  readonly most: number;
}

/** A word of the query with the weight that its frequency gives it. */
interface Weighted {
  readonly list: TermList;
  readonly weight: number;
}

/** Of a block, how many are looked into by their scores before the others are by their numbers. */
const BEST_FIRST_MAX = 512;

/**
 * Scores matches block by block with the formula of `src/index/format/bm25f.ts` and keeps the page's worth. A
 * score is an exact sum, so the order in which its terms are added does not matter.
 */
export class Ranking {
  readonly #weighted: readonly Weighted[];
  readonly #page: RankingPage;
  readonly #kept: { numero: number; score: number }[] = [];
  /** What a score must be above to be kept: that of the last one, once there are enough. */
  #floor = Number.NEGATIVE_INFINITY;
  /** Documents that hold each term, as the first page knew them. */
  readonly df: readonly number[];
  readonly #budget: Budget;
  #looked = 0;

  /** @param df those of the first page; null on it. @param horizon the highest number there was then. */
  constructor(
    lists: Lists,
    termos: readonly Termo[],
    horizon: number,
    df: readonly number[] | null,
    page: RankingPage,
    budget: Budget,
  ) {
    this.#page = page;
    this.#budget = budget;
    this.df = df ?? termos.map((termo) => lists.of(termo).frequency(horizon));
    this.#weighted = termos.map((termo, at) => ({
      list: lists.of(termo),
      weight: idf(horizon, this.df[at] ?? 0),
    }));
  }

  /**
   * @param confirm tells which of the candidates match; null where all do. Only those are asked about that would be kept,
   *   the best of the block first, so that the others need not be.
   * @param replaced what decisions of the block weighed on the first page, by number, if not as now.
   * @returns how many candidates there are.
   */
  add(block: number, found: Bits, confirm: Confirm | null, replaced: ReadonlyMap<number, Words>): number {
    const candidates = candidatesOf(found);
    const { scores, count } = candidates;
    if (count === 0) return 0;
    for (const { list, weight } of this.#weighted) list.score(block, candidates, weight);
    const base = block * BLOCK_SIZE;
    for (const [numero, words] of replaced) {
      const offset = numero - base;
      if (offset < 0 || offset >= BLOCK_SIZE || !hasBit(found, offset)) continue;
      scores[placeOf(candidates, offset)] = this.#scoreOf(words);
    }
    if (confirm === null) this.#addAll(base, candidates);
    else this.#addConfirmed(base, candidates, confirm);
    return count;
  }

  /** True where whatever matches is kept: the page is the first and the last one. */
  get isWhole(): boolean {
    return this.#page.after === null && this.#kept.length < this.#page.most;
  }

  #addAll(base: number, candidates: Candidates): void {
    const { scores, count } = candidates;
    for (let place = 0; place < count; place += 1) {
      const score = scores[place] ?? 0;
      // Numbers come in ascending order: of equal scores the one that is there already is before this one.
      if (score > this.#floor) this.#keep(base + offsetAt(candidates, place), score);
    }
  }

  #addConfirmed(base: number, candidates: Candidates, confirm: Confirm): void {
    const { scores, count } = candidates;
    const heap = new PlaceHeap(scores, count, this.#floor);
    for (let left = BEST_FIRST_MAX; left > 0; left -= 1) {
      const place = heap.pop();
      if (place < 0) return;
      const score = scores[place] ?? 0;
      if (score <= this.#floor) return;
      this.#keepConfirmed(base, offsetAt(candidates, place), score, confirm);
    }
    // Where so many were in vain, most of the rest will be looked into: one after the other they are reached sooner.
    const rest = heap.rest();
    for (let at = 0; at < rest.length; at += 1) {
      const place = rest[at] ?? 0;
      const score = scores[place] ?? 0;
      if (score > this.#floor) this.#keepConfirmed(base, offsetAt(candidates, place), score, confirm);
    }
  }

  #keepConfirmed(base: number, offset: number, score: number, confirm: Confirm): void {
    const { after } = this.#page;
    const numero = base + offset;
    if (after !== null && !comesBefore(after.score, after.numero, score, numero)) return;
    if (this.#looked % LOOKED_AT_ONCE === 0) this.#budget.check();
    this.#looked += 1;
    if (confirm(offset)) this.#keep(numero, score);
  }

  /** What has been kept. */
  best(): Ranked {
    return {
      numeros: this.#kept.map(({ numero }) => numero),
      scores: this.#kept.map(({ score }) => score),
    };
  }

  #scoreOf(words: Words): number {
    let score = 0;
    for (const { list, weight } of this.#weighted) {
      const { texto, prefixo } = list.termo;
      let best = words.get(texto) ?? 0;
      if (prefixo)
        for (const [word, impact] of words) if (word.startsWith(texto)) best = Math.max(best, impact);
      score += weight * best;
    }
    return score;
  }

  #keep(numero: number, score: number): void {
    const kept = this.#kept;
    const { after, most } = this.#page;
    if (after !== null && !comesBefore(after.score, after.numero, score, numero)) return;
    let place = kept.length;
    while (place > 0) {
      const before = kept[place - 1];
      if (before === undefined || comesBefore(before.score, before.numero, score, numero)) break;
      place -= 1;
    }
    kept.splice(place, 0, { numero, score });
    if (kept.length > most) kept.pop();
    if (kept.length === most) this.#floor = kept.at(-1)?.score ?? this.#floor;
  }
}

/** The order of a page: the higher score first, ties by the lower number. */
function comesBefore(score: number, numero: number, otherScore: number, otherNumero: number): boolean {
  return score > otherScore || (score === otherScore && numero < otherNumero);
}
