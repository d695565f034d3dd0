import { popCount } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';

/** A set of decisions of one block of numbers: bit `n` stands for the decision at that offset in the block. */
export type Bits = Uint32Array;

const WORDS = BLOCK_SIZE / 32;

/** What no one writes to. */
export const EMPTY: Bits = new Uint32Array(WORDS);

/** Sets of one search after the other; as many stay as one of a few million decisions takes. */
const POOL_MAX = 256;
const pool: Bits[] = [];
let taken = 0;

/**
 * Makes the memory of all sets that there are free for others: a thread runs one search after the other, and no set
 * outlives its own, but those made by `slice`. At 8 KiB each they were most of what a thread left to be collected.
 */
export function freeBits(): void {
  taken = 0;
}

/** An empty set, good until `freeBits`. */
export function newBits(): Bits {
  const bits = pool[taken];
  if (bits === undefined) return added(new Uint32Array(WORDS));
  taken += 1;
  return bits.fill(0);
}

/** A set with what another one holds, good until `freeBits`. */
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

export function isEmpty(bits: Bits): boolean {
  if (bits === EMPTY) return true;
  for (let at = 0; at < WORDS; at += 1) if (bits[at] !== 0) return false;
  return true;
}

export function setBit(bits: Bits, offset: number): void {
  const at = offset >>> 5;
  bits[at] = (bits[at] ?? 0) | (1 << (offset & 31));
}

export function hasBit(bits: Bits, offset: number): boolean {
  return ((bits[offset >>> 5] ?? 0) & (1 << (offset & 31))) !== 0;
}

/** Keeps in `bits` what `other` holds too. @returns whether that is anything. */
export function intersect(bits: Bits, other: Bits): boolean {
  let any = 0;
  for (let at = 0; at < WORDS; at += 1) {
    const both = (bits[at] ?? 0) & (other[at] ?? 0);
    bits[at] = both;
    any |= both;
  }
  return any !== 0;
}

/** Adds to `bits` what `other` holds. */
export function unite(bits: Bits, other: Bits): void {
  for (let at = 0; at < WORDS; at += 1) bits[at] = (bits[at] ?? 0) | (other[at] ?? 0);
}

/** Adds to `bits` the offsets of a list. @param count how many of `offsets` count. */
export function uniteFew(bits: Bits, offsets: Uint16Array, count: number): void {
  // By index: iterating over a typed array takes ten times as long.
  for (let at = 0; at < count; at += 1) setBit(bits, offsets[at] ?? 0);
}

/** Takes from `bits` what `other` holds. */
export function subtract(bits: Bits, other: Bits): void {
  for (let at = 0; at < WORDS; at += 1) bits[at] = (bits[at] ?? 0) & ~(other[at] ?? 0);
}

/** Takes from `bits` the offsets from `end` on. */
export function truncate(bits: Bits, end: number): void {
  if (end >= BLOCK_SIZE) return;
  const from = Math.max(0, end) >>> 5;
  const within = Math.max(0, end) & 31;
  bits[from] = (bits[from] ?? 0) & ((1 << within) - 1);
  bits.fill(0, from + 1);
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let at = 0; at < WORDS; at += 1) {
    const word = bits[at] ?? 0;
    if (word !== 0) count += popCount(word);
  }
  return count;
}

/**
 * Keeps in `bits` the offsets that stand in a list too, which ascends. @param count how many of `offsets` count.
 * @returns whether any is left.
 */
export function intersectFew(bits: Bits, offsets: Uint16Array, count: number): boolean {
  let any = 0;
  let word = 0;
  let listed = 0;
  // By index: iterating over a typed array takes ten times as long.
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? 0;
    if (offset >>> 5 !== word) {
      const kept = (bits[word] ?? 0) & listed;
      bits[word] = kept;
      any |= kept;
      listed = 0;
      for (word += 1; word < offset >>> 5; word += 1) bits[word] = 0;
    }
    listed |= 1 << (offset & 31);
  }
  const kept = (bits[word] ?? 0) & listed;
  bits[word] = kept;
  bits.fill(0, word + 1);
  return (any | kept) !== 0;
}

/** Calls `visit` with each offset in the set, in ascending order. */
export function forEachBit(bits: Bits, visit: (offset: number) => void): void {
  for (let at = 0; at < WORDS; at += 1) {
    let word = bits[at] ?? 0;
    while (word !== 0) {
      visit(at * 32 + 31 - Math.clz32(word & -word));
      word &= word - 1;
    }
  }
}

/** The highest offset in the set below another one; -1 where there is none. */
export function highestBelow(bits: Bits, end: number): number {
  let at = (end - 1) >> 5;
  if (at < 0) return -1;
  let word = bits[at] ?? 0;
  if ((end & 31) !== 0) word &= (1 << (end & 31)) - 1;
  while (word === 0) {
    at -= 1;
    if (at < 0) return -1;
    word = bits[at] ?? 0;
  }
  return at * 32 + 31 - Math.clz32(word);
}
