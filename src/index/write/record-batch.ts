import type { StoredRecord } from '../format/record.ts';
import type { DocumentPostings } from './inverter.ts';

/** A decision as `BaseWriter` takes it: all that can be worked out without the base, as plain data. */
export interface NewRecord extends DocumentPostings, StoredRecord {
  readonly chave: string;
  readonly isMadeUp: boolean;
  readonly digest: Uint8Array;
  /** Codes and dates as the columns of the base hold them. */
  readonly tribunal: number;
  readonly tipo: number;
  readonly julgamento: number;
  readonly publicacao: number;
  /** True when it is indexed by a full text that is not kept. */
  readonly indexesFullText: boolean;
}

/** New records of a batch of lines. */
export interface RecordBatch {
  /** In the order of the lines; the reason where a line is rejected. */
  readonly items: readonly (NewRecord | string)[];
  /** Texts whose numbers occur in this batch for the first time; all that came before are void when it restarts. */
  readonly texts: { readonly words: readonly string[]; readonly restarts: boolean };
}
