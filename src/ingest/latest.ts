import type Database from 'better-sqlite3';
import type { Formato } from './formats/format.ts';
import type { NewRecord } from '../index/write/record-batch.ts';
import { StoredDocumentos } from '../index/write/stored-documento.ts';

/** Whether the base holds a version of the decision that its source changed after the given time. */
export type IsOutdated = (
  decisao: Pick<NewRecord, 'tribunal' | 'chave'>,
  changedAt: string,
  format: Formato,
) => boolean;

/**
 * Compares with the base file, so that an older file loaded after a newer one changes nothing. If either version has no
 * time of change, the one loaded last counts.
 */
export function outdatedIn(db: Database.Database): IsOutdated {
  const find = db
    .prepare<[number, string], number>('SELECT doc_id FROM source_keys WHERE court = ? AND key = ?')
    .pluck();
  const documentos = new StoredDocumentos(db);
  return ({ tribunal, chave }, coming, { changedAt }) => {
    const numero = find.get(tribunal, chave);
    if (numero === undefined) return false;
    const held = changedAt(documentos.read(numero).extras);
    return held !== null && coming < held;
  };
}
