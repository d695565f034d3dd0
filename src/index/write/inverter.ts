import type { Documento } from '../../contract/documento.ts';
import { INDEXED_FIELDS, FIELD_WEIGHTS, impact, type IndexedField } from '../format/bm25f.ts';
import { ByteWriter } from '../format/bytes.ts';
import { COLUMN_SPAN, ELEMENTS_MAX, ELEMENT_GAP, writePositions } from '../format/positions.ts';
import { bug } from '../../bug.ts';
import { forEachToken } from '../format/tokens.ts';
import { TermInterner } from './term-interner.ts';

/**
 * A text by column, or the elements of a list: no phrase or NEAR spans two of them. `processo` begins with the field itself;
 * the case's other numbers, which follow, only make it found: they do not make the decision longer or a word more frequent.
 */
export type IndexedTexts = Readonly<Record<Exclude<IndexedField, 'temas' | 'processo'>, string>> & {
  readonly temas: string | readonly string[];
  readonly processo: string | readonly string[];
};

/** @param caseNumbers the case's other numbers. */
export function indexedOf(
  documento: Pick<Documento, IndexedField>,
  caseNumbers: readonly string[],
): IndexedTexts {
  const { ementa, tese, dispositivo, temas, processo } = documento;
  return {
    ementa: ementa ?? '',
    tese: tese ?? '',
    dispositivo: dispositivo ?? '',
    temas: temas ?? '',
    processo: [processo ?? '', ...caseNumbers],
  };
}

/** A decision's words, by the inverter's numbers, with an impact each. */
export interface DocumentPostings {
  readonly lists: Uint32Array;
  readonly impacts: Uint8Array;
  /** Word by word (`positions.ts`). */
  readonly positions: Uint8Array;
}

/** Limits for a decision. */
export interface WordBounds {
  /** Different words. */
  readonly words: number;
  /** Characters in a word. */
  readonly wordLength: number;
}

/** A decision exceeds them; the message says which. */
export class BeyondWordBounds extends Error {}

const UNBOUNDED: WordBounds = { words: Infinity, wordLength: Infinity };

/** Makes postings of decisions, with impacts by `src/index/format/bm25f.ts`. */
export class Inverter {
  readonly #words = new TermInterner();
  #reported = 0;
  /** The word of `numberOf`. */
  #codes = new Uint16Array(64);
  /** By word, the rank in the current decision, from 1; 0 if absent. */
  #ranks = new Uint32Array(1 << 16);
  /** The current decision's words, with their weighted frequencies and their occurrences. */
  #found = new Uint32Array(1 << 12);
  #tf = new Float64Array(1 << 12);
  #counts = new Uint32Array(1 << 12);
  /** The rank and position of every token, and the positions grouped by word. */
  #tokenRanks = new Uint32Array(1 << 12);
  #tokenPositions = new Uint32Array(1 << 12);
  #grouped = new Uint32Array(1 << 12);
  readonly #positions = new ByteWriter(1 << 12);
  readonly #bounds: WordBounds;

  constructor(bounds = UNBOUNDED) {
    this.#bounds = bounds;
  }

  /** Number of known words; its owner limits it by making a new inverter. */
  get size(): number {
    return this.#words.size;
  }

