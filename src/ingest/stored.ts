import type { Documento } from '../contract/documento.ts';

/** Reads a Documento as the base holds it, compressed and without its `id`, which is empty here. */
export function storedDocumento(compressed: Uint8Array): Documento {
  // Written from a Decisao, so it is a Documento but for its `id`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(withEmptyId(Bun.zstdDecompressSync(compressed).toString())) as Documento;
}

/** The other way of `withoutId`. */
function withEmptyId(rest: string): string {
  return `{"id":""${rest}`;
}
