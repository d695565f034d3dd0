import { bug } from '../../bug.ts';
import { tokenOf } from '../format/tokens.ts';

const SLOTS_MIN = 1 << 16;
const CHARACTERS_MIN = 1 << 18;

/** Numbers texts from 0 in the order of their first use. Texts are looked up by character codes, without making strings. */
export class TermInterner {
  /** Open addressing: for each slot one more than a number, or 0 if free, and its hash. At most half are used. */
  #slots = new Int32Array(2 * SLOTS_MIN);
  /** Where each text begins in `#characters`, up to the next one. */
  #starts = new Uint32Array(SLOTS_MIN / 2 + 1);
  #characters = new Uint16Array(CHARACTERS_MIN);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a text, the first `length` codes; a new one if unknown. */
  numberOf(codes: Uint16Array, length: number): number {
    let hash = length;
    for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (codes[at] ?? bug('no code')), 0x01000193);
    hash ^= hash >>> 15;
    // The index of a slot is even.
    const mask = this.#slots.length - 2;
    let slot = (2 * hash) & mask;
    for (;;) {
      const number = (this.#slots[slot] ?? bug('no slot')) - 1;
      if (number < 0) break;
      if (this.#slots[slot + 1] === hash && this.#holds(number, codes, length)) return number;
      slot = (slot + 2) & mask;
    }
    return this.#add(codes, length, hash, slot);
  }

  term(number: number): string {
    if (number >= this.#size) bug('a number without a text');
    const start = this.#starts[number] ?? bug('no start');
    return tokenOf(this.#characters, start, (this.#starts[number + 1] ?? bug('no end')) - start);
  }

  #holds(number: number, codes: Uint16Array, length: number): boolean {
    const start = this.#starts[number] ?? bug('no start');
    if ((this.#starts[number + 1] ?? bug('no end')) - start !== length) return false;
    for (let at = 0; at < length; at += 1) if (this.#characters[start + at] !== codes[at]) return false;
    return true;
  }

  #add(codes: Uint16Array, length: number, hash: number, slot: number): number {
    const number = this.#size;
    const start = this.#starts[number] ?? bug('no start');
    while (start + length > this.#characters.length) this.#growCharacters();
    for (let at = 0; at < length; at += 1) this.#characters[start + at] = codes[at] ?? bug('no code');
    this.#starts[number + 1] = start + length;
    this.#slots[slot] = number + 1;
    this.#slots[slot + 1] = hash;
    this.#size += 1;
    if (this.#size * 4 === this.#slots.length) this.#grow();
    return number;
  }

  #grow(): void {
    this.#starts = new Uint32Array(this.#starts.buffer.transfer((this.#slots.length / 2 + 1) * 4));
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 2;
    for (let from = 0; from < this.#slots.length; from += 2) {
      if (this.#slots[from] === 0) continue;
      const hash = this.#slots[from + 1] ?? bug('no hash');
      let slot = (2 * hash) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = this.#slots[from] ?? bug('no slot');
      slots[slot + 1] = hash;
    }
    this.#slots = slots;
  }

  #growCharacters(): void {
    const { buffer, byteLength } = this.#characters;
    this.#characters = new Uint16Array(buffer.transfer(byteLength * 2));
  }
}
