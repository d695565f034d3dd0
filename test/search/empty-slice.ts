import type { CoverReply } from '../../src/engine/messages.ts';

/** What a base without decisions answers about its coverage. */
export function emptySlice(generation: number): CoverReply {
  return {
    kind: 'cover',
    total: 0,
    julgamento_min: null,
    julgamento_max: null,
    publicacao_min: null,
    publicacao_max: null,
    tipos: [],
    ate: null,
    generation,
    decisoes: 0,
  };
}
