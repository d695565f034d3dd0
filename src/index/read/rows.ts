import type { ReadReply, ReadRequest } from '../../engine/messages.ts';
import { textOf } from '../format/bytes.ts';
import { blockOf, placeIn, unpackRest, Unpacker } from '../format/record-block.ts';
import { documentoJson, openFrame, resumoJson, type Frame } from '../format/record.ts';
import { unseal } from '../format/seal.ts';
import type { Connection, Snapshot } from './connection.ts';
import { threadCacheAt, type ThreadCache } from './thread-cache.ts';

const ROW_SQL = 'SELECT dados FROM resumo WHERE numero = ?';
const FRAME_SQL = 'SELECT dados FROM moldura WHERE numero = ?';
const BLOCK_SQL = 'SELECT dados FROM documento WHERE bloco = ?';
const DICTIONARY_SQL = 'SELECT dados FROM dicionario WHERE id = ?';

/**
 * The JSON texts of the given numbers, in their order; null where there is no such decision.
 * @throws DamagedBase when a text is not the one that was written, or is gone: SQLite does not notice every damaged
 *   page, and what such a page holds must not be served.
 */
export function rows(
  connection: Connection,
  tabela: 'resumo' | 'documento',
  numeros: readonly number[],
  snapshot: Snapshot,
): (string | null)[] {
  const cache = threadCacheAt(connection, snapshot.generation);
  const frameOf = (number: number) => frame(connection, cache, number);
  const json = (numero: number): string => {
    const row = () => textOf(unseal('resumo', numero, connection.value<Buffer>(ROW_SQL).get(numero)));
    if (tabela === 'documento') {
      return documentoJson(connection.base, numero, row(), restOf(connection, cache, numero), frameOf);
    }
    let found = cache.resumos.get(numero);
    if (found === undefined) {
      found = resumoJson(connection.base, numero, row(), frameOf);
      cache.resumos.set(numero, found);
    }
    return found;
  };
  // Numbers are given without a gap and never taken back.
  return numeros.map((numero) => (numero >= 1 && numero <= snapshot.lastNumber ? json(numero) : null));
}

function frame({ base, value }: Connection, { frames }: ThreadCache, number: number): Frame {
  let found = frames.get(number);
  if (found === undefined) {
    found = openFrame(base, textOf(unseal('moldura', number, value<Buffer>(FRAME_SQL).get(number))));
    frames.set(number, found);
  }
  return found;
}

function restOf({ value }: Connection, { unpackers }: ThreadCache, numero: number): string {
  const number = blockOf(numero);
  const block = unseal('documento', number, value<Buffer>(BLOCK_SQL).get(number));
  return unpackRest(block, placeIn(numero), (id) => {
    let found = unpackers.get(id);
    if (found === undefined) {
      found = new Unpacker(unseal('dicionario', id, value<Buffer>(DICTIONARY_SQL).get(id)));
      unpackers.set(id, found);
    }
    return found;
  });
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
