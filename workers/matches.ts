import { tipoCode, tribunalCode } from '../src/base/schema.ts';
import type { Filtro } from '../src/base/messages.ts';
import type { Connection } from './connection.ts';

/**
 * The SQL of "the decisions that match", with only the conditions that the filter has: a handful of texts
 * in all, each prepared once. Without a filter the narrow table is not touched at all. CROSS JOIN keeps FTS5
 * as the outer loop, so that rows come in the order of its own index.
 */
interface Matching {
  readonly from: string;
  readonly bindings: readonly number[];
}

/**
 * @param isBounded true when the statement's own LIMIT ends it after few matches: asking for the time at each
 *   of them would then cost more than they do. A filter may pass over any number of matches before the limit.
 */
function matching(filtro: Filtro, isBounded: boolean): Matching {
  const conditions: string[] = [];
  const bindings: number[] = [];
  const add = (condition: string, binding: number) => {
    conditions.push(condition);
    bindings.push(binding);
  };
  if (filtro.tribunais !== null) {
    const mask = filtro.tribunais.reduce((bits, codigo) => bits | (1 << tribunalCode(codigo)), 0);
    add('((1 << f.tribunal) & ?) <> 0', mask);
  }
  if (filtro.tipo !== null) add('f.tipo = ?', tipoCode(filtro.tipo));
  if (filtro.julgamento_de !== null) add('f.julgamento >= ?', filtro.julgamento_de);
  if (filtro.julgamento_ate !== null) add('f.julgamento <= ?', filtro.julgamento_ate);
  const hasFilter = conditions.length > 0;
  const join = hasFilter ? 'CROSS JOIN filtro f ON f.numero = fts.rowid' : '';
  // Before the filter's conditions, so that it is asked for the matches that they turn away as well.
  const budget = isBounded && !hasFilter ? [] : ['within_budget()'];
  const where = ['fts MATCH ?', ...budget, ...conditions].join(' AND ');
  return { from: `FROM fts ${join} WHERE ${where}`, bindings };
}

/** The newest matches below a number, newest first. */
export function newest(
  { statement }: Connection,
  consulta: string,
  filtro: Filtro,
  below: number,
  most: number,
): number[] {
  const { from, bindings } = matching(filtro, true);
  return statement<number>(`SELECT fts.rowid ${from} AND fts.rowid < ? ORDER BY fts.rowid DESC LIMIT ?`)
    .pluck()
    .all(consulta, ...bindings, below, most);
}

/** Every match up to a number, in ascending order. */
export function allUpTo(
  { statement }: Connection,
  consulta: string,
  filtro: Filtro,
  horizon: number,
): number[] {
  const { from, bindings } = matching(filtro, false);
  return statement<number>(`SELECT fts.rowid ${from} AND fts.rowid <= ? ORDER BY fts.rowid`)
    .pluck()
    .all(consulta, ...bindings, horizon);
}

/** The number of matches, counted no further than `most`. */
export function countUpTo({ statement }: Connection, consulta: string, filtro: Filtro, most: number): number {
  const { from, bindings } = matching(filtro, true);
  return (
    statement<number>(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ?)`)
      .pluck()
      .get(consulta, ...bindings, most) ?? 0
  );
}
