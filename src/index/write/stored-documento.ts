import type Database from 'better-sqlite3';
import type { Documento } from '../../contract/documento.ts';
import { utf8 } from '../format/bytes.ts';
import { blockOf, placeIn, unpackBlock, unpackRest, Unpacker } from '../format/record-block.ts';
import { documentoJson, openFrame, resumoJson } from '../format/record.ts';
import { unseal } from '../format/seal.ts';

/** The base that a file says it is of. */
export function baseIn(db: Database.Database): string {
  return db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'base'`).pluck().get() ?? '';
}

/** Reads records for those who write. All throw DamagedBase, also where there is no such record. */
export class StoredDocumentos {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #base: string;
  #unpacker: { readonly id: number; readonly of: Unpacker } | null = null;

  constructor(db: Database.Database) {
    this.#sql = prepare(db);
    this.#base = baseIn(db);
  }

  /** @param rest its rest, where it is known. */
  read(docId: number, rest?: string): Documento {
    // Written from a Documento.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(this.jsonOf(docId, rest).documento) as Documento;
  }

  /** The JSON texts of both contract objects. */
  jsonOf(docId: number, rest = this.#restOf(docId)): { readonly resumo: string; readonly documento: string } {
    const row = utf8(unseal('item', docId, this.#sql.row.get(docId)));
    const frameOf = (number: number) =>
      openFrame(this.#base, utf8(unseal('frame', number, this.#sql.frame.get(number))));
    return {
      resumo: resumoJson(this.#base, docId, row, frameOf),
      documento: documentoJson(this.#base, docId, row, rest, frameOf),
    };
  }

  /** The rests of a block; null where it is not there yet. */
  rests(block: number): Uint8Array[] | null {
    const found = this.#sql.block.get(block);
    if (found === undefined) return null;
    return unpackBlock(unseal('record', block, found), (id) => this.#unpackerOf(id));
  }

  /** To be called after a rollback, which may have taken back what blocks are compressed with. */
  reset(): void {
    this.#unpacker = null;
  }

  #restOf(docId: number): string {
    const block = unseal('record', blockOf(docId), this.#sql.block.get(blockOf(docId)));
    return unpackRest(block, placeIn(docId), (id) => this.#unpackerOf(id));
  }

  #unpackerOf(id: number): Unpacker {
    if (this.#unpacker?.id !== id) this.#unpacker = { id, of: new Unpacker(this.dictionary(id)) };
    return this.#unpacker.of;
  }

  dictionary(id: number): Uint8Array {
    return unseal('dictionary', id, this.#sql.dictionary.get(id));
  }
}

function prepare(db: Database.Database) {
  return {
    row: db.prepare<[number], Buffer>('SELECT data FROM item WHERE id = ?').pluck(),
    frame: db.prepare<[number], Buffer>('SELECT data FROM frame WHERE id = ?').pluck(),
    block: db.prepare<[number], Buffer>('SELECT data FROM record WHERE id = ?').pluck(),
    dictionary: db.prepare<[number], Buffer>('SELECT data FROM dictionary WHERE id = ?').pluck(),
  };
}
