import type { CoverReply, CoverRequest } from '../../engine/messages.ts';
import { BLOCK_SIZE, WITHDRAWN_CODE, tipoCode } from '../format/schema.ts';
import { TIPOS } from '../../contract/vocabulary.ts';
import { docValues } from './filters.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';

/** A slice of the doc values, bounded by rows and block, so that a search never waits for long. */
export function cover(
  connection: Connection,
  { above, rows_max }: CoverRequest,
  snapshot: Snapshot,
): CoverReply {
  const { docs } = snapshot;
  const from = above + 1;
  const block = Math.floor(from / BLOCK_SIZE);
  const base = block * BLOCK_SIZE;
  const to = Math.min(above + rows_max, base + BLOCK_SIZE - 1, docs);
  const span = (name: 'tipo' | 'julgamento' | 'publicacao') =>
    docValues(connection, name, block, snapshot).subarray(from - base, to + 1 - base);
  const tipos = span('tipo');
  const types = new Set(tipos);
  const julgamento = extremes(span('julgamento'));
  const publicacao = extremes(span('publicacao'));
  return {
    kind: 'cover',
    total: tipos.length - tipos.filter((code) => code === WITHDRAWN_CODE).length,
    judged_min: julgamento.min,
    judged_max: julgamento.max,
    published_min: publicacao.min,
    published_max: publicacao.max,
    types: TIPOS.filter((tipo) => types.has(tipoCode(tipo))),
    to: to < docs ? to : null,
    ...stateOf(snapshot),
  };
}

function extremes(dates: Uint8Array | Uint32Array): { min: number | null; max: number | null } {
  let min: number | null = null;
  let max: number | null = null;
  for (const date of dates) {
    if (date === 0) continue;
    if (min === null || date < min) min = date;
    if (max === null || date > max) max = date;
  }
  return { min, max };
}
