/** What a load has to tell beside its counts: none of it is a fault. */
export class Notes {
  /** Texts in which no decision stood. */
  readonly emptyNames: string[] = [];
  #blankCount = 0;
  /** Why records were left out, with how many. */
  readonly reasons = new Map<string, number>();
  outdatedCount = 0;

  /** @param isAnswer true where a court says that it has none, and false where nothing was said at all. */
  empty(name: string, isAnswer: boolean): void {
    this.emptyNames.push(name);
    if (!isAnswer) this.#blankCount += 1;
  }

  /** True where there were texts, and each was a court's answer without a decision: that nothing is loaded is right. */
  get hasOnlyEmptyAnswers(): boolean {
    return this.emptyNames.length > 0 && this.#blankCount === 0 && this.leftOutCount === 0;
  }

  leftOut(reason: string): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  /** A decision that the base holds in a later form. */
  outdated(): void {
    this.outdatedCount += 1;
  }

  get leftOutCount(): number {
    return [...this.reasons.values()].reduce((sum, count) => sum + count, 0);
  }
}
