import { INDEXED_FIELDS, FIELD_WEIGHTS, impact, type IndexedField } from '../format/bm25f.ts';
import { ByteWriter } from '../format/bytes.ts';
import { COLUMN_SPAN, writePositions } from '../format/positions.ts';
import { forEachToken } from '../format/tokens.ts';
import { TermInterner } from './term-interner.ts';

/** The words of a decision, by their numbers in the inverter's dictionary, and what each weighs in it. */
export interface DocumentPostings {
  readonly lists: Uint32Array;
  readonly impacts: Uint8Array;
  /** The positions of each word, one word after the other (`positions.ts`). */
  readonly positions: Uint8Array;
}

/** What one decision may hold at the most, where it is not known to be sound. */
export interface WordBounds {
  /** Different words. */
  readonly words: number;
  /** Characters of one word. */
  readonly wordLength: number;
}

/** A decision that is beyond them; the message says how. */
export class BeyondWordBounds extends Error {}

const UNBOUNDED: WordBounds = { words: Infinity, wordLength: Infinity };

/** Weighs the words of decisions by the formula of `src/index/format/bm25f.ts`. */
export class Inverter {
  readonly #words = new TermInterner();
  #reported = 0;
  #tf = new Float64Array(1 << 16);
  /** Of each word its place among those of the decision at hand, from 1 on; 0 where it is not in it. */
  #ranks = new Uint32Array(1 << 16);
  /** Of the decision at hand: its words and how often each is there. */
  #found = new Uint32Array(1 << 12);
  #counts = new Uint32Array(1 << 12);
  /** Of each of its tokens the word, by its place among them, and where it stands; and these grouped by word. */
  #tokenRanks = new Uint32Array(1 << 12);
  #tokenPositions = new Uint32Array(1 << 12);
  #grouped = new Uint32Array(1 << 12);
  readonly #positions = new ByteWriter(1 << 12);
  readonly #bounds: WordBounds;

  constructor(bounds = UNBOUNDED) {
    this.#bounds = bounds;
  }

  /** Texts that it knows by now: its owner bounds them by taking a new one. */
  get size(): number {
    return this.#words.size;
  }

  /** @throws BeyondWordBounds, and the next decision can be inverted all the same. */
  invert(indexed: Readonly<Record<IndexedField, string>>): DocumentPostings {
    const { words: wordsMax, wordLength } = this.#bounds;
    let words = 0;
    let length = 0;
    for (const [at, column] of INDEXED_FIELDS.entries()) {
      const weight = FIELD_WEIGHTS[column];
      let place = at * COLUMN_SPAN;
      forEachToken(indexed[column], (codes, size) => {
        if (size > wordLength) this.#refuse(`a word of more than ${wordLength} characters`, words);
        const word = this.#wordOf(codes, size);
        let rank = this.#ranks[word] ?? 0;
        if (rank === 0) {
          if (words === wordsMax) this.#refuse(`more than ${wordsMax} different words`, words);
          if (words === this.#found.length) this.#growWords();
          this.#found[words] = word;
          words += 1;
          rank = words;
          this.#ranks[word] = rank;
          this.#counts[rank - 1] = 0;
        }
        this.#tf[word] = (this.#tf[word] ?? 0) + weight;
        this.#counts[rank - 1] = (this.#counts[rank - 1] ?? 0) + 1;
        if (length === this.#tokenRanks.length) this.#growTokens();
        this.#tokenRanks[length] = rank - 1;
        this.#tokenPositions[length] = place;
        length += 1;
        place += 1;
      });
    }
    this.#writePositions(words, length);
    return this.#take(words, length);
  }

  /** Sets back what was counted of the words found so far. */
  #refuse(reason: string, words: number): never {
    for (const word of this.#found.subarray(0, words)) {
      this.#tf[word] = 0;
      this.#ranks[word] = 0;
    }
    throw new BeyondWordBounds(reason);
  }

  textOf(number: number): string {
    return this.#words.textOf(number);
  }

  /** The number of a word by itself. */
  numberOf(word: string): number {
    return this.#wordOf(
      Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at)),
      word.length,
    );
  }

  /** The words that have got a number since they were last asked for, in the order of their numbers. */
  newWords(): string[] {
    const from = this.#reported;
    this.#reported = this.#words.size;
    return Array.from({ length: this.#words.size - from }, (_, at) => this.textOf(from + at));
  }

  /** Puts the positions of each word together (a counting sort) and writes them down. */
  #writePositions(words: number, length: number): void {
    const counts = this.#counts;
    const ranks = this.#tokenRanks;
    const positions = this.#tokenPositions;
    const grouped = this.#grouped;
    let end = 0;
    for (let rank = 0; rank < words; rank += 1) {
      end += counts[rank] ?? 0;
      counts[rank] = end;
    }
    // From the last on, so that what `counts` says is where each word's positions begin in the end.
    for (let at = length - 1; at >= 0; at -= 1) {
      const rank = ranks[at] ?? 0;
      const place = (counts[rank] ?? 0) - 1;
      counts[rank] = place;
      grouped[place] = positions[at] ?? 0;
    }
    this.#positions.clear();
    for (let rank = 0; rank < words; rank += 1) {
      const to = rank + 1 < words ? (counts[rank + 1] ?? 0) : length;
      writePositions(this.#positions, grouped, counts[rank] ?? 0, to);
    }
  }

  /** Makes impacts of the frequencies of the words found, and sets these back to nothing. */
  #take(words: number, length: number): DocumentPostings {
    // Counted loops, and no private fields in them: this is the innermost part of a load.
    const found = this.#found;
    const impacts = new Uint8Array(words);
    const tf = this.#tf;
    const ranks = this.#ranks;
    for (let at = 0; at < words; at += 1) {
      const word = found[at] ?? 0;
      const weight = impact(tf[word] ?? 0, length);
      tf[word] = 0;
      ranks[word] = 0;
      impacts[at] = weight;
    }
    return { lists: found.slice(0, words), impacts, positions: this.#positions.result() };
  }

  #growWords(): void {
    this.#found = new Uint32Array(this.#found.buffer.transfer(this.#found.byteLength * 2));
    this.#counts = new Uint32Array(this.#counts.buffer.transfer(this.#counts.byteLength * 2));
  }

  #growTokens(): void {
    this.#tokenRanks = new Uint32Array(this.#tokenRanks.buffer.transfer(this.#tokenRanks.byteLength * 2));
    this.#tokenPositions = new Uint32Array(
      this.#tokenPositions.buffer.transfer(this.#tokenPositions.byteLength * 2),
    );
    this.#grouped = new Uint32Array(this.#grouped.buffer.transfer(this.#grouped.byteLength * 2));
  }

  #wordOf(codes: Uint16Array, length: number): number {
    const known = this.#words.size;
    const word = this.#words.numberOf(codes, length);
    if (word < known) return word;
    if (word >= this.#tf.length) {
      this.#tf = new Float64Array(this.#tf.buffer.transfer(this.#tf.byteLength * 2));
      this.#ranks = new Uint32Array(this.#ranks.buffer.transfer(this.#ranks.byteLength * 2));
    }
    return word;
  }
}
