import type { Documento } from '../../../src/contract/documento.ts';
import { excerpt } from '../../../src/ingest/text.ts';

/** A Resumo as JSON text, written from the record as it is stored: what is done where no Resumo is kept. */
export function rendered(text: string): string {
  // Stored by the bench itself, as the service's ingest writes it.
  const documento = JSON.parse(text) as Documento;
  const { id, base, fonte, tipo, processo, classe, orgao_julgador, relator } = documento;
  const { data_julgamento, data_publicacao, ementa_status, ementa } = documento;
  const shared = { id, base, fonte, tipo, processo, classe, orgao_julgador, relator };
  const dates = { data_julgamento, data_publicacao };
  return JSON.stringify({ ...shared, ...dates, ementa_status, trecho_da_ementa: excerpt(ementa) });
}
