import { compareNames } from '../format/terms.ts';
import { Inverter } from './inverter.ts';
import type { RecordBatch } from './record-batch.ts';

const encoder = new TextEncoder();
/** Beyond this many terms the numbers begin anew, so that memory stays bounded: the maker of records has half of them. */
const TERMS_KEPT_MAX = 1_000_000;

/**
 * The terms of a load, each with a number of its own, and what is known of them in the base. A term comes from the maker of
 * records, which has numbers too, or from a stored decision that is replaced.
 */
export class TermIdMap {
  /** Of the texts of stored decisions. Its numbers are those meant here. */
  inverter = new Inverter();
  /** By the maker's number. */
  #numbers = new Uint32Array(1 << 16);
  #given = 0;
  #translated = new Uint32Array(1 << 10);
  /** By number. Ids begin with 1; 0 where the base was not asked yet. */
  #ids = new Uint32Array(1 << 16);
  /** One more than the block in which the list is known to have a row. */
  #blocks = new Uint32Array(1 << 16);

  get isFull(): boolean {
    return this.inverter.size > TERMS_KEPT_MAX;
  }

  /** Takes in the terms of the maker's next numbers. */
  addTerms({ words }: Pick<RecordBatch['texts'], 'words'>): void {
    while (this.#given + words.length > this.#numbers.length) this.#numbers = doubled(this.#numbers);
    for (const word of words) {
      this.#numbers[this.#given] = this.inverter.numberOf(word);
      this.#given += 1;
    }
  }

  /** The numbers of the maker's numbers, in an array that is used again. */
  numbersOf(lists: Uint32Array): Uint32Array {
    if (lists.length > this.#translated.length) this.#translated = new Uint32Array(lists.length * 2);
    for (let at = 0; at < lists.length; at += 1) this.#translated[at] = this.#numbers[lists[at] ?? 0] ?? 0;
    return this.#translated.subarray(0, lists.length);
  }

  textOf(number: number): string {
    return this.inverter.textOf(number);
  }

  idOf(number: number): number {
    return this.#ids[number] ?? 0;
  }

  isIn(number: number, block: number): boolean {
    return this.#blocks[number] === block + 1;
  }

  /** @param block in which it has a row; -1 where it has none. */
  set(number: number, id: number, block: number): void {
    while (number >= this.#ids.length) {
      this.#ids = doubled(this.#ids);
      this.#blocks = doubled(this.#blocks);
    }
    this.#ids[number] = id;
    this.#blocks[number] = block + 1;
  }

  /** Begins anew with the maker's terms alone; without these too where the maker does so. */
  restart(withMaker: boolean): void {
    const words = withMaker
      ? []
      : Array.from(this.#numbers.subarray(0, this.#given), (one) => this.textOf(one));
    this.inverter = new Inverter();
    this.#given = 0;
    this.forgetIds();
    this.addTerms({ words });
  }

  /** What a transaction that was rolled back has given is nobody's. */
  forgetIds(): void {
    this.#ids.fill(0);
    this.#blocks.fill(0);
  }
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  return new Uint32Array(numbers.buffer.transfer(numbers.byteLength * 2));
}

/** Terms, each beside its number, in the order of the dictionary: by bytes, which UTF-16 is not. */
export function inOrder(numbers: readonly number[], textOf: (one: number) => string) {
  const names = numbers.map((number) => ({ number, bytes: encoder.encode(textOf(number)) }));
  return names.toSorted((a, b) => compareNames(a.bytes, a.bytes.length, b.bytes));
}
