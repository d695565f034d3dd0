import { idf } from '../format/bm25f.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Termo } from '../../engine/messages.ts';
import { hasBit, type Bits } from './bitset.ts';
import type { Lists } from './lists.ts';
import { candidatesOf, offsetAt, placeOf } from './scores.ts';
import type { TermList } from './term-list.ts';
import type { OldWords } from './versions.ts';

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

  /** @param df those of the first page; null on it. @param horizon the highest number there was then. */
  constructor(
    lists: Lists,
    termos: readonly Termo[],
    horizon: number,
    df: readonly number[] | null,
    page: RankingPage,
  ) {
    this.#page = page;
    this.df = df ?? termos.map((termo) => lists.of(termo).frequency(horizon));
    this.#weighted = termos.map((termo, at) => ({
      list: lists.of(termo),
      weight: idf(horizon, this.df[at] ?? 0),
    }));
  }

  /**
   * @param replaced what decisions of the block weighed on the first page, by number, if not as now.
   * @returns how many matches there are.
   */
  add(block: number, matches: Bits, replaced: ReadonlyMap<number, OldWords>): number {
    const candidates = candidatesOf(matches);
    const { scores, count } = candidates;
    if (count === 0) return 0;
    for (const { list, weight } of this.#weighted) list.score(block, candidates, weight);
    const base = block * BLOCK_SIZE;
    for (const [numero, words] of replaced) {
      const offset = numero - base;
      if (offset < 0 || offset >= BLOCK_SIZE || !hasBit(matches, offset)) continue;
      scores[placeOf(candidates, offset)] = this.#scoreOf(words);
    }
    for (let place = 0; place < count; place += 1) {
      const score = scores[place] ?? 0;
      // Numbers come in ascending order: of equal scores the one that is there already is before this one.
      if (score > this.#floor) this.#keep(base + offsetAt(candidates, place), score);
    }
    return count;
  }

  /** What has been kept. */
  best(): Ranked {
    return {
      numeros: this.#kept.map(({ numero }) => numero),
      scores: this.#kept.map(({ score }) => score),
    };
  }

  #scoreOf(words: OldWords): number {
    let score = 0;
    for (const { list, weight } of this.#weighted) {
      let best = 0;
      for (const id of list.ids) best = Math.max(best, words.get(id) ?? 0);
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
