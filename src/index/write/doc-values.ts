import type Database from 'better-sqlite3';
import { BLOCK_SIZE, DOC_VALUES, DOC_VALUE_NAMES, partKey, type DocValue } from '../format/schema.ts';
import { seal, unseal } from '../format/seal.ts';

/** What filters and coverage ask of a decision, as `coluna` holds it. */
export type DocValues = Readonly<Record<DocValue, number>>;

/** Writes the `coluna` table. Values stay in memory until `flush` writes them, once a transaction. */
export class DocValueWriter {
  readonly #read: Database.Statement<[number], Buffer>;
  readonly #write: Database.Statement<[number, Uint8Array]>;
  #parts = new Map<number, Part>();

  constructor(db: Database.Database) {
    this.#read = db.prepare<[number], Buffer>('SELECT dados FROM coluna WHERE parte = ?').pluck();
    this.#write = db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO coluna (parte, dados) VALUES (?, ?)',
    );
  }

  put(numero: number, values: DocValues): void {
    const block = Math.floor(numero / BLOCK_SIZE);
    for (const name of DOC_VALUE_NAMES) {
      const width = DOC_VALUES[name];
      this.#part(partKey(name, block)).put((numero % BLOCK_SIZE) * width, values[name], width);
    }
  }

  /** Writes the values that `put` has added. Call it before the transaction commits. */
  flush(): void {
    for (const [key, part] of this.#parts) this.#write.run(key, seal('coluna', key, part.bytes()));
    this.#parts = new Map();
  }

  /** Forgets the values of a transaction that was rolled back. */
  reset(): void {
    this.#parts = new Map();
  }

  #part(key: number): Part {
    let part = this.#parts.get(key);
    if (part === undefined) {
      const row = this.#read.get(key);
      part = new Part(row === undefined ? Buffer.alloc(0) : Buffer.from(unseal('coluna', key, row)));
      this.#parts.set(key, part);
    }
    return part;
  }
}

/** The bytes of one row, growing by doubling. */
class Part {
  #bytes: Buffer;
  #length: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#length = bytes.length;
  }

  put(at: number, value: number, width: number): void {
    const end = at + width;
    if (end > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(end, this.#bytes.length * 2));
      this.#bytes.copy(grown);
      this.#bytes = grown;
    }
    this.#bytes.writeUIntLE(value, at, width);
    this.#length = Math.max(this.#length, end);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
