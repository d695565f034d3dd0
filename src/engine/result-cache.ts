import { LRUCache } from 'lru-cache';
import type { BaseReply, BaseRequest } from './messages.ts';

/** Size estimate of a reply without its key and rows: numbers, scores, frequencies. */
const BYTES_MIN = 2_400;
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_MB = 1_048_576;

/**
 * Recent replies of one base, for equal requests while the data version is the same: users repeat searches, and clients
 * read the same pages. The caller compares versions. The least recently used reply is evicted first.
 */
export class ResultCache {
  #answers: LRUCache<string, BaseReply> | null = null;

  /** @param mbMax megabytes; 0 for no cache. */
  constructor(mbMax: number) {
    this.mbMax = mbMax;
  }

  /** Changes the size and empties the cache. */
  set mbMax(mbMax: number) {
    this.#answers =
      mbMax === 0 ? null : new LRUCache({ maxSize: mbMax * BYTES_PER_MB, sizeCalculation: bytesOf });
  }

  /** Estimate of the memory held, bytes. */
  get bytes(): number {
    return this.#answers?.calculatedSize ?? 0;
  }

  /** The latest reply; it is valid only while the base has the data version that the reply names. */
  find(request: BaseRequest): BaseReply | undefined {
    return this.#answers?.get(keyOf(request));
  }

  /** Keeps a reply that is complete and names its data version. */
  keep(request: BaseRequest, reply: BaseReply): void {
    if (reply.data_version !== undefined && isWhole(request, reply))
      this.#answers?.set(keyOf(request), reply);
  }
}

/** A missing decision is never cached, because the base checks that twice. */
function isWhole(request: BaseRequest, reply: BaseReply): boolean {
  switch (reply.kind) {
    case 'search':
      return reply.count !== null || (request.kind === 'search' && request.count_ms === null);
    case 'read':
      return !reply.rows.includes(null);
    case 'near':
      return reply.is_whole;
    case 'cover':
      return false;
  }
}

/** The whole request, so that no field can be forgotten, but the times that it may take. */
function keyOf(request: BaseRequest): string {
  const asked = { ...request, budget_ms: 0 };
  return JSON.stringify('count_ms' in asked ? { ...asked, count_ms: asked.count_ms !== null } : asked);
}

function bytesOf(reply: BaseReply, key: string): number {
  const rows = reply.kind === 'search' ? reply.resumos : reply.kind === 'read' ? reply.rows : [];
  const characters = rows.reduce((sum, row) => sum + (row?.length ?? 0), key.length);
  return BYTES_MIN + characters * BYTES_PER_CHARACTER;
}
