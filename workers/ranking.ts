import { idf } from '../src/base/relevance.ts';
import { BLOCK_SIZE, POSTING_BYTES } from '../src/base/schema.ts';
import type { Termo } from '../src/base/messages.ts';
import { forEachBit, hasBit, type Bits } from './bits.ts';
import type { Lists, TermList } from './lists.ts';
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
  readonly termo: Termo;
  readonly list: TermList;
  readonly weight: number;
}

/**
 * Scores matches block by block with the formula of `src/base/relevance.ts` and keeps the page's worth. A
 * score is an exact sum, so the order in which its terms are added does not matter.
 */
export class Ranking {
  readonly #weighted: readonly Weighted[];
  readonly #lists: Lists;
  readonly #page: RankingPage;
  readonly #scores = new Float64Array(BLOCK_SIZE);
  readonly #kept: { numero: number; score: number }[] = [];
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
    this.#lists = lists;
    this.#page = page;
    this.df = df ?? termos.map((termo) => lists.of(termo).frequency(horizon));
    this.#weighted = termos.map((termo, at) => ({
      termo,
      list: lists.of(termo),
      weight: idf(horizon, this.df[at] ?? 0),
    }));
  }

  /** @param replaced what decisions of the block weighed on the first page, by number, if not as now. */
  add(block: number, matches: Bits, replaced: ReadonlyMap<number, OldWords>): void {
    const scores = this.#scores;
    scores.fill(0);
    for (const { termo, weight } of this.#weighted) {
      if (termo.prefixo) addPrefix(scores, this.#lists.prefix(termo.texto).impacts(block), weight, matches);
      else addWord(scores, this.#lists.word(termo.texto).list(block), weight, matches);
    }
    const base = block * BLOCK_SIZE;
    for (const [numero, words] of replaced) {
      const offset = numero - base;
      if (offset >= 0 && offset < BLOCK_SIZE) scores[offset] = this.#scoreOf(words);
    }
    forEachBit(matches, (offset) => {
      this.#keep(base + offset, scores[offset] ?? 0);
    });
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
    const last = kept.at(-1);
    if (kept.length === most && last !== undefined && !comesBefore(score, numero, last.score, last.numero)) {
      return;
    }
    if (after !== null && !comesBefore(after.score, after.numero, score, numero)) return;
    let place = kept.length;
    while (place > 0) {
      const before = kept[place - 1];
      if (before === undefined || comesBefore(before.score, before.numero, score, numero)) break;
      place -= 1;
    }
    kept.splice(place, 0, { numero, score });
    if (kept.length > most) kept.pop();
  }
}

function addWord(scores: Float64Array, list: Buffer, weight: number, matches: Bits): void {
  for (let at = 0; at < list.length; at += POSTING_BYTES) {
    const offset = (list[at] ?? 0) | ((list[at + 1] ?? 0) << 8);
    if (hasBit(matches, offset)) scores[offset] = (scores[offset] ?? 0) + weight * (list[at + 2] ?? 0);
  }
}

function addPrefix(scores: Float64Array, impacts: Uint8Array | null, weight: number, matches: Bits): void {
  if (impacts === null) return;
  forEachBit(matches, (offset) => {
    scores[offset] = (scores[offset] ?? 0) + weight * (impacts[offset] ?? 0);
  });
}

/** The order of a page: the higher score first, ties by the lower number. */
function comesBefore(score: number, numero: number, otherScore: number, otherNumero: number): boolean {
  return score > otherScore || (score === otherScore && numero < otherNumero);
}
