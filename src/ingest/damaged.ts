/** Input that is not what it should be. Nothing of its file is loaded; the message says what and where, plainly. */
export class Damaged extends Error {
  /** Where in the file: `byte 1234`, `after record 7`; empty where it is the file as a whole. */
  readonly place: string;

  constructor(reason: string, place = '') {
    super(reason);
    this.place = place;
  }
}
