import type Database from 'better-sqlite3';
import { utf8 } from './bytes.ts';
import { known, type Memory } from './known.ts';
import { blockOf, indexInBlock, readDictionary, unpackBlock, unpackRest, Unpacker } from './record-block.ts';
import { documentoJson, openFrame, resumoJson, type Frame } from './record.ts';
import { DamagedBase, rowsOf, type RowOf } from './seal.ts';

/** Caches for a state of a base; entries may be dropped at any time. */
export interface SharedByRecords {
  readonly frames: Memory<number, Frame>;
  /** By dictionary id. */
  readonly unpackers: Memory<number, Unpacker>;
}

/** Reads the records of an open file. Make a new one after a rollback. @throws DamagedBase */
export function recordsIn(db: Database.Database): RecordReader {
  const base = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'base'`).pluck().get();
  if (base === undefined) throw new DamagedBase('the file does not say which base it is');
  return new RecordReader(base, rowsOf(db));
}

/**
 * Makes the JSON texts of both contract objects, in the form that `textOf` gives stored UTF-8: what is added is ASCII.
 * @throws DamagedBase, also if there is no such record.
 */
export class RecordReader {
  readonly #base: string;
  readonly #rowOf: RowOf;
  readonly #shared: SharedByRecords;
  readonly #textOf: (bytes: Uint8Array) => string;

  constructor(
    base: string,
    rowOf: RowOf,
    shared: SharedByRecords = { frames: new Map(), unpackers: new Map() },
    textOf = utf8,
  ) {
    this.#base = base;
    this.#rowOf = rowOf;
    this.#shared = shared;
    this.#textOf = textOf;
  }

  resumo(docId: number): string {
    return resumoJson(this.#base, docId, this.item(docId), this.#frameOf);
  }

  /** @param rest the record's rest, if known. */
  documento(docId: number, rest = this.rest(docId)): string {
    return documentoJson(this.#base, docId, this.item(docId), rest, this.#frameOf);
  }

  /** The rests of a block; that of a withdrawn decision is empty. */
  rests(block: number): Uint8Array[] {
    return unpackBlock(this.#rowOf('record', block), this.unpackerOf);
  }

  item(docId: number): string {
    return this.#textOf(this.#rowOf('item', docId));
  }

  rest(docId: number): string {
    const block = this.#rowOf('record', blockOf(docId));
    return this.#textOf(unpackRest(block, indexInBlock(docId), this.unpackerOf));
  }

  readonly #frameOf = (number: number): Frame =>
    known(this.#shared.frames, number, () =>
      openFrame(this.#base, this.#textOf(this.#rowOf('frame', number))),
    );

  readonly unpackerOf = (id: number): Unpacker =>
    known(
      this.#shared.unpackers,
      id,
      () => new Unpacker(readDictionary(id, this.#rowOf('dictionary', id)).bytes),
    );
}
