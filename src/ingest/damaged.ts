import { BeyondBounds } from './bounds.ts';

/** Input that is not what it should be. Nothing of its file is loaded; the message says what and where, plainly. */
export class Damaged extends Error {
  /** Where in the file: `byte 1234`, `after record 7`; empty where it is the file as a whole. */
  readonly place: string;

  constructor(reason: string, place = '') {
    super(reason);
    this.place = place;
  }
}

/** Runs a reading that may find a record beyond a bound. @throws Damaged with the place for it. */
export function withinBounds<T>(read: () => T, place: () => string): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BeyondBounds ? new Damaged(error.message, place()) : error;
  }
}
