import type { Documento } from '../../src/contract/documento.ts';
import { excerpt } from '../../src/ingest/text.ts';

/** A Resumo as JSON text, written from the record as it is stored: what is done where no Resumo is kept. */
export function rendered(documento: string): string {
  // Stored by the bench itself, as the service's ingest writes it.
  const { id, base, fonte, tipo, processo, classe, orgao_julgador, relator, ...rest } = JSON.parse(
    documento,
  ) as Documento;
  const { data_julgamento, data_publicacao, ementa_status, ementa } = rest;
  return JSON.stringify({
    id,
    base,
    fonte,
    tipo,
    processo,
    classe,
    orgao_julgador,
    relator,
    data_julgamento,
    data_publicacao,
    ementa_status,
    trecho_da_ementa: excerpt(ementa),
  });
}
