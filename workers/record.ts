import type { ReadReply, ReadRequest } from '../src/base/messages.ts';
import type { Connection, Snapshot } from './connection.ts';

const ROW_SQL = {
  resumo: 'SELECT json FROM resumo WHERE numero = ?',
  documento: 'SELECT json FROM documento WHERE numero = ?',
} as const;

/** The JSON texts of the given numbers, in their order; null where there is no such decision. */
export function rows(
  { statement }: Connection,
  tabela: keyof typeof ROW_SQL,
  numeros: readonly number[],
): (string | null)[] {
  const select = statement<string>(ROW_SQL[tabela]).pluck();
  return numeros.map((numero) => select.get(numero) ?? null);
}

export function read(connection: Connection, request: ReadRequest, { geracao }: Snapshot): ReadReply {
  return { kind: 'read', linhas: rows(connection, request.tabela, request.numeros), geracao };
}
