import { BLOCK_SIZE } from '../format/schema.ts';
import { newBits, type Bits } from './bitset.ts';
import type { Budget } from './budget.ts';
import { Hits } from './hits.ts';
import { LOOKED_AT_ONCE } from './newest.ts';
import type { Verify } from './phrases.ts';
import { popCount } from '../format/posting-list.ts';
import type { Scoring } from './scoring.ts';

/** Matches with their scores, the best first; ties by number. */
export interface Ranked {
  readonly doc_ids: number[];
  readonly scores: number[];
}

/** The place after which to go on (null on the first page), and how many to keep. */
export interface RankingPage {
  readonly after: { readonly score: number; readonly docId: number } | null;
  readonly most: number;
}

/** Who may match in a block, and what tells whether one of them does; null where all do. */
export interface InBlock {
  readonly block: number;
  readonly bits: Bits;
  /** How many they are. */
  readonly count: number;
  readonly verify: Verify | null;
}

/**
 * Of how many candidates, as a multiple of a page, it is first looked into whether they match: the best by their scores,
 * then the best of the others. Where most of so many do not, most of the rest will be looked into.
 */
const BEST_FIRST = [2, 16];
/** Candidates that are all scored, for there to be a score that the others must have. */
const FIRST_SCORED = 512;
const FIRST_SCORED_PAGES = 4;
const PART_GROWTH = 8;

const hits = new Hits();

/**
 * The best of those who match. @param blocks ascending.
 * @returns with how many match altogether, where that was seen.
 * @throws BudgetExceeded
 */
export function rank(
  blocks: readonly InBlock[],
  scoring: Scoring,
  page: RankingPage,
  budget: Budget,
): Ranked & { readonly matches: number | null } {
  if (blocks.every(({ verify }) => verify === null)) {
    return { ...bestOf(blocks, scoring, page, budget), matches: null };
  }
  const ranked: Ranked = { doc_ids: [], scores: [] };
  let { after } = page;
  for (const pages of BEST_FIRST) {
    const best = bestOf(blocks, scoring, { after, most: pages * page.most }, budget);
    const { length } = best.doc_ids;
    const isAll = length < pages * page.most;
    // Where there are no others it is soon seen how many match.
    const wanted = isAll ? Number.POSITIVE_INFINITY : page.most;
    for (let at = 0; at < length && ranked.doc_ids.length < wanted;) {
      const end = isAll ? length : at + chunkFor(wanted - ranked.doc_ids.length);
      addVerified(ranked, slice(best, at, end), blocks, budget);
      at = end;
    }
    if (isAll || ranked.doc_ids.length >= page.most) {
      const matches = isAll && page.after === null ? ranked.doc_ids.length : null;
      return { ...slice(ranked, 0, page.most), matches };
    }
    after = { score: best.scores[length - 1] ?? 0, docId: best.doc_ids[length - 1] ?? 0 };
  }
  const most = page.most - ranked.doc_ids.length;
  const others = new Top({ after, most });
  for (const inBlock of blocks) keepBest(inBlock, scoring, others, budget);
  const { doc_ids, scores } = others.ranked();
  ranked.doc_ids.push(...doc_ids);
  ranked.scores.push(...scores);
  const isWhole = page.after === null && doc_ids.length < most;
  return { ...ranked, matches: isWhole ? ranked.doc_ids.length : null };
}

function slice({ doc_ids, scores }: Ranked, from: number, end: number): Ranked {
  return { doc_ids: doc_ids.slice(from, end), scores: scores.slice(from, end) };
}

/** Of how many it is seen at once whether they match, where so many are wanted and most do. */
function chunkFor(wanted: number): number {
  return Math.ceil(wanted * 1.25) + 2;
}

/** The best of the candidates. */
function bestOf(blocks: readonly InBlock[], scoring: Scoring, page: RankingPage, budget: Budget): Ranked {
  const top = new Top(page);
  for (const inBlock of blocks) {
    budget.check();
    if (top.floor === Number.NEGATIVE_INFINITY) scoreInParts(inBlock, scoring, top, budget);
    else keepBest({ ...inBlock, verify: null }, scoring, top, budget);
  }
  return top.ranked();
}

