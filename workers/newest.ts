import { BLOCK_SIZE } from '../src/base/schema.ts';
import { newBits, setSpan, type Bits } from './bits.ts';

/** Matches of consecutive numbers of one block: bit `n` of `bits` is the decision `base + n`, those below `end` count. */
export interface Span {
  readonly base: number;
  readonly end: number;
  readonly bits: Bits;
}

/** The first span where passages are asked about: a page's worth of most. */
const SPAN_MIN = 1_024;
const SPAN_GROWTH = 4;

/**
 * Matches from the newest down, span by span, each evaluated when it is first needed and once: the page takes what
 * it needs, and counting goes on from there. A span is a block; but where FTS5 has to look into each decision the first
 * ones are small, for the newest matches of a common phrase stand in them.
 */
export class NewestFirst {
  readonly #matchesOf: (block: number, within: Bits | null) => Bits;
  readonly #known: Span[] = [];
  #size: number;
  /** All numbers from here on are in the spans known. */
  #below: number;

  /** @param below numbers from here on do not count. */
  constructor(matchesOf: (block: number, within: Bits | null) => Bits, below: number, startsSmall: boolean) {
    this.#matchesOf = matchesOf;
    this.#below = below;
    this.#size = startsSmall ? SPAN_MIN : BLOCK_SIZE;
  }

  /** @throws BudgetExceeded; what is known until then stays known. */
  *spans(): Generator<Span> {
    for (let at = 0; ; at += 1) {
      const span = this.#known[at] ?? this.#next();
      if (span === null) return;
      yield span;
    }
  }

  #next(): Span | null {
    if (this.#below <= 0) return null;
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
    this.#size = Math.min(BLOCK_SIZE, this.#size * SPAN_GROWTH);
    return span;
  }
}

function spanOf(from: number, end: number): Bits {
  const bits = newBits();
  setSpan(bits, from, end);
  return bits;
}
