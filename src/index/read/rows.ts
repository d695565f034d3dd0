import type { ReadReply, ReadRequest } from '../../engine/messages.ts';
import { BaseFileError } from '../format/file-check.ts';
import { checksum, sealed, withId } from '../format/schema.ts';
import type { Connection, Snapshot } from './connection.ts';
import { threadCacheAt } from './thread-cache.ts';

const ROW_SQL = {
  resumo: 'SELECT json AS stored, soma FROM resumo WHERE numero = ?',
  documento: 'SELECT zstd AS stored, soma FROM documento WHERE numero = ?',
} as const;

/**
 * The JSON texts of the given numbers, in their order; null where there is no such decision.
 * @throws BaseFileError when a text is not the one that was written, or is gone: a damaged page is not always noticed by
 *   SQLite, and what it holds must not be served.
 */
export function rows(
  connection: Connection,
  tabela: keyof typeof ROW_SQL,
  numeros: readonly number[],
  snapshot: Snapshot,
): (string | null)[] {
  if (tabela === 'documento') return numeros.map((numero) => row(connection, tabela, numero, snapshot));
  const { resumos } = threadCacheAt(connection, snapshot.generation);
  return numeros.map((numero) => {
    let resumo = resumos.get(numero) ?? null;
    if (resumo === null) {
      resumo = row(connection, tabela, numero, snapshot);
      if (resumo !== null) resumos.set(numero, resumo);
    }
    return resumo;
  });
}

function row(
  { base, statement }: Connection,
  tabela: keyof typeof ROW_SQL,
  numero: number,
  { lastNumber }: Snapshot,
): string | null {
  const found = statement<{ stored: string | Buffer; soma: number }>(ROW_SQL[tabela]).get(numero);
  // Numbers are given without a gap and never taken back.
  if (found === undefined && numero >= 1 && numero <= lastNumber) {
    throw new BaseFileError(`${tabela} ${numero} is missing`);
  }
  if (found === undefined) return null;
  const { stored, soma } = found;
  if (sealed(checksum(stored), numero) !== soma) throw new BaseFileError(`${tabela} ${numero} is damaged`);
  return withId(
    base,
    numero,
    typeof stored === 'string' ? stored : Bun.zstdDecompressSync(stored).toString(),
  );
}

export function read(connection: Connection, request: ReadRequest, snapshot: Snapshot): ReadReply {
  const linhas = rows(connection, request.tabela, request.numeros, snapshot);
  // Nothing is said not to exist before it is sure that the file is still the one that was opened.
  if (linhas.includes(null)) connection.verify();
  return {
    kind: 'read',
    linhas,
    generation: snapshot.generation,
    decisoes: snapshot.lastNumber,
    data_version: snapshot.dataVersion,
    demonstracao: snapshot.isMadeUp,
  };
}
