import type { Documento } from '../../contract/documento.ts';
import type { IndexedField } from '../format/bm25f.ts';

type Indexable = Pick<Documento, IndexedField>;

/** The text of each indexed field. A phrase may span two elements of a list. */
export function indexedOf({
  ementa,
  tese,
  dispositivo,
  temas,
  processo,
}: Indexable): Record<IndexedField, string> {
  return {
    ementa: ementa ?? '',
    tese: tese ?? '',
    dispositivo: dispositivo ?? '',
    temas: temas?.join('\n') ?? '',
    processo: processo ?? '',
  };
}
