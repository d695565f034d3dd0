import type Database from 'better-sqlite3';
import {
  BLOCK_SIZE,
  DOC_VALUES,
  DOC_VALUE_NAMES,
  WITHDRAWN_CODE,
  docValuesKey,
  type DocValue,
} from '../format/schema.ts';
import { known } from '../format/known.ts';
import { NO_BYTES } from '../format/posting-list.ts';
import { RowStore } from './row-store.ts';

/** A decision's values in `doc_values`. */
export type DocValues = Readonly<Record<DocValue, number>>;

/** Of a withdrawn decision. */
export const NO_VALUES: DocValues = {
  tribunal: WITHDRAWN_CODE,
  tipo: WITHDRAWN_CODE,
  julgamento: 0,
  publicacao: 0,
};

/** Writes `doc_values`. Values are in memory until `flush`. */
export class DocValueWriter {
  readonly #rows: RowStore;
  #columns = new Map<number, BlockColumn>();

  constructor(db: Database.Database) {
    this.#rows = new RowStore(db);
  }

  put(docId: number, values: DocValues): void {
    const block = Math.floor(docId / BLOCK_SIZE);
    for (const name of DOC_VALUE_NAMES) {
      const width = DOC_VALUES[name];
      const column = this.#column(docValuesKey(name, block), width);
      const at = (docId % BLOCK_SIZE) * width;
      column.bytes.writeUIntLE(values[name], at, width);
      column.length = Math.max(column.length, at + width);
    }
  }

  /** Call it before the transaction commits. */
  flush(): void {
    for (const [key, { bytes, length }] of this.#columns) {
      this.#rows.put('doc_values', key, bytes.subarray(0, length));
    }
    this.reset();
  }

  /** Call it after a rollback. */
  reset(): void {
    this.#columns = new Map();
  }

  #column(key: number, width: number): BlockColumn {
    return known(this.#columns, key, () => {
      const content = this.#rows.find('doc_values', key) ?? NO_BYTES;
      const bytes = Buffer.alloc(BLOCK_SIZE * width);
      bytes.set(content);
      return { bytes, length: content.length };
    });
  }
}

/** A whole block's bytes, of which `length` are used. */
interface BlockColumn {
  readonly bytes: Buffer;
  length: number;
}
