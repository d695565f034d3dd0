import type { ReadReply, ReadRequest } from '../../engine/messages.ts';
import { binary } from '../format/bytes.ts';
import { known } from '../format/known.ts';
import { RecordReader } from '../format/record-reader.ts';
import { unseal } from '../format/seal.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';
import { threadCacheAt } from './thread-cache.ts';

/** The decisions' JSON texts as binary strings, in the order of the doc ids; null if there is no such decision. @throws DamagedBase */
export function rows(
  connection: Connection,
  object: ReadRequest['object'],
  docIds: readonly number[],
  { generation, docs, withdrawn }: Snapshot,
): (string | null)[] {
  const cache = threadCacheAt(connection, generation);
  const records = new RecordReader(connection.base, connection.row, cache, binary);
  const text = (docId: number) =>
    object === 'documento'
      ? records.documento(docId)
      : known(cache.resumos, docId, () => records.resumo(docId));
  const isThere = (docId: number) =>
    docId >= 1 && docId <= docs && !(withdrawn > 0 && isWithdrawn(connection, docId));
  return docIds.map((docId) => (isThere(docId) ? text(docId) : null));
}

/** @throws DamagedBase */
export function isWithdrawn({ value }: Connection, docId: number): boolean {
  const row = value<Buffer>('SELECT data FROM withdrawn WHERE id = ?').get(docId);
  return row !== undefined && unseal('withdrawn', docId, row).length >= 0;
}

export function read(connection: Connection, request: ReadRequest, snapshot: Snapshot): ReadReply {
  const texts = rows(connection, request.object, request.doc_ids, snapshot);
  // A decision is reported missing only if the file still has the bytes that were opened.
  if (texts.includes(null)) connection.verify();
  return { kind: 'read', rows: texts, ...stateOf(snapshot) };
}
