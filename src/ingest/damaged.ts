import { BeyondBounds } from './bounds.ts';

/** The input is damaged or of another kind. Nothing from its file is loaded. The message says what is wrong. */
export class Damaged extends Error {
  /** Position in the file: `byte 1234`, `after record 7`; empty for the file as a whole. */
  readonly place: string;

  constructor(reason: string, place = '') {
    super(reason);
    this.place = place;
  }
}

/** Runs a read. @throws Damaged with the position if a record exceeds a limit. */
export function withinBounds<T>(read: () => T, place: () => string): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BeyondBounds ? new Damaged(error.message, place()) : error;
  }
}
