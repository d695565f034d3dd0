import type Database from 'better-sqlite3';
import type { Formato } from './formats/format.ts';
import type { Prepared } from '../index/write/prepared.ts';
import { StoredDocumentos } from '../index/write/stored-documento.ts';

/** Tells whether the base holds a decision in a form that its source wrote after the given time. */
export type IsOutdated = (
  decisao: Pick<Prepared, 'tribunal' | 'chave'>,
  changedAt: string,
  format: Formato,
) => boolean;

/**
 * Looks it up in a base file: an older file, loaded after a newer one, changes nothing. Where either does not say when
 * it was written, what is loaded last is the latest.
 */
export function outdatedIn(db: Database.Database): IsOutdated {
  const find = db
    .prepare<[number, string], number>('SELECT numero FROM origem WHERE tribunal = ? AND chave = ?')
    .pluck();
  const documentos = new StoredDocumentos(db);
  return ({ tribunal, chave }, coming, { changedAt }) => {
    const numero = find.get(tribunal, chave);
    if (numero === undefined) return false;
    const held = changedAt(documentos.read(numero).extras);
    return held !== null && coming < held;
  };
}
