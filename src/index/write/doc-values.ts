import type Database from 'better-sqlite3';
import { BLOCK_SIZE, DOC_VALUES, DOC_VALUE_NAMES, docValuesKey, type DocValue } from '../format/schema.ts';
import { NOTHING } from '../format/posting-list.ts';
import { seal, unseal } from '../format/seal.ts';

/** What filters and coverage ask of a decision, as `doc_values` holds it. */
export type DocValues = Readonly<Record<DocValue, number>>;

/** Writes the `doc_values` table. Values stay in memory until `flush` writes them, once a transaction. */
export class DocValueWriter {
  readonly #read: Database.Statement<[number], Buffer>;
  readonly #write: Database.Statement<[number, Uint8Array]>;
  #parts = new Map<number, Part>();

  constructor(db: Database.Database) {
    this.#read = db.prepare<[number], Buffer>('SELECT data FROM doc_values WHERE id = ?').pluck();
    this.#write = db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO doc_values (id, data) VALUES (?, ?)',
    );
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

  /** Writes the values that `put` has added. Call it before the transaction commits. */
  flush(): void {
    for (const [key, { bytes, length }] of this.#parts) {
      this.#write.run(key, seal('doc_values', key, bytes.subarray(0, length)));
    }
    this.reset();
  }

  /** Forgets the values of a transaction that was rolled back. */
  reset(): void {
    this.#parts = new Map();
  }

  #part(key: number, width: number): Part {
    let part = this.#parts.get(key);
    if (part === undefined) {
      const row = this.#read.get(key);
      const content = row === undefined ? NOTHING : unseal('doc_values', key, row);
      part = { bytes: Buffer.alloc(BLOCK_SIZE * width), length: content.length };
      part.bytes.set(content);
      this.#parts.set(key, part);
    }
    return part;
  }
}

/** The bytes of a whole block, and how many of them there are so far. */
interface Part {
  readonly bytes: Buffer;
  length: number;
}