/** Scores ever more candidates of a block: those of a part need the scores that the one before has shown there to be. */
function scoreInParts({ block, bits }: InBlock, scoring: Scoring, top: Top, budget: Budget): void {
  let wanted = Math.max(FIRST_SCORED, FIRST_SCORED_PAGES * top.most);
  for (let from = 0; from < bits.length;) {
    let end = from;
    let count = 0;
    for (; end < bits.length && count < wanted; end += 1) count += popCount(bits[end] ?? 0);
    const part = newBits();
    part.set(bits.subarray(from, end), from);
    keepBest({ block, bits: part, count, verify: null }, scoring, top, budget);
    from = end;
    wanted *= PART_GROWTH;
  }
}

/** Adds to `ranked` those of the best candidates that match. One block is looked into after the other. */
function addVerified(ranked: Ranked, best: Ranked, blocks: readonly InBlock[], budget: Budget): void {
  const { doc_ids, scores } = best;
  const byNumber = [...doc_ids.keys()].toSorted((one, other) => (doc_ids[one] ?? 0) - (doc_ids[other] ?? 0));
  const isMatch = new Uint8Array(doc_ids.length);
  let inBlock = 0;
  let looked = 0;
  for (const at of byNumber) {
    const docId = doc_ids[at] ?? 0;
    const block = Math.floor(docId / BLOCK_SIZE);
    while ((blocks[inBlock]?.block ?? block) < block) inBlock += 1;
    if (looked++ % LOOKED_AT_ONCE === 0) budget.check();
    const verify = blocks[inBlock]?.verify ?? null;
    if (verify === null || verify(docId - block * BLOCK_SIZE)) isMatch[at] = 1;
  }
  for (const [at, docId] of doc_ids.entries()) {
    if (isMatch[at] === 0) continue;
    ranked.doc_ids.push(docId);
    ranked.scores.push(scores[at] ?? 0);
  }
}

/** Keeps the best candidates of a block; those that would be kept are looked into where they may not match. */
function keepBest({ block, bits, count, verify }: InBlock, scoring: Scoring, top: Top, budget: Budget): void {
  scoring.above(block, bits, count, top.floor, hits);
  const base = block * BLOCK_SIZE;
  let looked = 0;
  for (let at = 0; at < hits.count; at += 1) {
    const score = hits.scores[at] ?? 0;
    const offset = hits.offsets[at] ?? 0;
    if (score <= top.floor || !top.isAfter(score, base + offset)) continue;
    if (looked++ % LOOKED_AT_ONCE === 0) budget.check();
    if (verify === null || verify(offset)) top.keep(base + offset, score);
  }
}

/** The best so far. Numbers come in ascending order: of equal scores the one that is there already is the better one. */
class Top {
  readonly #after: RankingPage['after'];
  readonly most: number;
  readonly #kept: { docId: number; score: number }[] = [];
  /** What a score must be above to be kept: that of the last one, once there are enough. */
  floor = Number.NEGATIVE_INFINITY;

  constructor({ after, most }: RankingPage) {
    this.#after = after;
    this.most = most;
  }

  isAfter(score: number, docId: number): boolean {
    const after = this.#after;
    return after === null || comesBefore(after.score, after.docId, score, docId);
  }

  keep(docId: number, score: number): void {
    if (!this.isAfter(score, docId)) return;
    const kept = this.#kept;
    let place = kept.length;
    while (place > 0) {
      const before = kept[place - 1];
      if (before === undefined || comesBefore(before.score, before.docId, score, docId)) break;
      place -= 1;
    }
    kept.splice(place, 0, { docId, score });
    if (kept.length > this.most) kept.pop();
    if (kept.length === this.most) this.floor = kept.at(-1)?.score ?? this.floor;
  }

  ranked(): Ranked {
    return {
      doc_ids: this.#kept.map(({ docId }) => docId),
      scores: this.#kept.map(({ score }) => score),
    };
  }
}

/** The order of a page: the higher score first, ties by the lower number. */
function comesBefore(score: number, docId: number, otherScore: number, otherNumero: number): boolean {
  return score > otherScore || (score === otherScore && docId < otherNumero);
}
