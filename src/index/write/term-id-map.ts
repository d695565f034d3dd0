import { compareNames } from '../format/terms.ts';
import type { NewTexts } from './inverter.ts';

const encoder = new TextEncoder();

/** The lists that an inverter's numbers stand for, and what is known of them in the base. */
export class TermIdMap {
  #words: string[] = [];
  /** By number. Ids begin with 1; 0 where the base was not asked yet. */
  #ids = new Uint32Array(1 << 16);
  /** One more than the block in which the list is known to have a row. */
  #blocks = new Uint32Array(1 << 16);

  /** Takes in the texts of the next numbers; they begin with 0 again where it restarts. */
  addTerms({ words, restarts }: NewTexts & { readonly restarts: boolean }): void {
    if (restarts) {
      this.#words = [];
      this.forgetIds();
    }
    for (const word of words) this.#words.push(word);
    while (this.#words.length > this.#ids.length) {
      this.#ids = new Uint32Array(this.#ids.buffer.transfer(this.#ids.byteLength * 2));
      this.#blocks = new Uint32Array(this.#blocks.buffer.transfer(this.#blocks.byteLength * 2));
    }
  }

  textOf(number: number): string {
    const text = this.#words[number];
    if (text === undefined) throw new Error(`no text for number ${number}`);
    return text;
  }

  idOf(number: number): number {
    return this.#ids[number] ?? 0;
  }

  setId(number: number, id: number): void {
    this.#ids[number] = id;
  }

  isIn(number: number, block: number): boolean {
    return this.#blocks[number] === block + 1;
  }

  setIn(number: number, block: number): void {
    this.#blocks[number] = block + 1;
  }

  /** What a transaction that was rolled back has given is nobody's. */
  forgetIds(): void {
    this.#ids.fill(0);
    this.#blocks.fill(0);
  }
}

/** The names of lists, each beside what it names, in the order of the dictionary: by bytes, which UTF-16 is not. */
export function inOrder<Of>(of: readonly Of[], textOf: (one: Of) => string): { of: Of; bytes: Uint8Array }[] {
  const names = of.map((one) => ({ of: one, bytes: encoder.encode(textOf(one)) }));
  return names.toSorted((a, b) => compareNames(a.bytes, a.bytes.length, b.bytes));
}
