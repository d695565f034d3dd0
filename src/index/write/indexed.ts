import type { Documento } from '../../contract/documento.ts';
import type { IndexedField } from '../format/bm25f.ts';

type Indexable = Pick<Documento, IndexedField>;

/** The text of each indexed field. A list's elements follow each other, and a phrase may run from one to the next. */
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
