import { bug } from '../../bug.ts';
import { compareNames } from '../format/terms.ts';
import { Inverter } from './inverter.ts';
import type { RecordBatch } from './record-batch.ts';

const encoder = new TextEncoder();
/** Beyond it term numbers restart, which limits memory; the record maker's limit is half. */
const TERMS_KEPT_MAX = 1_000_000;

/** A load's terms by number, and their ids. They are from the record maker, which has other numbers, or replaced decisions. */
export class TermIdMap {
  /** Inverts stored decisions; it assigns the numbers used here. */
  inverter = new Inverter();
  /** By the maker's number. */
  #numbers = new Uint32Array(1 << 16);
  #given = 0;
  #translated = new Uint32Array(1 << 10);
  /** By number; 0 if not read from the base yet. */
  #ids = new Uint32Array(1 << 16);
  /** One more than the block in which the list has a row, if known. */
  #blocks = new Uint32Array(1 << 16);

  get isFull(): boolean {
    return this.inverter.size > TERMS_KEPT_MAX;
  }

  /** Adds the terms of the maker's next numbers. */
  addTerms({ words }: Pick<RecordBatch['texts'], 'words'>): void {
    while (this.#given + words.length > this.#numbers.length) this.#numbers = doubled(this.#numbers);
    for (const word of words) {
      this.#numbers[this.#given] = this.inverter.numberOf(word);
      this.#given += 1;
    }
  }

  /** Translates the maker's numbers, into a reused array. */
  numbersOf(lists: Uint32Array): Uint32Array {
    if (lists.length > this.#translated.length) this.#translated = new Uint32Array(lists.length * 2);
    for (let at = 0; at < lists.length; at += 1) {
      const list = lists[at] ?? bug('no list');
      // Beyond, the array has zeros, or numbers of before the last restart.
      if (list >= this.#given) bug('a word that the record maker did not send');
      this.#translated[at] = this.#numbers[list] ?? bug('no number');
    }
    return this.#translated.subarray(0, lists.length);
  }

  term(number: number): string {
    return this.inverter.term(number);
  }

  /** Of a term that was `set`. */
  idOf(number: number): number {
    return this.#ids[number] ?? bug('no id');
  }

  isIn(number: number, block: number): boolean {
    return this.#blocks[number] === block + 1;
  }

  /** @param block in which it has a row; -1 if none. */
  set(number: number, id: number, block: number): void {
    while (number >= this.#ids.length) {
      this.#ids = doubled(this.#ids);
      this.#blocks = doubled(this.#blocks);
    }
    this.#ids[number] = id;
    this.#blocks[number] = block + 1;
  }

  /** Restarts with the maker's terms alone, or with none if the maker restarts too. */
  restart(withMaker: boolean): void {
    const words = withMaker
      ? []
      : Array.from(this.#numbers.subarray(0, this.#given), (one) => this.term(one));
    this.inverter = new Inverter();
    this.#given = 0;
    this.forgetIds();
    this.addTerms({ words });
  }

  /** Call it after a rollback, which frees the ids. */
  forgetIds(): void {
    this.#ids.fill(0);
    this.#blocks.fill(0);
  }
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  return new Uint32Array(numbers.buffer.transfer(numbers.byteLength * 2));
}

/** Terms and numbers in dictionary order: by bytes, which differs from UTF-16 order. */
export function inOrder(numbers: readonly number[], term: (one: number) => string) {
  const names = numbers.map((number) => ({ number, bytes: encoder.encode(term(number)) }));
  return names.toSorted((a, b) => compareNames(a.bytes, a.bytes.length, b.bytes));
}
