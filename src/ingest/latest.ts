import type Database from 'better-sqlite3';
import type { Formato } from './formats/format.ts';
import type { Prepared } from '../index/write/prepared.ts';
import { storedDocumento } from '../index/write/stored-documento.ts';

/** Whether the base holds a version of the decision that its source changed after the given time. */
export type IsOutdated = (
  decisao: Pick<Prepared, 'tribunal' | 'chave'>,
  changedAt: string,
  format: Formato,
) => boolean;

/**
 * Compares with the base file, so that an older file loaded after a newer one changes nothing. If either version has no
 * time of change, the one loaded last counts.
 */
export function outdatedIn(db: Database.Database): IsOutdated {
  const find = db
    .prepare<[number, string], Buffer>(
      `SELECT zstd FROM documento WHERE numero = (SELECT numero FROM origem WHERE tribunal = ? AND chave = ?)`,
    )
    .pluck();
  return ({ tribunal, chave }, coming, { changedAt }) => {
    const compressed = find.get(tribunal, chave);
    if (compressed === undefined) return false;
    const held = changedAt(storedDocumento(compressed).extras);
    return held !== null && coming < held;
  };
}
