import { skipPositions } from '../format/positions.ts';
import type { DocumentPostings } from './inverter.ts';

/** Postings put together by number, those of each in the order in which they came. */
export interface Groups {
  /** The numbers that have any. */
  readonly numbers: Float64Array;
  /** Where each number's postings begin in the arrays below; they end where the next number's begin. */
  readonly starts: Uint32Array;
  readonly offsets: Uint16Array;
  readonly impacts: Uint8Array;
  /** The positions of all postings, and where each number's begin. */
  readonly positions: Uint8Array;
  readonly positionStarts: Uint32Array;
}

/** A list's number, an offset and a weight. */
const POSTING_BYTES = 7;

/** What the buffer takes for a decision. */
export function postingBytes({ lists, positions }: DocumentPostings): number {
  return lists.length * POSTING_BYTES + positions.length;
}

/** The postings of a transaction's new decisions in one block, in the order in which they came. */
export class PostingBuffer {
  block = 0;
  size = 0;
  // Used again by the next transaction: the system clears new memory first.
  #numbers = new Uint32Array(1 << 16);
  #offsets = new Uint16Array(1 << 16);
  #impacts = new Uint8Array(1 << 16);
  #positions = new Uint8Array(1 << 18);
  #positionsSize = 0;

  add(offset: number, { lists, impacts, positions }: DocumentPostings): void {
    const end = this.size + lists.length;
    while (end > this.#numbers.length) this.#grow();
    this.#numbers.set(lists, this.size);
    this.#impacts.set(impacts, this.size);
    this.#offsets.fill(offset, this.size, end);
    this.size = end;
    while (this.#positionsSize + positions.length > this.#positions.length) {
      this.#positions = new Uint8Array(this.#positions.buffer.transfer(this.#positions.length * 2));
    }
    this.#positions.set(positions, this.#positionsSize);
    this.#positionsSize += positions.length;
  }

  /** Returns the postings grouped by number (a counting sort), and empties the buffer. */
  take(): Groups {
    const { size } = this;
    const all = this.#numbers;
    const starts = startsOf(all, size);
    // Where the next posting of each number goes.
    const next = starts.slice();
    const offsets = new Uint16Array(size);
    const impacts = new Uint8Array(size);
    const offsetsAsTheyCame = this.#offsets;
    const impactsAsTheyCame = this.#impacts;
    for (let at = 0; at < size; at += 1) {
      const number = all[at] ?? 0;
      const place = next[number] ?? 0;
      offsets[place] = offsetsAsTheyCame[at] ?? 0;
      impacts[place] = impactsAsTheyCame[at] ?? 0;
      next[number] = place + 1;
    }
    const grouped = this.#takePositions(size, starts.length);
    this.clear();
    return { numbers: numbersIn(starts), starts, offsets, impacts, ...grouped };
  }

  clear(): void {
    this.size = 0;
    this.#positionsSize = 0;
  }

  #takePositions(size: number, numbers: number): Pick<Groups, 'positions' | 'positionStarts'> {
    const all = this.#numbers;
    const asTheyCame = this.#positions;
    const positionStarts = new Uint32Array(numbers);
    for (let at = 0, from = 0; at < size; at += 1) {
      const number = all[at] ?? 0;
      const end = skipPositions(asTheyCame, from, 1);
      positionStarts[number + 1] = (positionStarts[number + 1] ?? 0) + end - from;
      from = end;
    }
    for (let at = 1; at < numbers; at += 1)
      positionStarts[at] = (positionStarts[at] ?? 0) + (positionStarts[at - 1] ?? 0);
    const next = positionStarts.slice();
    const positions = new Uint8Array(this.#positionsSize);
    for (let at = 0, from = 0; at < size; at += 1) {
      const number = all[at] ?? 0;
      let place = next[number] ?? 0;
      let byte: number;
      do {
        byte = asTheyCame[from] ?? 1;
        positions[place] = byte;
        from += 1;
        place += 1;
      } while ((byte & 0x81) !== 1);
      next[number] = place;
    }
    return { positions, positionStarts };
  }

  #grow(): void {
    this.#numbers = new Uint32Array(this.#numbers.buffer.transfer(this.#numbers.byteLength * 2));
    this.#offsets = new Uint16Array(this.#offsets.buffer.transfer(this.#offsets.byteLength * 2));
    this.#impacts = new Uint8Array(this.#impacts.buffer.transfer(this.#impacts.byteLength * 2));
  }
}

/** How many numbers are less than each, and, after the greatest, how many there are. */
function startsOf(numbers: Uint32Array, size: number): Uint32Array {
  let most = 0;
  for (let at = 0; at < size; at += 1) most = Math.max(most, numbers[at] ?? 0);
  const starts = new Uint32Array(most + 2);
  for (let at = 0; at < size; at += 1) {
    const next = (numbers[at] ?? 0) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  return starts;
}

function numbersIn(starts: Uint32Array): Float64Array {
  const numbers = new Float64Array(starts.length);
  let count = 0;
  for (let number = 0; number + 1 < starts.length; number += 1) {
    if (starts[number] === starts[number + 1]) continue;
    numbers[count] = number;
    count += 1;
  }
  return numbers.subarray(0, count);
}
