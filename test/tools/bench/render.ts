import type { Documento } from '../../../src/contract/documento.ts';
import { resumoOf } from '../../../src/ingest/decisao.ts';

/** A Resumo as JSON text, written from the record as it is stored: what is done where no Resumo is kept. */
export function rendered(documento: string): string {
  // Stored by the bench itself, as the service's ingest writes it.
  return JSON.stringify(resumoOf(JSON.parse(documento) as Documento));
}
