import type { CoverReply } from '../../src/engine/messages.ts';

/** What a base without decisions answers about its coverage. */
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
