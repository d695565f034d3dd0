import { barred, readSections } from './lists.ts';
import { keep, type Piece } from './pieces.ts';

const world = readSections('world');

/** The slots that draw a word of the world. */
export const WORLD_NAMES: readonly string[] = [...world.keys()];

/** The words of each slot, in the order of WORLD_NAMES, as pieces. */
export const WORLD_PIECES: readonly (readonly Piece[])[] = [...world.values()].map((words) =>
  barred(words).map(keep),
);
