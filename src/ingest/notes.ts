import { Reasons } from './reasons.ts';

/** What a load reports beside its counts: none of it is a fault. Bounded, whatever the files hold. */
export class Notes {
  /** The first texts in which no decision stood. */
  readonly emptyNames: string[] = [];
  /** All of these. */
  emptyCount = 0;
  #blankCount = 0;
  /** Why records were left out. */
  readonly reasons = new Reasons();
  outdatedCount = 0;

  /** @param isAnswer true where a court says that it has none, and false where nothing was said at all. */
  empty(name: string, isAnswer: boolean): void {
    this.emptyCount += 1;
    if (this.emptyNames.length < NAMES_MAX) this.emptyNames.push(name);
    if (!isAnswer) this.#blankCount += 1;
  }

  /** True where there were texts, and each was a court's answer without a decision: that nothing is loaded is right. */
  get hasOnlyEmptyAnswers(): boolean {
    return this.emptyCount > 0 && this.#blankCount === 0 && this.leftOutCount === 0;
  }

  leftOut(reason: string): void {
    this.reasons.add(reason);
  }

  /** A decision that the base holds in a later form. */
  outdated(): void {
    this.outdatedCount += 1;
  }

  get leftOutCount(): number {
    return this.reasons.total;
  }
}

const NAMES_MAX = 5;
