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
  #parts = new Map<number, Part>();

  constructor(db: Database.Database) {
    this.#rows = new RowStore(db);
  }

  put(docId: number, values: DocValues): void {
    const block = Math.floor(docId / BLOCK_SIZE);
    for (const name of DOC_VALUE_NAMES) {
      const width = DOC_VALUES[name];
      const part = this.#part(docValuesKey(name, block), width);
      const at = (docId % BLOCK_SIZE) * width;
      part.bytes.writeUIntLE(values[name], at, width);
      part.length = Math.max(part.length, at + width);
    }
  }

  /** Call it before the transaction commits. */
  flush(): void {
    for (const [key, { bytes, length }] of this.#parts) {
      this.#rows.put('doc_values', key, bytes.subarray(0, length));
    }
    this.reset();
  }

  /** Call it after a rollback. */
  reset(): void {
    this.#parts = new Map();
  }

  #part(key: number, width: number): Part {
    return known(this.#parts, key, () => {
      const content = this.#rows.find('doc_values', key) ?? NO_BYTES;
      const bytes = Buffer.alloc(BLOCK_SIZE * width);
      bytes.set(content);
      return { bytes, length: content.length };
    });
  }
}

/** A whole block's bytes, of which `length` are used. */
interface Part {
  readonly bytes: Buffer;
  length: number;
}
