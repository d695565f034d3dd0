import { CONTAGEM_MAX } from '../../contract/vocabulary.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Budget } from './budget.ts';
import { EMPTY, countBits, highestBelow, truncate } from './bitset.ts';
import type { BlockMatches, MatchesIn } from './evaluate.ts';

/** Decisions verified between two checks of the budget. */
export const VERIFIED_AT_ONCE = 64;

/** Matches, newest first. Each block is evaluated once, when first needed; counting continues after the page. */
export class NewestFirst {
  readonly #foundIn: MatchesIn;
  readonly #budget: Budget;
  #found: BlockMatches = { bits: EMPTY, verify: null };
  /** The current block, and the offset below which nothing was taken yet. */
  #block: number;
  #end: number;
  #isOpen = false;
  #taken = 0;
  #verified = 0;

  /** @param below only lower doc ids count. */
  constructor(foundIn: MatchesIn, below: number, budget: Budget) {
    this.#foundIn = foundIn;
    this.#budget = budget;
    this.#block = Math.floor((below - 1) / BLOCK_SIZE);
    this.#end = below - this.#block * BLOCK_SIZE;
  }

  /** The next matches, as many as wanted or left. @throws BudgetExceeded; the matches taken are then lost. */
  take(wanted: number): number[] {
    const docIds: number[] = [];
    while (docIds.length < wanted) {
      const docId = this.#next();
      if (docId === null) break;
      docIds.push(docId);
    }
    return docIds;
  }

  /** The number of matches, including those taken, up to one more than a page reports. @throws BudgetExceeded */
  count(): number {
    while (this.#taken <= CONTAGEM_MAX && this.#block >= 0) {
      if (!this.#isOpen) this.#open();
      if (this.#found.verify === null) this.#takeAll();
      else if (this.#next() === null) break;
    }
    return Math.min(this.#taken, CONTAGEM_MAX + 1);
  }

  #next(): number | null {
    while (this.#block >= 0) {
      if (!this.#isOpen) this.#open();
      const { bits, verify } = this.#found;
      for (;;) {
        this.#end = highestBelow(bits, this.#end);
        if (this.#end < 0) break;
        if (verify !== null) this.#checkBudget();
        if (verify !== null && !verify(this.#end)) continue;
        this.#taken += 1;
        return this.#block * BLOCK_SIZE + this.#end;
      }
      this.#close();
    }
    return null;
  }

  /** Counts the rest of the current block. */
  #takeAll(): void {
    const { bits } = this.#found;
    if (bits !== EMPTY) {
      truncate(bits, this.#end);
      this.#taken += countBits(bits);
    }
    this.#close();
  }

  #open(): void {
    this.#found = this.#foundIn(this.#block);
    this.#isOpen = true;
  }

  #close(): void {
    this.#block -= 1;
    this.#end = BLOCK_SIZE;
    this.#isOpen = false;
  }

  #checkBudget(): void {
    if (this.#verified % VERIFIED_AT_ONCE === 0) this.#budget.check();
    this.#verified += 1;
  }
}
