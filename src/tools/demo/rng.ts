import { at } from './lists.ts';

/**
 * A seeded stream of pseudo-random numbers (sfc32). Each decision owns a stream that depends only on
 * the seed, the base and the line number, so a longer run extends a shorter one byte for byte.
 */
export class Rng {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  constructor(seed: number, stream = 0, index = 0) {
    this.reseed(seed, stream, index);
  }

  /** Restarts with the stream of (seed, stream, index), so that one object serves millions of decisions. */
  reseed(seed: number, stream: number, index: number): void {
    this.#a = scramble(seed);
    this.#b = scramble(index + Math.imul(stream + 1, 0x85ebca6b));
    // The part of a seed beyond 32 bits counts too.
    this.#c = scramble(scramble(Math.floor(seed / 0x1_0000_0000)) + this.#a + stream);
    this.#counter = 1;
    for (let round = 0; round < 10; round += 1) this.bits();
  }

  /** The next 32 bits, as an unsigned integer. */
  bits(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  unit(): number {
    return this.bits() * 2.3283064365386963e-10;
  }

  /** A whole number in [0, n). */
  below(n: number): number {
    return Math.floor(this.bits() * 2.3283064365386963e-10 * n);
  }

  /** A whole number in [low, high], both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.bits() * 2.3283064365386963e-10 < probability;
  }

  pick<T>(list: readonly T[]): T {
    return at(list, this.below(list.length));
  }

  /** A rank in [0, n), with probability falling as 1/(rank + shift). */
  zipf(n: number, shift: number): number {
    return Math.floor(shift * (Math.exp(this.unit() * Math.log((n + shift) / shift)) - 1));
  }
}

function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}
