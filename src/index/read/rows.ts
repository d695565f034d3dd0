import type { ReadReply, ReadRequest } from '../../engine/messages.ts';
import { RecordReader } from '../format/record-reader.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';
import { threadCacheAt } from './thread-cache.ts';

/** The decisions' JSON texts, in the order of the doc ids; null if there is no such decision. @throws DamagedBase */
export function rows(
  connection: Connection,
  object: ReadRequest['object'],
  docIds: readonly number[],
  { generation, lastDocId }: Snapshot,
): (string | null)[] {
  const cache = threadCacheAt(connection, generation);
  const records = new RecordReader(connection.base, connection.row, cache);
  const resumo = (docId: number): string => {
    let found = cache.resumos.get(docId);
    if (found === undefined) cache.resumos.set(docId, (found = records.resumo(docId)));
    return found;
  };
  const text = (docId: number) => (object === 'documento' ? records.documento(docId) : resumo(docId));
  // Doc ids have no gaps and are never removed.
  return docIds.map((docId) => (docId >= 1 && docId <= lastDocId ? text(docId) : null));
}

export function read(connection: Connection, request: ReadRequest, snapshot: Snapshot): ReadReply {
  const texts = rows(connection, request.object, request.doc_ids, snapshot);
  // A decision is reported missing only if the file still has the bytes that were opened.
  if (texts.includes(null)) connection.verify();
  return { kind: 'read', rows: texts, ...stateOf(snapshot) };
}
