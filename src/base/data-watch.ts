/**
 * Tells at once, and without asking the base, whether its data are still those of before: what an answer was made of
 * then is what it would be made of now.
 */
export interface DataWatch {
  /**
   * The number of the state that the data are in: the same number, the same data; a later state has a higher one. Null
   * where that cannot be known, or where they have only just changed and an answer may still be of what they were.
   */
  moment(): number | null;
  close(): void;
}
