import { BLOCK_SIZE } from '../format/schema.ts';
import { countBits, newBits, setSpan, type Bits } from './bitset.ts';

/** Matches of consecutive numbers of one block: bit `n` of `bits` is the decision `base + n`, those below `end` count. */
export interface Span {
  readonly base: number;
  readonly end: number;
  readonly bits: Bits;
}

/** The least span where passages are asked about. */
const SPAN_MIN = 256;
/** Of a span in which there is little to go by to the next one. */
const SPAN_GROWTH = 4;
/** Matches enough to tell from them how far it is to the last one that is wanted, and what is added to that. */
const MATCHES_TELLING = 8;
const MARGIN = 1.25;

/**
 * Matches from the newest down, span by span, each evaluated when it is first needed and once: the page takes what
 * it needs, and counting goes on from there. A span is a block; but where FTS5 has to look into each decision the first
 * one is small, for the newest matches of a common phrase stand in it, and the others as large as those before say.
 */
export class NewestFirst {
  readonly #matchesOf: (block: number, within: Bits | null) => Bits;
  readonly #known: Span[] = [];
  readonly #isStepwise: boolean;
  #size: number;
  /** Matches in the spans known, and how many numbers these go over; counted only where that tells their size. */
  #matches = 0;
  #covered = 0;
  /** All numbers from here on are in the spans known. */
  #below: number;

  /** @param below numbers from here on do not count. */
  constructor(matchesOf: (block: number, within: Bits | null) => Bits, below: number, isStepwise: boolean) {
    this.#matchesOf = matchesOf;
    this.#below = below;
    this.#isStepwise = isStepwise;
    this.#size = isStepwise ? SPAN_MIN : BLOCK_SIZE;
  }

  /**
   * @param wanted how many matches are wanted, from the newest: who has them asks for no more spans.
   * @throws BudgetExceeded; what is known until then stays known.
   */
  *spans(wanted: number): Generator<Span> {
    for (let at = 0; ; at += 1) {
      const span = this.#known[at] ?? this.#next(wanted);
      if (span === null) return;
      yield span;
    }
  }

  #next(wanted: number): Span | null {
    if (this.#below <= 0) return null;
    if (this.#isStepwise && this.#covered > 0) this.#size = this.#sizeFor(wanted - this.#matches);
    const block = Math.floor((this.#below - 1) / BLOCK_SIZE);
    const base = block * BLOCK_SIZE;
    const end = this.#below - base;
    const from = Math.max(0, end - this.#size);
    // Above the first span nothing is counted; above the others stands what was counted before.
    const isOpen = from === 0 && (end === BLOCK_SIZE || this.#known.length === 0);
    const bits = this.#matchesOf(block, isOpen ? null : spanOf(from, end));
    const span = { base, end, bits };
    this.#known.push(span);
    this.#below = base + from;
    if (this.#isStepwise) this.#matches += countBits(bits);
    this.#covered += end - from;
    return span;
  }

  /** How many numbers the next span goes over when so many matches are still wanted. */
  #sizeFor(left: number): number {
    const isTold = this.#matches >= MATCHES_TELLING;
    const size = isTold ? (left * MARGIN * this.#covered) / this.#matches : this.#size * SPAN_GROWTH;
    return Math.min(BLOCK_SIZE, Math.max(SPAN_MIN, Math.ceil(size)));
  }
}

function spanOf(from: number, end: number): Bits {
  const bits = newBits();
  setSpan(bits, from, end);
  return bits;
}
