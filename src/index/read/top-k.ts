import { elementAt, missing } from '../format/element-at.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { newBits, type Bits } from './bitset.ts';
import type { Budget } from './budget.ts';
import { BlockCollector } from './block-collector.ts';
import { VERIFIED_AT_ONCE } from './newest.ts';
import type { Verify } from './phrases.ts';
import { popCount } from '../format/posting-list.ts';
import type { Scoring } from './scoring.ts';

/** Decisions and scores, best first; ties by doc id. */
export interface Ranked {
  readonly docIds: number[];
  readonly scores: number[];
}

/** The hit after which the page begins (null on the first page), and its length. */
export interface RankingPage {
  readonly after: { readonly score: number; readonly docId: number } | null;
  readonly most: number;
}

/** A block's candidates, and their check; null if all match. */
export interface InBlock {
  readonly block: number;
  readonly bits: Bits;
  readonly count: number;
  readonly verify: Verify | null;
}

/** Pages of best candidates that are verified first; usually no more are needed. */
const BEST_PAGES = 2;
const NEXT_PAGES = 16;
/** Candidates that are all scored first, which gives a floor for all later ones. */
const FIRST_SCORED = 512;
const FIRST_SCORED_PAGES = 4;
const PART_GROWTH = 8;

const collector = new BlockCollector();

/** A query's candidates, and their scoring. */
export interface CandidateSet {
  /** Ascending. */
  readonly blocks: readonly InBlock[];
  readonly scoring: Scoring;
  readonly budget: Budget;
}

/** @returns also the number of all matches, if known. @throws BudgetExceeded */
export function rank(
  candidates: CandidateSet,
  page: RankingPage,
): Ranked & { readonly matches: number | null } {
  if (candidates.blocks.every(({ verify }) => verify === null))
    return { ...bestOf(candidates, page), matches: null };
  const ranking = new Ranking(candidates, page);
  if (!ranking.verifyBest(BEST_PAGES) && !ranking.verifyBest(NEXT_PAGES)) ranking.verifyOthers();
  return ranking.result();
}

/** Ranks candidates that must be verified in three phases: best by score, next best, then all that would enter the page. */
class Ranking {
  readonly #candidates: CandidateSet;
  readonly #page: RankingPage;
  readonly #found: Ranked = { docIds: [], scores: [] };
  /** The last candidate that was verified. */
  #after: RankingPage['after'];
  #isWhole = false;

  constructor(candidates: CandidateSet, page: RankingPage) {
    this.#candidates = candidates;
    this.#page = page;
    this.#after = page.after;
  }

