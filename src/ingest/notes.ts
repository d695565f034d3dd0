import { Reasons } from './reasons.ts';

/** What a load reports besides counts. Nothing here is an error. The size is bounded for any input. */
export class Notes {
  /** The first texts without a decision. */
  readonly emptyNames: string[] = [];
  /** All texts without a decision. */
  emptyCount = 0;
  #blankCount = 0;
  /** Why records were left out. */
  readonly leftOut = new Reasons();
  /** Why dates of canonical lines are not used. */
  readonly unusedDates = new Reasons();
  /** Fields that were full texts, which are never stored. */
  readonly fullTexts = new Reasons();
  /** Decisions of which the base holds a later version. */
  outdatedCount = 0;

  /** @param isAnswer true if the text is a court's answer without results; false if it is blank. */
  empty(name: string, isAnswer: boolean): void {
    this.emptyCount += 1;
    if (this.emptyNames.length < NAMES_MAX) this.emptyNames.push(name);
    if (!isAnswer) this.#blankCount += 1;
  }

  /** True if every text was a court's answer without results. Then it is correct that nothing is loaded. */
  get hasOnlyEmptyAnswers(): boolean {
    return this.emptyCount > 0 && this.#blankCount === 0 && this.leftOut.total === 0;
  }
}

const NAMES_MAX = 5;
