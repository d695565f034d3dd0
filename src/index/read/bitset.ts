import { missing } from '../format/element-at.ts';
import { popCount } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';

/** A set of a block's decisions: bit `n` is the decision at offset `n`. */
export type Bits = Uint32Array;
/** A block's decisions as an index keeps them, which nobody writes: ascending offsets if they are few, or a set. */
export type Members = Uint16Array | Bits;

const WORDS = BLOCK_SIZE / 32;

/** Shared and never written. */
export const EMPTY: Bits = new Uint32Array(WORDS);

/** Sets kept for the next search: enough for a few million decisions. */
const POOL_MAX = 256;
const pool: Bits[] = [];
let taken = 0;

/** Frees the memory of all sets except copies by `slice`: a thread runs one search at a time, and most garbage was sets. */
export function freeBits(): void {
  taken = 0;
}

/** An empty set, valid until `freeBits`. */
export function newBits(): Bits {
  const bits = pool[taken];
  if (bits === undefined) return added(new Uint32Array(WORDS));
  taken += 1;
  return bits.fill(0);
}

/** A copy of a set, valid until `freeBits`. */
export function copyOf(other: Bits): Bits {
  const bits = pool[taken];
  if (bits === undefined) return added(other.slice());
  taken += 1;
  bits.set(other);
  return bits;
}

function added(bits: Bits): Bits {
  if (pool.length < POOL_MAX) taken = pool.push(bits);
  return bits;
}

export function setBit(bits: Bits, offset: number): void {
  const at = offset >>> 5;
  bits[at] = (bits[at] ?? missing()) | (1 << (offset & 31));
}

export function hasBit(bits: Bits, offset: number): boolean {
  return ((bits[offset >>> 5] ?? missing()) & (1 << (offset & 31))) !== 0;
}

/** Intersects `bits` with `other`. @returns false if nothing is left. */
export function intersect(bits: Bits, other: Bits): boolean {
  let any = 0;
  for (let at = 0; at < WORDS; at += 1) {
    const both = (bits[at] ?? missing()) & (other[at] ?? missing());
    bits[at] = both;
    any |= both;
  }
  return any !== 0;
}

/** Adds `other` to `bits`. */
export function unite(bits: Bits, other: Bits): void {
  for (let at = 0; at < WORDS; at += 1) bits[at] = (bits[at] ?? missing()) | (other[at] ?? missing());
}

/** Adds the first `count` offsets to `bits`. */
export function uniteFew(bits: Bits, offsets: Uint16Array, count: number): void {
  // By index: iterating over a typed array takes ten times as long.
  for (let at = 0; at < count; at += 1) setBit(bits, offsets[at] ?? missing());
}

/** Removes `other` from `bits`. */
export function subtract(bits: Bits, other: Bits): void {
  for (let at = 0; at < WORDS; at += 1) bits[at] = (bits[at] ?? missing()) & ~(other[at] ?? missing());
}

/** Removes the offsets from `end` on. */
export function truncate(bits: Bits, end: number): void {
  if (end >= BLOCK_SIZE) return;
  const from = Math.max(0, end) >>> 5;
  const within = Math.max(0, end) & 31;
  bits[from] = (bits[from] ?? missing()) & ((1 << within) - 1);
  bits.fill(0, from + 1);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let at = 0; at < WORDS; at += 1) {
    const word = bits[at] ?? missing();
    if (word !== 0) count += popCount(word);
  }
  return count;
}

/** The highest offset in the set below `end`; -1 if none. */
export function highestBelow(bits: Bits, end: number): number {
  let at = (end - 1) >> 5;
  if (at < 0) return -1;
  let word = bits[at] ?? missing();
  if ((end & 31) !== 0) word &= (1 << (end & 31)) - 1;
  while (word === 0) {
    at -= 1;
    if (at < 0) return -1;
    word = bits[at] ?? missing();
  }
  return at * 32 + 31 - Math.clz32(word);
}

/** What all have of which there is at least one: a new set, or `EMPTY` if nothing is left. @param few sorted by length. */
export function intersection([shortest, ...longer]: readonly Uint16Array[], sets: readonly Bits[]): Bits {
  if (shortest === undefined) {
    const bits = copyOf(sets[0] ?? missing());
    return sets.every((set, at) => at === 0 || intersect(bits, set)) ? bits : EMPTY;
  }
  found.set(shortest);
  let count = shortest.length;
  for (const set of sets) if (seemsFew(set)) count = keepIn(set, found, count);
  for (const list of longer) count = keepListed(list, count);
  for (const set of sets) if (!seemsFew(set)) count = keepIn(set, found, count);
  if (count === 0) return EMPTY;
  const bits = newBits();
  uniteFew(bits, found, count);
  return bits;
}

/** The offsets that are left of an intersection, and sets of them: reused. */
const found = new Uint16Array(BLOCK_SIZE);
const marked: Bits = new Uint32Array(WORDS);
/** Steps of a binary search that take as long as marking an offset and testing this many others. */
const SEARCH_STEPS = 16;

/** Whether a set has less than half of the decisions, by a few of its words: such a set is intersected early. */
function seemsFew(set: Bits): boolean {
  let count = 0;
  for (let at = 0; at < WORDS; at += WORDS / 8) count += popCount(set[at] ?? missing());
  return count < 128;
}

/** Sets `found` to the first `count` of these offsets that the set has. @returns their number. */
function keepIn(bits: Bits, offsets: Uint16Array, count: number): number {
  let kept = 0;
  // Without a branch, which would be mispredicted half of the time.
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? missing();
    found[kept] = offset;
    kept += ((bits[offset >>> 5] ?? missing()) >>> (offset & 31)) & 1;
  }
  return kept;
}

/** Keeps the first `count` of `found` that are listed. @returns their number. */
function keepListed(listed: Uint16Array, count: number): number {
  if (count * SEARCH_STEPS > listed.length) {
    marked.fill(0);
    uniteFew(marked, found, count);
    return keepIn(marked, listed, listed.length);
  }
  let kept = 0;
  let from = 0;
  for (let at = 0; at < count; at += 1) {
    const offset = found[at] ?? missing();
    for (let end = listed.length; from < end;) {
      const middle = (from + end) >>> 1;
      if ((listed[middle] ?? missing()) < offset) from = middle + 1;
      else end = middle;
    }
    if (listed[from] === offset) found[kept++] = offset;
  }
  return kept;
}
