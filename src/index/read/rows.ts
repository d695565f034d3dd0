import type { ReadReply, ReadRequest } from '../../engine/messages.ts';
import { textOf } from '../format/bytes.ts';
import { blockOf, placeIn, unpackRest, Unpacker } from '../format/record-block.ts';
import { documentoJson, openFrame, resumoJson, type Frame } from '../format/record.ts';
import { unseal } from '../format/seal.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';
import { threadCacheAt, type ThreadCache } from './thread-cache.ts';

const ROW_SQL = 'SELECT data FROM item WHERE id = ?';
const FRAME_SQL = 'SELECT data FROM frame WHERE id = ?';
const BLOCK_SQL = 'SELECT data FROM record WHERE id = ?';
const DICTIONARY_SQL = 'SELECT data FROM dictionary WHERE id = ?';

/**
 * The JSON texts of the given numbers, in their order; null where there is no such decision.
 * @throws DamagedBase when a text is not the one that was written, or is gone: SQLite does not notice every damaged
 *   page, and what such a page holds must not be served.
 */
export function rows(
  connection: Connection,
  object: 'resumo' | 'documento',
  doc_ids: readonly number[],
  snapshot: Snapshot,
): (string | null)[] {
  const cache = threadCacheAt(connection, snapshot.generation);
  const frameOf = (number: number) => frame(connection, cache, number);
  const json = (docId: number): string => {
    const row = () => textOf(unseal('item', docId, connection.value<Buffer>(ROW_SQL).get(docId)));
    if (object === 'documento') {
      return documentoJson(connection.base, docId, row(), restOf(connection, cache, docId), frameOf);
    }
    let found = cache.resumos.get(docId);
    if (found === undefined) {
      found = resumoJson(connection.base, docId, row(), frameOf);
      cache.resumos.set(docId, found);
    }
    return found;
  };
  // Numbers are given without a gap and never taken back.
  return doc_ids.map((docId) => (docId >= 1 && docId <= snapshot.lastDocId ? json(docId) : null));
}

function frame({ base, value }: Connection, { frames }: ThreadCache, number: number): Frame {
  let found = frames.get(number);
  if (found === undefined) {
    found = openFrame(base, textOf(unseal('frame', number, value<Buffer>(FRAME_SQL).get(number))));
    frames.set(number, found);
  }
  return found;
}

function restOf({ value }: Connection, { unpackers }: ThreadCache, docId: number): string {
  const number = blockOf(docId);
  const block = unseal('record', number, value<Buffer>(BLOCK_SQL).get(number));
  return unpackRest(block, placeIn(docId), (id) => {
    let found = unpackers.get(id);
    if (found === undefined) {
      found = new Unpacker(unseal('dictionary', id, value<Buffer>(DICTIONARY_SQL).get(id)));
      unpackers.set(id, found);
    }
    return found;
  });
}

export function read(connection: Connection, request: ReadRequest, snapshot: Snapshot): ReadReply {
  const texts = rows(connection, request.object, request.doc_ids, snapshot);
  // Nothing is said not to exist before it is sure that the bytes are still those of the file that was opened.
  if (texts.includes(null)) connection.verify();
  return { kind: 'read', rows: texts, ...stateOf(snapshot) };
}
