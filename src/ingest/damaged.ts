/** The input is damaged or of another kind. Nothing from its file is loaded. The message says what is wrong. */
export class Damaged extends Error {
  /** Position in the file: `byte 1234`, `after record 7`; empty for the file as a whole. */
  readonly place: string;

  constructor(reason: string, place = '') {
    super(reason);
    this.place = place;
  }
}