  /** @throws BeyondWordBounds; the inverter stays usable. */
  invert(indexed: IndexedTexts): DocumentPostings {
    const { words: wordsMax, wordLength } = this.#bounds;
    let words = 0;
    let length = 0;
    /** Words without those of the other numbers, which come last. */
    let counted = 0;
    for (const [at, column] of INDEXED_FIELDS.entries()) {
      const weight = FIELD_WEIGHTS[column];
      const start = at * COLUMN_SPAN;
      let position = start;
      let isOtherNumber = false;
      const visit = (codes: Uint16Array, size: number) => {
        if (size > wordLength) this.#refuse(`a word of more than ${wordLength} characters`, words);
        const word = this.#wordOf(codes, size);
        let rank = this.#ranks[word] ?? bug('no rank');
        if (rank === 0) {
          if (words === wordsMax) this.#refuse(`more than ${wordsMax} different words`, words);
          if (words === this.#found.length) this.#growWords();
          this.#found[words] = word;
          words += 1;
          rank = words;
          this.#ranks[word] = rank;
          this.#tf[rank - 1] = 0;
          this.#counts[rank - 1] = 0;
        }
        const before = this.#counts[rank - 1] ?? bug('no count');
        if (!isOtherNumber || before === 0)
          this.#tf[rank - 1] = (this.#tf[rank - 1] ?? bug('no tf')) + weight;
        this.#counts[rank - 1] = before + 1;
        if (length === this.#tokenRanks.length) this.#growTokens();
        this.#tokenRanks[length] = rank - 1;
        this.#tokenPositions[length] = position;
        length += 1;
        position += 1;
      };
      const value = indexed[column];
      const elements = typeof value === 'string' ? [value] : value;
      if (elements.length > ELEMENTS_MAX)
        this.#refuse(`more than ${ELEMENTS_MAX} elements in ${column}`, words);
      for (const [index, element] of elements.entries()) {
        // The column's first word stays at 0, for `^`.
        if (position > start) position += ELEMENT_GAP;
        isOtherNumber = column === 'processo' && index > 0;
        forEachToken(element, visit);
        if (!isOtherNumber) counted = length;
      }
    }
    this.#writePositions(words, length);
    return this.#take(words, counted);
  }

  /** Resets the ranks of the words found so far. */
  #refuse(reason: string, words: number): never {
    for (const word of this.#found.subarray(0, words)) this.#ranks[word] = 0;
    throw new BeyondWordBounds(reason);
  }

  term(number: number): string {
    return this.#words.term(number);
  }

  numberOf(word: string): number {
    if (word.length > this.#codes.length) this.#codes = new Uint16Array(2 * word.length);
    for (let at = 0; at < word.length; at += 1) this.#codes[at] = word.charCodeAt(at);
    return this.#wordOf(this.#codes, word.length);
  }

  /** The words numbered since the last call, in order. */
  newWords(): string[] {
    const from = this.#reported;
    this.#reported = this.#words.size;
    return Array.from({ length: this.#words.size - from }, (_, at) => this.term(from + at));
  }

  /** Groups the positions by word (a counting sort) and encodes them. */
  #writePositions(words: number, length: number): void {
    const counts = this.#counts;
    const ranks = this.#tokenRanks;
    const positions = this.#tokenPositions;
    const grouped = this.#grouped;
    let end = 0;
    for (let rank = 0; rank < words; rank += 1) {
      end += counts[rank] ?? bug('no count');
      counts[rank] = end;
    }
    // Backwards, so that `counts` has the start of every word's positions in the end.
    for (let at = length - 1; at >= 0; at -= 1) {
      const rank = ranks[at] ?? bug('no rank');
      const to = (counts[rank] ?? bug('no end')) - 1;
      counts[rank] = to;
      grouped[to] = positions[at] ?? bug('no position');
    }
    this.#positions.clear();
    for (let rank = 0; rank < words; rank += 1) {
      const to = rank + 1 < words ? (counts[rank + 1] ?? bug('no start')) : length;
      writePositions(this.#positions, grouped, counts[rank] ?? bug('no start'), to);
    }
  }

  /** Converts the frequencies to impacts, and resets the ranks. */
  #take(words: number, length: number): DocumentPostings {
    // No private fields in the loop: this is the innermost part of a load.
    const found = this.#found;
    const impacts = new Uint8Array(words);
    const tf = this.#tf;
    const ranks = this.#ranks;
    for (let at = 0; at < words; at += 1) {
      impacts[at] = impact(tf[at] ?? bug('no tf'), length);
      ranks[found[at] ?? bug('no word')] = 0;
    }
    return { lists: found.slice(0, words), impacts, positions: this.#positions.result() };
  }

  #growWords(): void {
    this.#found = new Uint32Array(this.#found.buffer.transfer(this.#found.byteLength * 2));
    this.#tf = new Float64Array(this.#tf.buffer.transfer(this.#tf.byteLength * 2));
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
    const word = this.#words.numberOf(codes, length);
    if (word >= this.#ranks.length)
      this.#ranks = new Uint32Array(this.#ranks.buffer.transfer(this.#ranks.byteLength * 2));
    return word;
  }
}
