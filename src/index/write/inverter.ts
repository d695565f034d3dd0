import { COLUMNS, WEIGHTS, impact, type Column } from '../format/bm25f.ts';
import { PREFIX_LENGTH_MAX } from '../format/schema.ts';
import { forEachToken } from '../format/tokens.ts';
import { Dictionary } from './term-dictionary.ts';

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
  /** The number of the longest prefix of each of these words; each shorter one is `parents` of the longer. */
  readonly longest: Int32Array<ArrayBuffer>;
  /** Of each of these prefixes the one that is shorter by a character, -1 where there is none. */
  readonly parents: Int32Array<ArrayBuffer>;
}

/** Weighs the words of decisions by the formula of `src/index/format/bm25f.ts`. */
export class Weigher {
  readonly #words = new Dictionary();
  readonly #prefixes = new Dictionary();
  #told = { words: 0, prefixes: 0 };
  /** For each word its longest prefix, and for each prefix the next shorter one. */
  #longest = new Int32Array(1 << 16);
  #parents = new Int32Array(1 << 16);
  #tf = new Float64Array(1 << 16);
  #best = new Uint8Array(1 << 16);
  /** Of the decision at hand: its words, and what becomes of them. */
  #found = new Int32Array(1 << 12);
  #lists = new Uint32Array(1 << 14);
  #impacts = new Uint8Array(1 << 14);

  /** Texts that it knows by now: whoever keeps it bounds them by taking a new one. */
  get size(): number {
    return this.#words.size;
  }

  weigh(indexed: Readonly<Record<Column, string>>): Weights {
    let words = 0;
    let length = 0;
    for (const column of COLUMNS) {
      const weight = WEIGHTS[column];
      forEachToken(indexed[column], (codes, size) => {
        const word = this.#wordOf(codes, size);
        const before = this.#tf[word] ?? 0;
        if (before === 0) {
          if (words === this.#found.length)
            this.#found = new Int32Array(this.#found.buffer.transfer(this.#found.byteLength * 2));
          this.#found[words] = word;
          words += 1;
        }
        this.#tf[word] = before + weight;
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
    return {
      words: textsFrom(this.#words, from.words),
      prefixes: textsFrom(this.#prefixes, from.prefixes),
      longest: this.#longest.slice(from.words, this.#words.size),
      parents: this.#parents.slice(from.prefixes, this.#prefixes.size),
    };
  }

  /** Makes lists and impacts of the frequencies of the words found, and sets these back to nothing. */
  #take(words: number, length: number): Weights {
    while (words * (1 + PREFIX_LENGTH_MAX) > this.#lists.length) {
      this.#lists = new Uint32Array(this.#lists.buffer.transfer(this.#lists.byteLength * 2));
      this.#impacts = new Uint8Array(this.#impacts.buffer.transfer(this.#impacts.byteLength * 2));
    }
    // Counted loops, and no private fields in them: this is the innermost part of a load.
    const found = this.#found;
    const lists = this.#lists;
    const impacts = this.#impacts;
    const tf = this.#tf;
    const best = this.#best;
    const longest = this.#longest;
    const parents = this.#parents;
    let end = words;
    for (let at = 0; at < words; at += 1) {
      const word = found[at] ?? 0;
      const weight = impact(tf[word] ?? 0, length);
      tf[word] = 0;
      lists[at] = 2 * word;
      impacts[at] = weight;
      // A shorter prefix weighs as much as any longer one at the least: past the first that does, all others do.
      let prefix = longest[word] ?? -1;
      while (prefix >= 0) {
        const before = best[prefix] ?? 0;
        if (before >= weight) break;
        if (before === 0) {
          lists[end] = 2 * prefix + 1;
          end += 1;
        }
        best[prefix] = weight;
        prefix = parents[prefix] ?? -1;
      }
    }
    for (let at = words; at < end; at += 1) {
      const prefix = (lists[at] ?? 0) >>> 1;
      impacts[at] = best[prefix] ?? 0;
      best[prefix] = 0;
    }
    return { lists: lists.slice(0, end), impacts: impacts.slice(0, end) };
  }

  #wordOf(codes: Uint16Array, length: number): number {
    const known = this.#words.size;
    const word = this.#words.numberOf(codes, length);
    if (word < known) return word;
    if (word >= this.#tf.length) {
      this.#tf = new Float64Array(this.#tf.buffer.transfer(this.#tf.byteLength * 2));
      this.#longest = new Int32Array(this.#longest.buffer.transfer(this.#longest.byteLength * 2));
    }
    let prefix = -1;
    for (let size = 1; size <= Math.min(length, PREFIX_LENGTH_MAX); size += 1)
      prefix = this.#prefixOf(codes, size, prefix);
    this.#longest[word] = prefix;
    return word;
  }

  #prefixOf(codes: Uint16Array, length: number, parent: number): number {
    const prefix = this.#prefixes.numberOf(codes, length);
    if (prefix >= this.#best.length) {
      this.#best = new Uint8Array(this.#best.buffer.transfer(this.#best.length * 2));
      this.#parents = new Int32Array(this.#parents.buffer.transfer(this.#parents.byteLength * 2));
    }
    this.#parents[prefix] = parent;
    return prefix;
  }
}

function textsFrom(dictionary: Dictionary, start: number): string[] {
  return Array.from({ length: dictionary.size - start }, (_, at) => dictionary.textOf(start + at));
}
