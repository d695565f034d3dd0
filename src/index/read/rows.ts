import type { ReadReply, ReadRequest } from '../../engine/messages.ts';
import { known } from '../format/known.ts';
import { RecordReader } from '../format/record-reader.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';
import { threadCacheAt } from './thread-cache.ts';

/** The decisions' JSON texts, in the order of the doc ids; null if there is no such decision. @throws DamagedBase */
export function rows(
  connection: Connection,
  object: ReadRequest['object'],
  docIds: readonly number[],
  { generation, docs }: Snapshot,
): (string | null)[] {
  const cache = threadCacheAt(connection, generation);
  const records = new RecordReader(connection.base, connection.row, cache);
  const text = (docId: number) =>
    object === 'documento'
      ? records.documento(docId)
      : known(cache.resumos, docId, () => records.resumo(docId));
  // Doc ids have no gaps and are never removed.
  return docIds.map((docId) => (docId >= 1 && docId <= docs ? text(docId) : null));
}

export function read(connection: Connection, request: ReadRequest, snapshot: Snapshot): ReadReply {
  const texts = rows(connection, request.object, request.doc_ids, snapshot);
  // A decision is reported missing only if the file still has the bytes that were opened.
  if (texts.includes(null)) connection.verify();
  return { kind: 'read', rows: texts, ...stateOf(snapshot) };
}
