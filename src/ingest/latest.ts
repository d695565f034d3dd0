import type { BaseWriter } from '../index/write/base-writer.ts';
import type { NewRecord } from '../index/write/record-batch.ts';
import type { Formato } from './formats/format.ts';

/** Whether the base holds a version of the decision that its source changed after the given time. */
export type IsOutdated = (
  decisao: Pick<NewRecord, 'tribunal' | 'chave'>,
  changedAt: string,
  format: Formato,
) => boolean;

/**
 * Compares with the base, so that an older file loaded after a newer one changes nothing. If either version has no time of
 * change, the one loaded last counts.
 */
export function outdatedIn(writer: BaseWriter): IsOutdated {
  return ({ tribunal, chave }, coming, { changedAt }) => {
    const documento = writer.read(tribunal, chave);
    const held = documento === null ? null : changedAt(documento.extras);
    return held !== null && coming < held;
  };
}
