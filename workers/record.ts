import type { ReadReply, ReadRequest } from '../src/base/messages.ts';
import { checksum } from '../src/base/schema.ts';
import { BaseFileError, type Connection, type Snapshot } from './connection.ts';

const ROW_SQL = {
  resumo: 'SELECT json, soma FROM resumo WHERE numero = ?',
  documento: 'SELECT json, soma FROM documento WHERE numero = ?',
} as const;

/**
 * The JSON texts of the given numbers, in their order; null where there is no such decision.
 * @throws BaseFileError when a text is not the one that was written: a damaged page is not always noticed by
 *   SQLite, and what it holds must not be served.
 */
export function rows(
  { statement }: Connection,
  tabela: keyof typeof ROW_SQL,
  numeros: readonly number[],
): (string | null)[] {
  const select = statement<{ json: string; soma: number }>(ROW_SQL[tabela]);
  return numeros.map((numero) => {
    const row = select.get(numero);
    if (row === undefined) return null;
    if (checksum(row.json) !== row.soma) throw new BaseFileError(`${tabela} ${numero} is damaged`);
    return row.json;
  });
}

export function read(connection: Connection, request: ReadRequest, { geracao }: Snapshot): ReadReply {
  return { kind: 'read', linhas: rows(connection, request.tabela, request.numeros), geracao };
}
