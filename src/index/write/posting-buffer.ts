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

/** The postings of a transaction. */
export class PostingBuffer {
  /** The decisions, with the end of their postings and of their positions. */
  #docs: { readonly docId: number; readonly end: number; readonly positionsEnd: number }[] = [];
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
    this.#size = end;
    const positionsEnd = this.#positionsSize + positions.length;
    while (positionsEnd > this.#positions.length) {
      this.#positions = new Uint8Array(this.#positions.buffer.transfer(this.#positions.length * 2));
    }
    this.#positions.set(positions, this.#positionsSize);
    this.#positionsSize = positionsEnd;
    this.#docs.push({ docId, end, positionsEnd });
  }

  /** Groups the postings by number (a counting sort), and clears the buffer. @param terms above all numbers. */
  take(terms: number): Groups {
    const size = this.#size;
    const [all, allImpacts, allPositions] = [this.#numbers, this.#impacts, this.#positions];
    // Counted two numbers ahead, so that each number has the start of its postings in the end.
    const starts = new Uint32Array(terms + 2);
    const positionStarts = new Uint32Array(terms + 2);
    for (let at = 0, from = 0; at < size; at += 1) {
      const number = (all[at] ?? 0) + 2;
      const start = from;
      while (((allPositions[from] ?? 1) & 0x81) !== 1) from += 1;
      from += 1;
      starts[number] = (starts[number] ?? 0) + 1;
      positionStarts[number] = (positionStarts[number] ?? 0) + from - start;
    }
    for (let at = 2; at < starts.length; at += 1) {
      starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
      positionStarts[at] = (positionStarts[at] ?? 0) + (positionStarts[at - 1] ?? 0);
    }
    const docIds = new Uint32Array(size);
    const impacts = new Uint8Array(size);
    const positions = new Uint8Array(this.#positionsSize);
    for (const { docId, start, end, positionsStart } of this.#docsInOrder()) {
      for (let at = start, from = positionsStart; at < end; at += 1) {
        const next = (all[at] ?? 0) + 1;
        const posting = starts[next] ?? 0;
        docIds[posting] = docId;
        impacts[posting] = allImpacts[at] ?? 0;
        starts[next] = posting + 1;
        let to = positionStarts[next] ?? 0;
        let byte: number;
        do {
          byte = allPositions[from] ?? 1;
          positions[to] = byte;
          from += 1;
          to += 1;
        } while ((byte & 0x81) !== 1);
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

  #docsInOrder() {
    const docs = this.#docs.map(({ docId, end }, at) => {
      const before = this.#docs[at - 1];
      return { docId, start: before?.end ?? 0, end, positionsStart: before?.positionsEnd ?? 0 };
    });
    return docs.toSorted((a, b) => a.docId - b.docId);
  }

  #grow(): void {
    this.#numbers = new Uint32Array(this.#numbers.buffer.transfer(this.#numbers.byteLength * 2));
    this.#impacts = new Uint8Array(this.#impacts.buffer.transfer(this.#impacts.byteLength * 2));
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
