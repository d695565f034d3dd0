import { BLOCK_SIZE } from '../format/schema.ts';

/** Used again for each block. */
const memory = new Uint32Array(BLOCK_SIZE);

/** The places of scores above a floor, the highest score first and of equal ones the lowest place. */
export class PlaceHeap {
  readonly #scores: Float64Array;
  readonly #places = memory;
  #size = 0;

  /** @param count how many of the scores count. At most one heap is in use at a time. */
  constructor(scores: Float64Array, count: number, floor: number) {
    this.#scores = scores;
    const places = memory;
    let size = 0;
    for (let place = 0; place < count; place += 1) {
      if ((scores[place] ?? 0) > floor) {
        places[size] = place;
        size += 1;
      }
    }
    this.#size = size;
    for (let at = (size >>> 1) - 1; at >= 0; at -= 1) this.#sink(at);
  }

  /** Takes the first; -1 where there is none. */
  pop(): number {
    if (this.#size === 0) return -1;
    const first = this.#places[0] ?? 0;
    this.#size -= 1;
    this.#places[0] = this.#places[this.#size] ?? 0;
    this.#sink(0);
    return first;
  }

  /** Those that are left, by place. */
  rest(): Uint32Array {
    return this.#places.subarray(0, this.#size).toSorted();
  }

  #sink(from: number): void {
    const places = this.#places;
    const size = this.#size;
    let at = from;
    const sunk = places[at] ?? 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isFirst(places[child + 1] ?? 0, places[child] ?? 0)) child += 1;
      if (!this.#isFirst(places[child] ?? 0, sunk)) break;
      places[at] = places[child] ?? 0;
      at = child;
    }
    if (size > 0) places[at] = sunk;
  }

  #isFirst(one: number, other: number): boolean {
    const difference = (this.#scores[one] ?? 0) - (this.#scores[other] ?? 0);
    return difference > 0 || (difference === 0 && one < other);
  }
}
