/** What a load has to tell beside its counts: none of it is a fault. */
export class Notes {
  /** Texts in which no decision stood. */
  readonly emptyNames: string[] = [];
  /** Why records were left out, with how many. */
  readonly reasons = new Map<string, number>();
  outdatedCount = 0;

  empty(name: string): void {
    this.emptyNames.push(name);
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
