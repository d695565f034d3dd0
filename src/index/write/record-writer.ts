import type Database from 'better-sqlite3';
import type { Documento } from '../../contract/documento.ts';
import { utf8 } from '../format/bytes.ts';
import {
  DICTIONARY_RECORDS,
  RECORDS_PER_BLOCK,
  blockOf,
  dictionaryFrom,
  packBlock,
  placeIn,
  WaitingRest,
  type ZstdDictionary,
} from '../format/record-block.ts';
import { rowOf, type StoredRecord } from '../format/record.ts';
import { recordsIn, type RecordReader } from '../format/record-reader.ts';
import { rowsOf, seal, unseal, type RowOf } from '../format/seal.ts';

/** Frames beyond it are stored in `item`, which limits the memory of a load. */
const FRAMES_MAX = 65_535;
const DICTIONARY_ID = 1;

/** Writes the tables of records. One block is in memory until another one is needed, or until `flush`. */
export class RecordWriter {
  readonly #db: Database.Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #rowOf: RowOf;
  #records: RecordReader;
  #open: { readonly block: number; readonly rests: WaitingRest[] } | null = null;
  /** Null until they are read from the base. */
  #frames: Map<string, number> | null = null;
  /** Undefined until it is read from the base. */
  #dictionary: ZstdDictionary | null | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#sql = prepare(db);
    this.#rowOf = rowsOf(db);
    this.#records = recordsIn(db);
  }

  /** Adds or replaces a decision. */
  put(docId: number, record: StoredRecord): void {
    const row = rowOf(record, this.#frameNumber(record.frame));
    this.#sql.putRow.run(docId, seal('item', docId, Buffer.from(row)));
    this.#restsOf(blockOf(docId))[placeIn(docId)] = new WaitingRest(record.rest);
  }

  /** A decision, in this transaction too. */
  read(docId: number): Documento {
    const rest = this.#open?.block === blockOf(docId) ? this.#open.rests[placeIn(docId)] : undefined;
    const json = this.#records.documento(docId, rest === undefined ? undefined : utf8(rest.bytes()));
    // Written from a Documento.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(json) as Documento;
  }

  /** Writes the open block. Call it before others read records, and before the transaction commits. */
  flush(): void {
    if (this.#open === null) return;
    const { block, rests } = this.#open;
    this.#sql.putBlock.run(block, seal('record', block, packBlock(rests, this.#dictionaryFor(block))));
    this.#open = null;
  }

  /** Call it after a rollback. */
  reset(): void {
    this.#open = null;
    this.#frames = null;
    this.#dictionary = undefined;
    this.#records = recordsIn(this.#db);
  }

  #restsOf(block: number): WaitingRest[] {
    if (this.#open?.block === block) return this.#open.rests;
    this.flush();
    const isThere = this.#sql.hasBlock.get(block) === 1;
    const rests = isThere ? this.#records.rests(block).map((rest) => new WaitingRest(rest)) : [];
    this.#open = { block, rests };
    return rests;
  }

  /** The number of a frame, new if need be; 0 if there are too many. */
  #frameNumber(frame: string): number {
    const frames = this.#readFrames();
    const known = frames.get(frame);
    if (known !== undefined) return known;
    if (frames.size >= FRAMES_MAX) return 0;
    const number = frames.size + 1;
    this.#sql.putFrame.run(number, seal('frame', number, Buffer.from(frame)));
    frames.set(frame, number);
    return number;
  }

  #readFrames(): Map<string, number> {
    this.#frames ??= new Map(
      this.#sql.frames.all().map(({ id, data }) => [utf8(unseal('frame', id, data)), id]),
    );
    return this.#frames;
  }

  /** Null until the base has enough records for one. */
  #dictionaryFor(block: number): ZstdDictionary | null {
    if (this.#dictionary === undefined) {
      const isThere = this.#sql.hasDictionary.get() === 1;
      this.#dictionary = isThere
        ? { id: DICTIONARY_ID, bytes: this.#rowOf('dictionary', DICTIONARY_ID) }
        : null;
    }
    if (this.#dictionary === null && block >= DICTIONARY_RECORDS / RECORDS_PER_BLOCK) {
      const rests: Uint8Array[] = [];
      for (let one = 0; rests.length < DICTIONARY_RECORDS; one += 1) rests.push(...this.#records.rests(one));
      const bytes = dictionaryFrom(rests);
      this.#sql.putDictionary.run(DICTIONARY_ID, seal('dictionary', DICTIONARY_ID, bytes));
      this.#dictionary = { id: DICTIONARY_ID, bytes };
    }
    return this.#dictionary;
  }
}

function prepare(db: Database.Database) {
  return {
    hasBlock: db.prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM record WHERE id = ?)').pluck(),
    putBlock: db.prepare('INSERT OR REPLACE INTO record (id, data) VALUES (?, ?)'),
    putRow: db.prepare('INSERT OR REPLACE INTO item (id, data) VALUES (?, ?)'),
    frames: db.prepare<[], { id: number; data: Buffer }>('SELECT * FROM frame ORDER BY id'),
    putFrame: db.prepare('INSERT INTO frame (id, data) VALUES (?, ?)'),
    hasDictionary: db
      .prepare<[], number>(`SELECT EXISTS (SELECT 1 FROM dictionary WHERE id = ${DICTIONARY_ID})`)
      .pluck(),
    putDictionary: db.prepare('INSERT INTO dictionary (id, data) VALUES (?, ?)'),
  };
}
