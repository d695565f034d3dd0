import type Database from 'better-sqlite3';
import type { Documento } from '../../contract/documento.ts';
import type { Resumo } from '../../contract/resumo.ts';
import { textOf } from '../format/bytes.ts';
import { blockOf, placeIn, unpackBlock, unpackRest, Unpacker } from '../format/record-block.ts';
import { documentoJson, extrasJson, openFrame, resumoJson } from '../format/record.ts';
import { unseal } from '../format/seal.ts';

/** The base that a file says it is of. */
export function baseIn(db: Database.Database): string {
  return db.prepare<[], string>(`SELECT valor FROM meta WHERE chave = 'base'`).pluck().get() ?? '';
}

/** A Documento of its JSON text without `id`, which is empty here. */
export function documentoOf(json: string): Documento {
  // Written from a Documento.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(`{"id":""${json}`) as Documento;
}

/** The same for a Resumo. */
export function resumoOf(json: string): Resumo {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return JSON.parse(`{"id":""${json}`) as Resumo;
}

/** Reads records for those who write. All throw DamagedBase, also where there is no such record. */
export class StoredDocumentos {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #base: string;

  constructor(db: Database.Database) {
    this.#sql = prepare(db);
    this.#base = baseIn(db);
  }

  read(numero: number): Documento {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return JSON.parse(this.jsonOf(numero).documento) as Documento;
  }

  /** The JSON texts of both contract objects. */
  jsonOf(numero: number): { readonly resumo: string; readonly documento: string } {
    const row = textOf(unseal('resumo', numero, this.#sql.row.get(numero)));
    const block = unseal('documento', blockOf(numero), this.#sql.block.get(blockOf(numero)));
    const rest = unpackRest(block, placeIn(numero), (id) => new Unpacker(this.dictionary(id)));
    const frameOf = (number: number) =>
      openFrame(this.#base, textOf(unseal('moldura', number, this.#sql.frame.get(number))));
    return {
      resumo: resumoJson(this.#base, numero, row, frameOf),
      documento: documentoJson(this.#base, numero, row, rest, frameOf),
    };
  }

  /** The rests of a block; null where it is not there yet. */
  rests(block: number): string[] | null {
    const found = this.#sql.block.get(block);
    if (found === undefined) return null;
    return unpackBlock(unseal('documento', block, found), (id) => new Unpacker(this.dictionary(id)));
  }

  dictionary(id: number): Uint8Array {
    return unseal('dicionario', id, this.#sql.dictionary.get(id));
  }

  /** The `extras` of every record, the latest first. */
  *extras(): Generator<object> {
    for (let block = this.#sql.lastBlock.get() ?? -1; block >= 0; block -= 1) {
      for (const rest of (this.rests(block) ?? []).toReversed()) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
        yield JSON.parse(extrasJson(rest)) as object;
      }
    }
  }
}

function prepare(db: Database.Database) {
  return {
    row: db.prepare<[number], Buffer>('SELECT dados FROM resumo WHERE numero = ?').pluck(),
    frame: db.prepare<[number], Buffer>('SELECT dados FROM moldura WHERE numero = ?').pluck(),
    block: db.prepare<[number], Buffer>('SELECT dados FROM documento WHERE bloco = ?').pluck(),
    lastBlock: db.prepare<[], number | null>('SELECT max(bloco) FROM documento').pluck(),
    dictionary: db.prepare<[number], Buffer>('SELECT dados FROM dicionario WHERE id = ?').pluck(),
  };
}
