import type { StoredRecord } from '../format/record.ts';
import type { DocumentPostings } from './inverter.ts';

/** A decision for `BaseWriter`: plain data that is made without the base. */
export interface NewRecord extends DocumentPostings, StoredRecord {
  readonly chave: string;
  readonly isMadeUp: boolean;
  readonly digest: Uint8Array;
  /** Codes and dates as in `doc_values`. */
  readonly tribunal: number;
  readonly tipo: number;
  readonly julgamento: number;
  readonly publicacao: number;
  /** True if it is indexed by a full text that is not stored. */
  readonly indexesFullText: boolean;
}

/** A batch of lines as records. */
export interface RecordBatch {
  /** In the order of the lines; the reason if a line is rejected. */
  readonly items: readonly (NewRecord | string)[];
  /** Why given dates are not used: one text for each. */
  readonly unusedDates: readonly string[];
  /** Fields of `extras` that were full texts, which are not stored. */
  readonly fullTexts: readonly string[];
  /** Words whose numbers are new in this batch; after a restart all earlier numbers are void. */
  readonly texts: { readonly words: readonly string[]; readonly restarts: boolean };
}
