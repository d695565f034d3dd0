import { missing } from '../format/element-at.ts';
import { ByteReader, ByteWriter } from '../format/bytes.ts';
import { GROUP_SIZE, INLINE_MAX, PART_SIZE, skipPositions } from '../format/positions.ts';
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
  /** The open part of the old list, or all of it. */
  #old = new ByteReader(NO_BYTES);
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
    this.#old = new ByteReader(inline);
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
    this.#old.at = skipPositions(this.#old.bytes, this.#old.at, 1);
  }

  /** Adds decisions before the next one. @returns the end of their positions. */
  add(bytes: Uint8Array, from: number, decisions: number): number {
    const added = new ByteReader(bytes, from);
    for (let left = decisions; left > 0;) {
      const some = Math.min(left, PART_SIZE - this.#decisions);
      this.#put(added, some);
      left -= some;
    }
    return added.at;
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
    this.#old = new ByteReader(this.#read(this.#rank / PART_SIZE));
    for (let groups = Math.ceil((this.#end - this.#rank) / GROUP_SIZE); groups > 1; groups -= 1)
      this.#old.varint();
  }

  /** Copies decisions to the new part, which has room for them. */
  #put(from: ByteReader, decisions: number): void {
    const start = from.at;
    for (let left = decisions; left > 0;) {
      const inGroup = this.#decisions % GROUP_SIZE;
      if (inGroup === 0) this.#starts[this.#decisions / GROUP_SIZE] = this.#out.length + from.at - start;
      const some = Math.min(left, GROUP_SIZE - inGroup);
      from.at = skipPositions(from.bytes, from.at, some);
      this.#decisions += some;
      left -= some;
    }
    this.#out.copy(from.bytes, start, from.at);
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
