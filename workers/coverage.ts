import type { CoverReply, CoverRequest } from '../src/base/messages.ts';
import { TIPOS } from '../src/contract/enums.ts';
import type { Connection, Snapshot } from './connection.ts';

interface Totals {
  total: number;
  julgamento_min: number | null;
  julgamento_max: number | null;
  publicacao_min: number | null;
  publicacao_max: number | null;
  tipos: number | null;
  ate: number | null;
}

/** One slice of the narrow table: bounded by rows, so that a search waits no longer than one slice. */
const SLICE_SQL = `
  WITH fatia AS (SELECT * FROM filtro WHERE numero > ? ORDER BY numero LIMIT ?)
  SELECT count(*) AS total,
         min(julgamento) AS julgamento_min, max(julgamento) AS julgamento_max,
         min(publicacao) AS publicacao_min, max(publicacao) AS publicacao_max,
         max(numero) AS ate,
         ${TIPOS.map((_, code) => `(max(tipo = ${code}) << ${code})`).join(' + ')} AS tipos
  FROM fatia`;

export function cover({ statement }: Connection, request: CoverRequest, { geracao }: Snapshot): CoverReply {
  const totals = statement<Totals>(SLICE_SQL).get(request.acima_de, request.linhas_max);
  const total = totals?.total ?? 0;
  const bits = totals?.tipos ?? 0;
  return {
    kind: 'cover',
    total,
    julgamento_min: totals?.julgamento_min ?? null,
    julgamento_max: totals?.julgamento_max ?? null,
    publicacao_min: totals?.publicacao_min ?? null,
    publicacao_max: totals?.publicacao_max ?? null,
    tipos: TIPOS.filter((_, code) => (bits & (1 << code)) !== 0),
    ate: total < request.linhas_max ? null : (totals?.ate ?? null),
    geracao,
  };
}
