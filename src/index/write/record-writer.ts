import type Database from 'better-sqlite3';
import type { Documento } from '../../contract/documento.ts';
import { utf8 } from '../format/bytes.ts';
import { NO_BYTES } from '../format/posting-list.ts';
import {
  DICTIONARY_RECORDS,
  RECORDS_PER_BLOCK,
  OpenBlock,
  blockOf,
  dictionaryFrom,
  indexInBlock,
  readDictionary,
  writeDictionary,
  WaitingRest,
  type ZstdDictionary,
} from '../format/record-block.ts';
import { FRAMES_SQL, caseNumbersIn, hasTextsOf, rowOf, type StoredRecord } from '../format/record.ts';
import { recordsIn, type RecordReader } from '../format/record-reader.ts';
import { unseal } from '../format/seal.ts';
import { indexedOf, type IndexedTexts } from './inverter.ts';
import { RowStore } from './row-store.ts';

const DICTIONARY_BLOCKS = DICTIONARY_RECORDS / RECORDS_PER_BLOCK;
/** Frames beyond it are stored in `item`, which limits the memory of a load. */
const FRAMES_MAX = 65_535;

/** Writes the record tables. A block is in memory until another block is needed, or until `flush`. */
export class RecordWriter {
  readonly #db: Database.Database;
  readonly #rows: RowStore;
  #records: RecordReader;
  #open: { readonly block: number; readonly rests: OpenBlock } | null = null;
  /** Null until they are read from the base. */
  #frames: Map<string, number> | null = null;
  /** Undefined until it is read from the base. */
  #dictionary: ZstdDictionary | null | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#rows = new RowStore(db);
    this.#records = recordsIn(db);
  }

  /** Adds or replaces a decision. */
  put(docId: number, record: StoredRecord): void {
    const row = rowOf(record, this.#frameNumber(record.frame));
    this.#rows.put('item', docId, Buffer.from(row));
    this.#restsOf(blockOf(docId)).put(indexInBlock(docId), new WaitingRest(record.rest));
  }

  /** Deletes a decision's texts. Call `removeUnused` after the last. */
  remove(docId: number): void {
    this.#rows.delete('item', docId);
    this.#restsOf(blockOf(docId)).put(indexInBlock(docId), new WaitingRest(NO_BYTES));
  }

  /** Deletes frames that no decision has, and a dictionary with texts of removed decisions. @param docs the highest doc id. */
  removeUnused(docIds: readonly number[], docs: number): void {
    this.flush();
    this.#removeFrames();
    const dictionary = this.#storedDictionary();
    if (dictionary?.docIds.some((docId) => docIds.includes(docId)) === true)
      this.#replaceDictionary(dictionary, docs);
  }

  /** An earlier version of a decision may have been the last with a frame. */
  #removeFrames(): void {
    const unused = new Set(this.#readFrames().values());
    for (const used of this.#db.prepare<[], number>(FRAMES_SQL).pluck().all()) unused.delete(used);
    for (const frame of unused) this.#rows.put('frame', frame, NO_BYTES);
    this.#frames = null;
  }

  /** Packs every block again. */
  #replaceDictionary({ id }: ZstdDictionary, docs: number): void {
    const dictionary = this.#makeDictionary(id + 1);
    for (let block = 0; block <= blockOf(docs); block += 1) {
      const rests = new OpenBlock(this.#rows.read('record', block), this.#records.unpackerOf);
      this.#rows.put('record', block, rests.pack(dictionary));
    }
    this.#rows.delete('dictionary', id);
  }

  /** Whether a stored decision has the indexed texts of the record that replaces it. */
  hasTextsOf(docId: number, record: StoredRecord): boolean {
    // Opened for `put` already, so that its group is unpacked once.
    this.#restsOf(blockOf(docId));
    return hasTextsOf(record, this.#records.item(docId), this.#rest(docId));
  }

  /** A decision, including this transaction's changes. */
  read(docId: number, rest = this.#rest(docId)): Documento {
    const json = this.#records.documento(docId, rest);
    // Written from a Documento.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(json) as Documento;
  }

  /** The texts by which it is indexed, if its full text is not. */
  indexed(docId: number): IndexedTexts {
    // Opened, because it is changed next.
    this.#restsOf(blockOf(docId));
    const rest = this.#rest(docId);
    return indexedOf(this.read(docId, rest), caseNumbersIn(rest));
  }

  /** Writes the open block. Call it before others read records, and before the transaction commits. */
  flush(): void {
    if (this.#open === null) return;
    const { block, rests } = this.#open;
    if (rests.isChanged) this.#rows.put('record', block, rests.pack(this.#dictionaryFor(block)));
    this.#open = null;
  }

  /** Call it after a rollback. */
  reset(): void {
    this.#open = null;
    this.#frames = null;
    this.#dictionary = undefined;
    this.#records = recordsIn(this.#db);
  }

  #rest(docId: number): string {
    const open = this.#open?.block === blockOf(docId) ? this.#open.rests : null;
    const rest = open?.rest(indexInBlock(docId));
    return rest === undefined ? this.#records.rest(docId) : utf8(rest.bytes());
  }

  #restsOf(block: number): OpenBlock {
    if (this.#open?.block === block) return this.#open.rests;
    this.flush();
    const rests = new OpenBlock(this.#rows.find('record', block), this.#records.unpackerOf);
    this.#open = { block, rests };
    return rests;
  }

  /** A frame's number, new if necessary; 0 if there are too many. */
  #frameNumber(frame: string): number {
    const frames = this.#readFrames();
    const known = frames.get(frame);
    if (known !== undefined) return known;
    if (frames.size >= FRAMES_MAX) return 0;
    const number = frames.size + 1;
    this.#rows.put('frame', number, Buffer.from(frame));
    frames.set(frame, number);
    return number;
  }

  #readFrames(): Map<string, number> {
    const sql = 'SELECT id, data FROM frame ORDER BY id';
    this.#frames ??= new Map(
      this.#db
        .prepare<[], { id: number; data: Buffer }>(sql)
        .all()
        .map(({ id, data }) => [utf8(unseal('frame', id, data)) || ` ${id}`, id]),
    );
    return this.#frames;
  }

  /** Null until the base has enough records for one. */
  #dictionaryFor(block: number): ZstdDictionary | null {
    const stored = this.#storedDictionary();
    return stored === null && block >= DICTIONARY_BLOCKS ? this.#makeDictionary(1) : stored;
  }

  #storedDictionary(): ZstdDictionary | null {
    if (this.#dictionary !== undefined) return this.#dictionary;
    const id = this.#db.prepare<[], number | null>('SELECT max(id) FROM dictionary').pluck().get() ?? null;
    return (this.#dictionary = id === null ? null : readDictionary(id, this.#rows.read('dictionary', id)));
  }

  #makeDictionary(id: number): ZstdDictionary {
    const rests = new Map<number, Uint8Array>();
    for (let block = 0; block < DICTIONARY_BLOCKS; block += 1) {
      for (const [at, rest] of this.#records.rests(block).entries())
        if (rest.length > 0) rests.set(block * RECORDS_PER_BLOCK + at + 1, rest);
    }
    const dictionary = dictionaryFrom(id, rests);
    this.#rows.put('dictionary', id, writeDictionary(dictionary));
    return (this.#dictionary = dictionary);
  }
}
