import { popCount, type PostingList } from '../src/base/posting-list.ts';
import { BLOCK_SIZE } from '../src/base/schema.ts';
import { hasBit, type Bits } from './bits.ts';

/** The matches of a block, with a score each: as a set, and as offsets in ascending order. */
export interface Candidates {
  readonly matches: Bits;
  /** The first `count` of it. */
  readonly offsets: Uint16Array;
  readonly scores: Float64Array;
  readonly count: number;
}

const offsets = new Uint16Array(BLOCK_SIZE);
const scores = new Float64Array(BLOCK_SIZE);

/** The matches of a block with scores of 0, in memory that is used again for the next block. */
export function candidatesOf(matches: Bits): Candidates {
  let count = 0;
  for (let at = 0; at < matches.length; at += 1) {
    for (let word = matches[at] ?? 0; word !== 0; word &= word - 1) {
      offsets[count] = at * 32 + 31 - Math.clz32(word & -word);
      count += 1;
    }
  }
  scores.fill(0, 0, count);
  return { matches, offsets, scores, count };
}

/** Adds `weight` times its impact to each candidate that stands in the list. */
export function addScores(list: PostingList, candidates: Candidates, weight: number): void {
  if (list.bitmap === null) addFew(list, candidates, weight);
  else addMany(list.bitmap, list.impacts, candidates, weight);
}

/** Both are in ascending order: one walk through the list, with a finger in the candidates. */
function addFew({ offsets: listed, impacts }: PostingList, candidates: Candidates, weight: number): void {
  const { matches, offsets: wanted, scores: sums } = candidates;
  let finger = 0;
  for (let at = 0; at < impacts.length; at += 1) {
    const offset = listed?.[at] ?? 0;
    if (!hasBit(matches, offset)) continue;
    while ((wanted[finger] ?? 0) < offset) finger += 1;
    sums[finger] = (sums[finger] ?? 0) + weight * (impacts[at] ?? 0);
  }
}

/** One walk through both bitmaps, 32 decisions at a time, with a finger in the impacts and one in the scores. */
function addMany(bitmap: Uint32Array, impacts: Uint8Array, candidates: Candidates, weight: number): void {
  const { matches, scores: sums } = candidates;
  let impact = 0;
  let score = 0;
  for (let at = 0; at < bitmap.length; at += 1) {
    const listed = bitmap[at] ?? 0;
    const wanted = matches[at] ?? 0;
    if (wanted === 0) {
      if (listed !== 0) impact += popCount(listed);
      continue;
    }
    for (let both = listed | wanted; both !== 0; both &= both - 1) {
      const bit = both & -both;
      if ((wanted & bit) === 0) {
        impact += 1;
        continue;
      }
      if ((listed & bit) !== 0) {
        sums[score] = (sums[score] ?? 0) + weight * (impacts[impact] ?? 0);
        impact += 1;
      }
      score += 1;
    }
  }
}
