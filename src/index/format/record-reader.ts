import type Database from 'better-sqlite3';
import { utf8 } from './bytes.ts';
import { blockOf, placeIn, unpackBlock, unpackRest, Unpacker } from './record-block.ts';
import { documentoJson, openFrame, resumoJson, type Frame } from './record.ts';
import { rowsOf, type RowOf } from './seal.ts';

/** What the records of one state of a base have in common; it may be forgotten at any time. */
export interface SharedByRecords {
  /** Frames by their numbers. */
  readonly frames: Memory<Frame>;
  /** What unpacks groups, by the ids of dictionaries. */
  readonly unpackers: Memory<Unpacker>;
}

interface Memory<Of> {
  get(key: number): Of | undefined;
  set(key: number, value: Of): unknown;
}

/** Reads the records of an open file; what was read of a transaction that was rolled back stays with it. */
export function recordsIn(db: Database.Database): RecordReader {
  const base = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'base'`).pluck().get() ?? '';
  return new RecordReader(base, rowsOf(db));
}

/** Makes the JSON texts of both contract objects from the tables of records. Throws DamagedBase, also where there is none. */
export class RecordReader {
  readonly #base: string;
  readonly #rowOf: RowOf;
  readonly #shared: SharedByRecords;

  constructor(
    base: string,
    rowOf: RowOf,
    shared: SharedByRecords = { frames: new Map(), unpackers: new Map() },
  ) {
    this.#base = base;
    this.#rowOf = rowOf;
    this.#shared = shared;
  }

  resumo(docId: number): string {
    return resumoJson(this.#base, docId, this.#item(docId), this.#frameOf);
  }

  /** @param rest the rest of its record, where it is known. */
  documento(docId: number, rest = this.#rest(docId)): string {
    return documentoJson(this.#base, docId, this.#item(docId), rest, this.#frameOf);
  }

  /** The rests of a block of records. */
  rests(block: number): Uint8Array[] {
    return unpackBlock(this.#rowOf('record', block), this.#unpackerOf);
  }

  #item(docId: number): string {
    return utf8(this.#rowOf('item', docId));
  }

  #rest(docId: number): string {
    return unpackRest(this.#rowOf('record', blockOf(docId)), placeIn(docId), this.#unpackerOf);
  }

  readonly #frameOf = (number: number): Frame =>
    known(this.#shared.frames, number, () => openFrame(this.#base, utf8(this.#rowOf('frame', number))));

  readonly #unpackerOf = (id: number): Unpacker =>
    known(this.#shared.unpackers, id, () => new Unpacker(this.#rowOf('dictionary', id)));
}

function known<Of>(memory: Memory<Of>, key: number, read: () => Of): Of {
  let found = memory.get(key);
  if (found === undefined) memory.set(key, (found = read()));
  return found;
}