  /** Verifies the best candidates that are left. @returns whether the page is complete. */
  verifyBest(pages: number): boolean {
    const most = pages * this.#page.most;
    const best = bestOf(this.#candidates, { after: this.#after, most });
    const { length } = best.docIds;
    // If no more are left, the number of matches is soon known.
    this.#isWhole = length < most;
    for (let at = 0; at < length && (this.#isWhole || this.#wanted > 0);) {
      const end = this.#isWhole ? length : at + chunkFor(this.#wanted);
      addVerified(this.#found, slice(best, at, end), this.#candidates);
      at = end;
    }
    if (length > 0)
      this.#after = { score: elementAt(best.scores, length - 1), docId: elementAt(best.docIds, length - 1) };
    return this.#isWhole || this.#wanted <= 0;
  }

  verifyOthers(): void {
    const { blocks, scoring, budget } = this.#candidates;
    const top = new Top({ after: this.#after, most: this.#wanted });
    for (const inBlock of blocks) keepBest(inBlock, scoring, top, budget);
    const { docIds, scores } = top.ranked();
    this.#found.docIds.push(...docIds);
    this.#found.scores.push(...scores);
    this.#isWhole = this.#wanted > 0;
  }

  result(): Ranked & { readonly matches: number | null } {
    const areAll = this.#isWhole && this.#page.after === null;
    const matches = areAll ? this.#found.docIds.length : null;
    return { ...slice(this.#found, 0, this.#page.most), matches };
  }

  get #wanted(): number {
    return this.#page.most - this.#found.docIds.length;
  }
}

function slice({ docIds, scores }: Ranked, from: number, end: number): Ranked {
  return { docIds: docIds.slice(from, end), scores: scores.slice(from, end) };
}

/** Candidates to verify at a time if most match. */
function chunkFor(wanted: number): number {
  return Math.ceil(wanted * 1.25) + 2;
}

/** The best candidates, verified or not. */
function bestOf({ blocks, scoring, budget }: CandidateSet, page: RankingPage): Ranked {
  const top = new Top(page);
  for (const inBlock of blocks) {
    budget.check();
    if (top.floor === Number.NEGATIVE_INFINITY) scoreInParts(inBlock, scoring, top, budget);
    else keepBest({ ...inBlock, verify: null }, scoring, top, budget);
  }
  return top.ranked();
}

/** Scores a block in growing parts: each part needs scores above the floor set by earlier parts. */
function scoreInParts({ block, bits }: InBlock, scoring: Scoring, top: Top, budget: Budget): void {
  let wanted = Math.max(FIRST_SCORED, FIRST_SCORED_PAGES * top.most);
  for (let from = 0; from < bits.length;) {
    let end = from;
    let count = 0;
    for (; end < bits.length && count < wanted; end += 1) count += popCount(bits[end] ?? missing());
    const part = newBits();
    part.set(bits.subarray(from, end), from);
    keepBest({ block, bits: part, count, verify: null }, scoring, top, budget);
    from = end;
    wanted *= PART_GROWTH;
  }
}

/** Adds the best candidates that match to `found`. Verifies them block by block. */
function addVerified(found: Ranked, best: Ranked, { blocks, budget }: CandidateSet): void {
  const { docIds, scores } = best;
  const byDocId = [...docIds.keys()].toSorted(
    (one, other) => (docIds[one] ?? missing()) - (docIds[other] ?? missing()),
  );
  const isMatch = new Uint8Array(docIds.length);
  let inBlock = 0;
  let verified = 0;
  for (const at of byDocId) {
    const docId = docIds[at] ?? missing();
    const block = Math.floor(docId / BLOCK_SIZE);
    while ((blocks[inBlock] ?? missing()).block < block) inBlock += 1;
    if (verified++ % VERIFIED_AT_ONCE === 0) budget.check();
    const { verify } = blocks[inBlock] ?? missing();
    if (verify === null || verify(docId - block * BLOCK_SIZE)) isMatch[at] = 1;
  }
  for (const [at, docId] of docIds.entries()) {
    if (isMatch[at] === 0) continue;
    found.docIds.push(docId);
    found.scores.push(scores[at] ?? missing());
  }
}

/** Keeps the best candidates of a block, verified if they must be. */
function keepBest({ block, bits, count, verify }: InBlock, scoring: Scoring, top: Top, budget: Budget): void {
  scoring.above(block, bits, count, top.floor, collector);
  const base = block * BLOCK_SIZE;
  let verified = 0;
  for (let at = 0; at < collector.count; at += 1) {
    const score = collector.scores[at] ?? missing();
    const offset = collector.offsets[at] ?? missing();
    if (score <= top.floor || !top.isAfter(score, base + offset)) continue;
    if (verified++ % VERIFIED_AT_ONCE === 0) budget.check();
    if (verify === null || verify(offset)) top.keep(base + offset, score);
  }
}

/** The best so far. Doc ids ascend, so that of equal scores the earlier one is better. */
class Top {
  readonly #after: RankingPage['after'];
  readonly most: number;
  readonly #kept: { docId: number; score: number }[] = [];
  /** Only higher scores are kept: the lowest score kept, once there are enough. */
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
    let at = kept.length;
    while (at > 0) {
      const before = kept[at - 1];
      if (before === undefined || comesBefore(before.score, before.docId, score, docId)) break;
      at -= 1;
    }
    kept.splice(at, 0, { docId, score });
    if (kept.length > this.most) kept.pop();
    if (kept.length === this.most) this.floor = kept.at(-1)?.score ?? this.floor;
  }

  ranked(): Ranked {
    return {
      docIds: this.#kept.map(({ docId }) => docId),
      scores: this.#kept.map(({ score }) => score),
    };
  }
}

/** The order of a page: the higher score first, ties by the lower doc id. */
function comesBefore(score: number, docId: number, otherScore: number, otherDocId: number): boolean {
  return score > otherScore || (score === otherScore && docId < otherDocId);
}
