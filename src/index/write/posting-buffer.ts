import { bug } from '../../bug.ts';

/** Postings grouped by term and sorted by doc id; postings for the same decision are in the order of `add`. */
export interface Groups {
  /** Numbers of terms with postings. */
  readonly numbers: Uint32Array;
  /** Where each number's postings begin in the arrays below, up to the next number's. */
  readonly starts: Uint32Array;
  readonly docIds: Uint32Array;
  readonly impacts: Uint8Array;
  /** And where each number's positions begin. */
  readonly positions: Uint8Array;
  readonly positionStarts: Uint32Array;
}

/** A term's number, a doc id and an impact. */
const POSTING_BYTES = 9;

/** A decision's postings, and where its positions begin. */
interface Doc {
  readonly docId: number;
  readonly start: number;
  readonly end: number;
  readonly positionsStart: number;
}

/** The postings of a transaction. */
export class PostingBuffer {
  #docs: Doc[] = [];
  #size = 0;
  // Reused by the next transaction.
  #numbers = new Uint32Array(1 << 16);
  #impacts = new Uint8Array(1 << 16);
  #positions = new Uint8Array(1 << 18);
  #positionsSize = 0;

  get isEmpty(): boolean {
    return this.#docs.length === 0;
  }

  /** Memory used, about. */
  get bytes(): number {
    return this.#size * POSTING_BYTES + this.#positionsSize;
  }

  add(docId: number, numbers: Uint32Array, impacts: Uint8Array, positions: Uint8Array): void {
    const end = this.#size + numbers.length;
    while (end > this.#numbers.length) this.#grow();
    this.#numbers.set(numbers, this.#size);
    this.#impacts.set(impacts, this.#size);
    const positionsEnd = this.#positionsSize + positions.length;
    while (positionsEnd > this.#positions.length) {
      this.#positions = new Uint8Array(this.#positions.buffer.transfer(this.#positions.length * 2));
    }
    this.#positions.set(positions, this.#positionsSize);
    this.#docs.push({ docId, start: this.#size, end, positionsStart: this.#positionsSize });
    this.#size = end;
    this.#positionsSize = positionsEnd;
  }

  /** Groups the postings by number (a counting sort), and clears the buffer. @param terms above all numbers. */
  take(terms: number): Groups {
    const size = this.#size;
    const [all, allImpacts, allPositions] = [this.#numbers, this.#impacts, this.#positions];
    // Counted two numbers ahead, so that each number has the start of its postings in the end.
    const starts = new Uint32Array(terms + 2);
    const positionStarts = new Uint32Array(terms + 2);
    let byte = 0;
    for (let at = 0; at < size; at += 1) {
      const number = (all[at] ?? bug('no term')) + 2;
      const first = byte;
      while (((allPositions[byte] ?? bug('no position')) & 0x81) !== 1) byte += 1;
      byte += 1;
      starts[number] = (starts[number] ?? bug('an unknown term')) + 1;
      positionStarts[number] = (positionStarts[number] ?? bug('an unknown term')) + byte - first;
    }
    // Bytes beyond are of an earlier transaction.
    if (byte !== this.#positionsSize) bug('positions of more or fewer postings');
    sumUp(starts);
    sumUp(positionStarts);
    const docIds = new Uint32Array(size);
    const impacts = new Uint8Array(size);
    const positions = new Uint8Array(this.#positionsSize);
    for (const { docId, start, end, positionsStart } of this.#docs.toSorted((a, b) => a.docId - b.docId)) {
      for (let at = start, from = positionsStart; at < end; at += 1) {
        const next = (all[at] ?? bug('no term')) + 1;
        const posting = starts[next] ?? bug('no start');
        docIds[posting] = docId;
        impacts[posting] = allImpacts[at] ?? bug('no impact');
        starts[next] = posting + 1;
        let to = positionStarts[next] ?? bug('no start');
        let code: number;
        do {
          code = allPositions[from] ?? bug('no position');
          positions[to] = code;
          from += 1;
          to += 1;
        } while ((code & 0x81) !== 1);
        positionStarts[next] = to;
      }
    }
    this.clear();
    return { numbers: numbersIn(starts), starts, docIds, impacts, positions, positionStarts };
  }

  clear(): void {
    this.#docs = [];
    this.#size = 0;
    this.#positionsSize = 0;
  }

  #grow(): void {
    this.#numbers = new Uint32Array(this.#numbers.buffer.transfer(this.#numbers.byteLength * 2));
    this.#impacts = new Uint8Array(this.#impacts.buffer.transfer(this.#impacts.byteLength * 2));
  }
}

function sumUp(counts: Uint32Array): void {
  let sum = 0;
  for (let at = 0; at < counts.length; at += 1) {
    sum += counts[at] ?? bug('no count');
    counts[at] = sum;
  }
}

function numbersIn(starts: Uint32Array): Uint32Array {
  const numbers = new Uint32Array(starts.length);
  let count = 0;
  for (let number = 0; number + 1 < starts.length; number += 1) {
    if (starts[number] === starts[number + 1]) continue;
    numbers[count] = number;
    count += 1;
  }
  return numbers.subarray(0, count);
}
