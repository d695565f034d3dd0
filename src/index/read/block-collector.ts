import { missing } from '../format/element-at.ts';
import { popCount, type PostingList } from '../format/posting-list.ts';
import { IMPACT_MAX } from '../format/bm25f.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { hasBit, type Bits } from './bitset.ts';

/** Decisions of a block, ascending, with their scores so far, in reused memory. */
export class BlockCollector {
  readonly offsets = new Uint16Array(BLOCK_SIZE);
  readonly scores = new Float64Array(BLOCK_SIZE);
  count = 0;

  add(offset: number, score: number): void {
    this.offsets[this.count] = offset;
    this.scores[this.count] = score;
    this.count += 1;
  }

  /** Replaces what was collected by these decisions, with scores of 0. */
  reset(bits: Bits): void {
    const { offsets } = this;
    let count = 0;
    for (let word = 0; word < bits.length; word += 1) {
      for (let left = bits[word] ?? missing(); left !== 0; left &= left - 1) {
        offsets[count] = word * 32 + 31 - Math.clz32(left & -left);
        count += 1;
      }
    }
    this.scores.fill(0, 0, count);
    this.count = count;
  }

  keepAbove(floor: number): void {
    const { offsets, scores, count } = this;
    let kept = 0;
    for (let at = 0; at < count; at += 1) {
      const score = scores[at] ?? missing();
      if (score <= floor) continue;
      offsets[kept] = offsets[at] ?? missing();
      scores[kept] = score;
      kept += 1;
    }
    this.count = kept;
  }
}

/** `addAtLeast` adds the matches with an impact of at least `least`; their score is `idf` times the impact. */
export interface AtLeast {
  readonly least: number;
  readonly matches: Bits;
  readonly idf: number;
}

export function addAtLeast(
  list: PostingList,
  impacts: Uint8Array,
  { least, matches, idf }: AtLeast,
  collector: BlockCollector,
): void {
  if (list.kind === 'dense') {
    forEachInBitmap(list.bitmap, impacts, least, (offset, impact) => {
      if (hasBit(matches, offset)) collector.add(offset, idf * impact);
    });
    return;
  }
  const { offsets } = list;
  for (let at = 0; at < impacts.length; at += 1) {
    const impact = impacts[at] ?? missing();
    if (impact < least) continue;
    const offset = offsets[at] ?? missing();
    if (hasBit(matches, offset)) collector.add(offset, idf * impact);
  }
}

/** Calls `visit` with each decision of a bitmap whose impact is at least `least`, ascending. */
export function forEachInBitmap(
  bitmap: Uint32Array,
  impacts: Uint8Array,
  least: number,
  visit: (offset: number, impact: number) => void,
): void {
  // An impact's rank is that of its bit in the bitmap.
  let word = 0;
  let before = 0;
  let here = popCount(bitmap[0] ?? missing());
  forEachAtLeast(impacts, least, (rank, impact) => {
    while (before + here <= rank) {
      before += here;
      word += 1;
      here = popCount(bitmap[word] ?? missing());
    }
    let bits = bitmap[word] ?? missing();
    for (let left = rank - before; left > 0; left -= 1) bits &= bits - 1;
    visit(word * 32 + 31 - Math.clz32(bits & -bits), impact);
  });
}

const EVERY = 0x01010101;
const HIGH = 0x80808080;
const LOW = 0x7f7f7f7f;

/**
 * Calls `visit` with each impact of at least `least` and its index. Goes through four at a time, because hardly any is high
 * enough. With `least` = 100, `add` has 28 in each byte:
 *
 *     impact             12   99  100  200
 *     its low 7 bits     12   99  100   72
 *     these and 28       40  127  128  100
 *     eighth bit set     no   no  yes  in the impact itself
 *
 * If no byte has the bit, all four are skipped. If `least` is 128 or more, both must have it.
 */
export function forEachAtLeast(
  impacts: Uint8Array,
  least: number,
  visit: (index: number, impact: number) => void,
): void {
  if (least > IMPACT_MAX) return;
  const { length } = impacts;
  const quads = quadsOf(impacts);
  const isHigh = least >= 128;
  // The sum of this and a byte's lowest seven bits has the eighth bit if they are at least `least`, or `least` - 128.
  const add = Math.imul(isHigh ? 256 - least : 128 - least, EVERY);
  for (let quad = 0; quad <= quads.length; quad += 1) {
    if (quad < quads.length) {
      const four = quads[quad] ?? missing();
      const sums = ((four & LOW) + add) | 0;
      if (((isHigh ? sums & four : sums | four) & HIGH) === 0) continue;
    }
    const end = Math.min(4 * quad + 4, length);
    for (let at = 4 * quad; at < end; at += 1) {
      const impact = impacts[at] ?? missing();
      if (impact >= least) visit(at, impact);
    }
  }
}

export function highestOf(impacts: Uint8Array): number {
  let max = 0;
  for (let at = 0; at < impacts.length; at += 1) {
    const impact = impacts[at] ?? missing();
    if (impact > max) max = impact;
  }
  return max;
}

/** The bytes as groups of four, without an incomplete one. */
function quadsOf(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, bytes.length >>> 2);
}

/** Adds `idf` times the impact to each hit in a list. */
export function addImpacts(
  list: PostingList,
  impacts: Uint8Array,
  idf: number,
  collector: BlockCollector,
): void {
  if (list.kind === 'sparse') addFew(list.offsets, impacts, idf, collector);
  else addMany(list.bitmap, impacts, idf, collector);
}

function addFew(listed: Uint16Array, impacts: Uint8Array, idf: number, collector: BlockCollector): void {
  const { offsets, scores, count } = collector;
  let rank = 0;
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? missing();
    while (rank < impacts.length && (listed[rank] ?? missing()) < offset) rank += 1;
    if (rank === impacts.length) return;
    if (listed[rank] === offset) scores[at] = (scores[at] ?? missing()) + idf * (impacts[rank] ?? missing());
  }
}

function addMany(bitmap: Uint32Array, impacts: Uint8Array, idf: number, collector: BlockCollector): void {
  const { offsets, scores, count } = collector;
  let word = 0;
  let before = 0;
  for (let at = 0; at < count; at += 1) {
    const offset = offsets[at] ?? missing();
    for (; word < offset >>> 5; word += 1) before += popCount(bitmap[word] ?? missing());
    const listed = bitmap[word] ?? missing();
    const bit = 1 << (offset & 31);
    if ((listed & bit) === 0) continue;
    const impact = impacts[before + popCount(listed & (bit - 1))] ?? missing();
    scores[at] = (scores[at] ?? missing()) + idf * impact;
  }
}
