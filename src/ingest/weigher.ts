import { COLUMNS, WEIGHTS, impact, type Column } from '../base/relevance.ts';
import { PREFIX_LENGTH_MAX } from '../base/schema.ts';
import { forEachToken } from '../base/tokens.ts';
import { Dictionary } from './dictionary.ts';

/**
 * What a decision weighs for each list that it stands in: a word's, by an even number, twice the word's in the
 * weigher's dictionary; and a prefix's, by an odd one, with the best of its words.
 */
export interface Weights {
  readonly lists: Uint32Array;
  readonly impacts: Uint8Array;
}

/** The texts that have got a number since they were last asked for, in the order of their numbers. */
export interface NewTexts {
  readonly words: readonly string[];
  readonly prefixes: readonly string[];
}

/** Weighs the words of decisions by the formula of `src/base/relevance.ts`. */
export class Weigher {
  readonly #words = new Dictionary();
  readonly #prefixes = new Dictionary();
  #told = { words: 0, prefixes: 0 };
  /** For each word, the prefixes of it, from the shortest; -1 for lengths that it does not have. */
  #prefixesOf = new Int32Array(1 << 16);
  #tf = new Float64Array(1 << 16);
  #best = new Uint8Array(1 << 16);

  /** Texts that it knows by now: whoever keeps it bounds them by taking a new one. */
  get size(): number {
    return this.#words.size;
  }

  weigh(indexed: Readonly<Record<Column, string>>): Weights {
    const words: number[] = [];
    let length = 0;
    for (const column of COLUMNS) {
      const weight = WEIGHTS[column];
      forEachToken(indexed[column], (codes, size) => {
        const word = this.#wordOf(codes, size);
        if (this.#tf[word] === 0) words.push(word);
        this.#tf[word] = (this.#tf[word] ?? 0) + weight;
        length += 1;
      });
    }
    return this.#take(words, length);
  }

  /** The words among the weights, with their impacts. */
  wordsOf({ lists, impacts }: Weights): [string, number][] {
    const words: [string, number][] = [];
    for (const [at, number] of lists.entries()) {
      if (number % 2 === 0) words.push([this.#words.textOf(number / 2), impacts[at] ?? 0]);
    }
    return words;
  }

  newTexts(): NewTexts {
    const from = this.#told;
    this.#told = { words: this.#words.size, prefixes: this.#prefixes.size };
    return { words: textsFrom(this.#words, from.words), prefixes: textsFrom(this.#prefixes, from.prefixes) };
  }

  /** Makes lists and impacts of the frequencies, and sets these back to nothing. */
  #take(words: readonly number[], length: number): Weights {
    const prefixes: number[] = [];
    const lists = new Uint32Array(words.length * (1 + PREFIX_LENGTH_MAX));
    const impacts = new Uint8Array(lists.length);
    // Counted loops: this is the innermost part of a load, and an iterator would take as long again.
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? 0;
      const weight = impact(this.#tf[word] ?? 0, length);
      this.#tf[word] = 0;
      lists[at] = 2 * word;
      impacts[at] = weight;
      for (let place = 0; place < PREFIX_LENGTH_MAX; place += 1) {
        const prefix = this.#prefixesOf[word * PREFIX_LENGTH_MAX + place] ?? -1;
        if (prefix < 0) break;
        const best = this.#best[prefix] ?? 0;
        if (best === 0) prefixes.push(prefix);
        if (best < weight) this.#best[prefix] = weight;
      }
    }
    let end = words.length;
    for (let at = 0; at < prefixes.length; at += 1) {
      const prefix = prefixes[at] ?? 0;
      lists[end] = 2 * prefix + 1;
      impacts[end] = this.#best[prefix] ?? 0;
      this.#best[prefix] = 0;
      end += 1;
    }
    return { lists: lists.slice(0, end), impacts: impacts.slice(0, end) };
  }

  #wordOf(codes: Uint16Array, length: number): number {
    const known = this.#words.size;
    const word = this.#words.numberOf(codes, length);
    if (word < known) return word;
    const from = word * PREFIX_LENGTH_MAX;
    if (from + PREFIX_LENGTH_MAX > this.#prefixesOf.length) {
      this.#prefixesOf = new Int32Array(this.#prefixesOf.buffer.transfer(this.#prefixesOf.byteLength * 2));
    }
    if (word >= this.#tf.length)
      this.#tf = new Float64Array(this.#tf.buffer.transfer(this.#tf.byteLength * 2));
    for (let place = 0; place < PREFIX_LENGTH_MAX; place += 1) {
      const prefix = place < length ? this.#prefixes.numberOf(codes, place + 1) : -1;
      this.#prefixesOf[from + place] = prefix;
      if (prefix >= this.#best.length)
        this.#best = new Uint8Array(this.#best.buffer.transfer(this.#best.length * 2));
    }
    return word;
  }
}

function textsFrom(dictionary: Dictionary, start: number): string[] {
  return Array.from({ length: dictionary.size - start }, (_, at) => dictionary.textOf(start + at));
}
