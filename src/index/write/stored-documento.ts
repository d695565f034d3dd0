import type { Documento } from '../../contract/documento.ts';
import type { Resumo } from '../../contract/resumo.ts';

/** Reads a Documento as the base holds it, compressed and without its `id`, which is empty here. */
export function storedDocumento(compressed: Uint8Array): Documento {
  return uncompressedDocumento(Bun.zstdDecompressSync(compressed));
}

/** The same where it is not compressed. */
export function uncompressedDocumento(json: Uint8Array): Documento {
  // Written from a Decisao, so it is a Documento but for its `id`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(withEmptyId(Buffer.from(json).toString())) as Documento;
}

/** The same for a Resumo, which is not compressed. */
export function storedResumo(json: string): Resumo {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return JSON.parse(withEmptyId(json)) as Resumo;
}

/** The other way of `withoutId`. */
function withEmptyId(rest: string): string {
  return `{"id":""${rest}`;
}
