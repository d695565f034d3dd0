import type { CoverReply } from '../../src/engine/messages.ts';

/** A slice of the coverage of a base without decisions. */
export function emptySlice(generation: number): CoverReply {
  return {
    kind: 'cover',
    total: 0,
    judged_min: null,
    judged_max: null,
    published_min: null,
    published_max: null,
    types: [],
    to: null,
    generation,
    docs: 0,
  };
}
