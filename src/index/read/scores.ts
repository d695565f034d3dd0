import { popCount, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { hasBit, type Bits } from './bitset.ts';
import type { Hits } from './hits.ts';

/** The matches of a block with a score each, in ascending order. */
export interface Candidates {
  readonly matches: Bits;
  /** For each 32 decisions, how many matches come before them. */
  readonly ranks: Uint32Array;
  /** The first `count` of it. */
  readonly scores: Float64Array;
  readonly count: number;
}

const ranks = new Uint32Array(BLOCK_SIZE / 32);
const scores = new Float64Array(BLOCK_SIZE);

/** The matches of a block with scores of 0, in memory that is used again for the next block. */
export function candidatesOf(matches: Bits): Candidates {
  let count = 0;
  for (let at = 0; at < matches.length; at += 1) {
    ranks[at] = count;
    const word = matches[at] ?? 0;
    if (word !== 0) count += popCount(word);
  }
  scores.fill(0, 0, count);
  return { matches, ranks, scores, count };
}

/** The index of a match among the matches, counted from 0. */
export function placeOf({ matches, ranks: before }: Candidates, offset: number): number {
  const word = matches[offset >>> 5] ?? 0;
  return (before[offset >>> 5] ?? 0) + popCount(word & ((1 << (offset & 31)) - 1));
}

/** Adds the candidates with a score above the floor to the hits. */
export function addAbove(
  { matches, ranks: before, scores: sums, count }: Candidates,
  floor: number,
  hits: Hits,
): void {
  let word = 0;
  for (let place = 0; place < count; place += 1) {
    const score = sums[place] ?? 0;
    if (score <= floor) continue;
    while (word + 1 < before.length && (before[word + 1] ?? 0) <= place) word += 1;
    let bits = matches[word] ?? 0;
    for (let left = place - (before[word] ?? 0); left > 0; left -= 1) bits &= bits - 1;
    hits.add(word * 32 + 31 - Math.clz32(bits & -bits), score);
  }
}

/** Adds to each candidate in the list its impact, times `idf`. */
export function addScores(
  { offsets, bitmap }: PostingList,
  impacts: Uint8Array,
  candidates: Candidates,
  idf: number,
): void {
  if (bitmap === null) addFew(offsets, impacts, candidates, idf);
  else addMany(bitmap, impacts, candidates, idf);
}

function addFew(offsets: Uint16Array | null, impacts: Uint8Array, candidates: Candidates, idf: number): void {
  const { matches, scores: sums } = candidates;
  for (let at = 0; at < impacts.length; at += 1) {
    const offset = offsets?.[at] ?? 0;
    if (!hasBit(matches, offset)) continue;
    const place = placeOf(candidates, offset);
    sums[place] = (sums[place] ?? 0) + idf * (impacts[at] ?? 0);
  }
}

/** Of 32 decisions, if the list has at least `FEWER` times as many as the candidates, only the candidates are visited. */
const FEWER = 2;

/** One walk through both bitmaps, 32 decisions at a time. */
function addMany(bitmap: Uint32Array, impacts: Uint8Array, candidates: Candidates, idf: number): void {
  const { matches, ranks: before, scores: sums } = candidates;
  let impact = 0;
  for (let at = 0; at < bitmap.length; at += 1) {
    const listed = bitmap[at] ?? 0;
    const wanted = matches[at] ?? 0;
    const here = popCount(listed);
    if (wanted !== 0 && here !== 0) {
      let place = before[at] ?? 0;
      if (wanted === listed) {
        for (let next = impact; next < impact + here; next += 1, place += 1) {
          sums[place] = (sums[place] ?? 0) + idf * (impacts[next] ?? 0);
        }
      } else if (popCount(wanted) * FEWER <= here) {
        for (let left = wanted; left !== 0; left &= left - 1, place += 1) {
          const bit = left & -left;
          if ((listed & bit) === 0) continue;
          const next = impact + popCount(listed & (bit - 1));
          sums[place] = (sums[place] ?? 0) + idf * (impacts[next] ?? 0);
        }
      } else {
        let next = impact;
        for (let both = listed | wanted; both !== 0; both &= both - 1) {
          const bit = both & -both;
          const isListed = (listed & bit) !== 0;
          if ((wanted & bit) !== 0) {
            if (isListed) sums[place] = (sums[place] ?? 0) + idf * (impacts[next] ?? 0);
            place += 1;
          }
          if (isListed) next += 1;
        }
      }
    }
    impact += here;
  }
}
