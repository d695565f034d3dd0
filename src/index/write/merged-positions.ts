import { missing } from '../format/element-at.ts';
import { ByteWriter } from '../format/bytes.ts';
import { GROUP_SIZE, INLINE_MAX, PART_SIZE, groupsOf, skipPositions } from '../format/positions.ts';
import { NO_BYTES } from '../format/posting-list.ts';

/** A part's number, and its row. */
interface PositionsPart {
  readonly at: number;
  readonly row: Uint8Array;
}

/** A list's positions in a block, while decisions are added and removed. Unchanged parts are not read. Reused: `begin` it. */
export class MergedPositions {
  readonly #out = new ByteWriter(1 << 12);
  readonly #row = new ByteWriter(1 << 12);
  readonly #old = new Cursor();
  readonly #added = new Cursor();
  #parts: PositionsPart[] = [];
  /** In the new part: its decisions, and where each group begins. */
  #decisions = 0;
  readonly #starts = new Uint32Array(PART_SIZE / GROUP_SIZE);
  #part = 0;
  /** In the old list: decisions read, and the rank at which the open bytes end. */
  #rank = 0;
  #end = 0;
  #count = 0;
  #read: (part: number) => Uint8Array = () => NO_BYTES;

  /**
   * @param count the list's decisions. @param inline the positions, if they are in the list.
   * @param read reads a part's row, if they are not.
   */
  begin(count: number, inline: Uint8Array, read: (part: number) => Uint8Array): void {
    this.#out.clear();
    this.#parts = [];
    this.#decisions = 0;
    this.#part = 0;
    this.#rank = 0;
    this.#count = count;
    this.#end = count > INLINE_MAX ? 0 : count;
    this.#old.open(inline, 0, this.#end);
    this.#read = read;
  }

  /** Keeps the decisions up to a rank. */
  keepTo(end: number): void {
    while (this.#rank < end) {
      if (this.#isUnchanged && end - this.#rank >= PART_SIZE) {
        this.#rank += PART_SIZE;
        this.#end = this.#rank;
        this.#part += 1;
        continue;
      }
      this.#open();
      const decisions = Math.min(end - this.#rank, this.#end - this.#rank, PART_SIZE - this.#decisions);
      this.#rank += decisions;
      this.#put(this.#old, decisions);
    }
  }

  /** Drops the next decision. */
  leaveOut(): void {
    this.#open();
    this.#rank += 1;
    this.#old.skip(1);
  }

  /** Adds decisions before the next one. @returns the end of their positions. */
  add(bytes: Uint8Array, from: number, decisions: number): number {
    this.#added.open(bytes, from, Infinity);
    for (let left = decisions; left > 0;) {
      const some = Math.min(left, PART_SIZE - this.#decisions);
      this.#put(this.#added, some);
      left -= some;
    }
    return this.#added.at;
  }

  /** The rows of the changed parts. */
  parts(): readonly PositionsPart[] {
    if (this.#decisions > 0) this.#endPart();
    return this.#parts;
  }

  /** All positions, if they are in the list. */
  all(): Uint8Array {
    return this.#out.result();
  }

  /** Whether an old part begins here that stays the same part. */
  get #isUnchanged(): boolean {
    const isBoundary = this.#rank === this.#end && this.#decisions === 0;
    return isBoundary && this.#part * PART_SIZE === this.#rank;
  }

  #open(): void {
    if (this.#rank < this.#end) return;
    this.#end = Math.min(this.#rank + PART_SIZE, this.#count);
    this.#old.openPart(this.#read(this.#rank / PART_SIZE), this.#end - this.#rank);
  }

  #put(from: Cursor, decisions: number): void {
    const start = from.at;
    let skipped = 0;
    for (let next = -this.#decisions & (GROUP_SIZE - 1); next < decisions; next += GROUP_SIZE) {
      from.skip(next - skipped);
      skipped = next;
      this.#starts[(this.#decisions + next) / GROUP_SIZE] = this.#out.length + from.at - start;
    }
    from.skip(decisions - skipped);
    this.#out.copy(from.bytes, start, from.at);
    this.#decisions += decisions;
    if (this.#decisions === PART_SIZE) this.#endPart();
  }

  /** Its row has the lengths of all groups but the last, and all positions. */
  #endPart(): void {
    this.#row.clear();
    for (let group = 1; group * GROUP_SIZE < this.#decisions; group += 1)
      this.#row.varint((this.#starts[group] ?? missing()) - (this.#starts[group - 1] ?? missing()));
    this.#row.copy(this.#out.bytes, 0, this.#out.length);
    this.#parts.push({ at: this.#part, row: this.#row.result() });
    this.#part += 1;
    this.#decisions = 0;
    this.#out.clear();
  }
}

/** Goes over the positions of decisions; over those of a part by its groups, without looking at every byte. */
class Cursor {
  bytes: Uint8Array = NO_BYTES;
  at = 0;
  #decision = 0;
  #decisions = 0;
  #groups: Uint32Array | null = null;

  /** @param decisions that the bytes have up to their end. */
  open(bytes: Uint8Array, at: number, decisions: number): void {
    this.bytes = bytes;
    this.at = at;
    this.#decision = 0;
    this.#decisions = decisions;
    this.#groups = null;
  }

  openPart(row: Uint8Array, decisions: number): void {
    const groups = groupsOf(row, decisions);
    this.open(row, groups[0] ?? missing(), decisions);
    this.#groups = groups;
  }

  /** @throws DamagedBase */
  skip(decisions: number): void {
    const before = this.#decision;
    const to = before + decisions;
    this.#decision = to;
    if (to === this.#decisions) {
      this.at = this.bytes.length;
      return;
    }
    const within = to % GROUP_SIZE;
    if (this.#groups !== null && decisions > within) {
      this.at = skipPositions(this.bytes, this.#groups[(to - within) / GROUP_SIZE] ?? missing(), within);
      return;
    }
    this.at = skipPositions(this.bytes, this.at, decisions);
  }
}
