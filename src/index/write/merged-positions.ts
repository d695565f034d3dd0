import type { ByteWriter } from '../format/bytes.ts';
import { INLINE_MAX, PART_SIZE, skipPositions } from '../format/positions.ts';

/** A part's number, positions and decisions. */
interface Part {
  readonly at: number;
  readonly bytes: Uint8Array;
  readonly decisions: number;
}

/** A list's positions in a block, while decisions are added and removed. Unchanged parts are not read. */
export class MergedPositions {
  readonly #read: (part: number) => Uint8Array;
  readonly #parts: Part[] = [];
  readonly #out: ByteWriter;
  #decisions = 0;
  #part = 0;
  /** In the old list: decisions read, where the next one begins in the bytes, and the rank at which the bytes end. */
  #rank = 0;
  #bytes: Uint8Array;
  #at = 0;
  #end: number;
  readonly #count: number;

  /**
   * @param count the list's decisions. @param inline the positions, if they are in the list.
   * @param read reads a part, if they are not. @param out reused memory.
   */
  constructor(count: number, inline: Uint8Array, read: (part: number) => Uint8Array, out: ByteWriter) {
    out.clear();
    this.#out = out;
    this.#read = read;
    this.#count = count;
    this.#bytes = inline;
    this.#end = count > INLINE_MAX ? 0 : count;
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
      const from = this.#at;
      this.#skip(decisions);
      this.#put(this.#bytes, from, this.#at, decisions);
    }
  }

  /** Drops the next decision. */
  leaveOut(): void {
    this.#open();
    this.#skip(1);
  }

  /** Adds decisions before the next one. @returns the end of their positions. */
  add(bytes: Uint8Array, from: number, decisions: number): number {
    let at = from;
    for (let left = decisions; left > 0;) {
      const some = Math.min(left, PART_SIZE - this.#decisions);
      const end = skipPositions(bytes, at, some);
      this.#put(bytes, at, end, some);
      at = end;
      left -= some;
    }
    return at;
  }

  /** The changed parts. */
  parts(): readonly Part[] {
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
    this.#bytes = this.#read(this.#rank / PART_SIZE);
    this.#at = 0;
    this.#end = Math.min(this.#rank + PART_SIZE, this.#count);
  }

  #skip(decisions: number): void {
    const isRest = this.#rank + decisions === this.#end;
    this.#at = isRest ? this.#bytes.length : skipPositions(this.#bytes, this.#at, decisions);
    this.#rank += decisions;
  }

  #put(bytes: Uint8Array, from: number, end: number, decisions: number): void {
    this.#out.copy(bytes, from, end);
    this.#decisions += decisions;
    if (this.#decisions === PART_SIZE) this.#endPart();
  }

  #endPart(): void {
    this.#parts.push({ at: this.#part, bytes: this.#out.result(), decisions: this.#decisions });
    this.#part += 1;
    this.#decisions = 0;
    this.#out.clear();
  }
}
