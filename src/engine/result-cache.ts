import { LRUCache } from 'lru-cache';
import type { BaseReply, CoverReply, NearRequest, ReadRequest, SearchRequest } from './messages.ts';

/** A request as a cache key sees it: without its budget. */
type CacheableRequest =
  Omit<SearchRequest, 'budget_ms'> | Omit<ReadRequest, 'budget_ms'> | Omit<NearRequest, 'budget_ms'>;
type CacheableReply = Exclude<BaseReply, CoverReply>;

/** Size estimate of a reply without its rows: key, positions, numbers, scores, frequencies. */
const BYTES_MIN = 800;
const BYTES_PER_NUMBER = 24;
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_MB = 1_048_576;

/**
 * Recent replies of one base, for equal requests while the data version is the same: users repeat searches, and clients
 * read the same pages. The caller compares versions. The least recently used reply is evicted first.
 */
export class ResultCache {
  #answers: LRUCache<string, CacheableReply> | null;

  /** @param mbMax megabytes; 0 for no cache. */
  constructor(mbMax: number) {
    this.#answers = answersOf(mbMax);
  }

  /** Changes the size and empties the cache. */
  set mbMax(mbMax: number) {
    this.#answers = answersOf(mbMax);
  }

  /** Estimate of the memory held, bytes. */
  get bytes(): number {
    return this.#answers?.calculatedSize ?? 0;
  }

  /** The latest reply; it is valid only while the base has the data version that the reply names. */
  find(request: CacheableRequest): CacheableReply | undefined {
    return this.#answers?.get(keyOf(request));
  }

  /**
   * Stores complete replies only: a search with its count if a count was wanted, and rows that are all there. A missing
   * decision is never cached, because the base checks that twice.
   */
  keep(request: CacheableRequest, reply: BaseReply): void {
    if (reply.data_version === undefined || reply.kind === 'cover' || reply.kind !== request.kind) return;
    const countIsDue = request.kind === 'search' && request.count_ms !== null;
    const isWhole =
      reply.kind === 'read'
        ? !reply.rows.includes(null)
        : reply.kind === 'near'
          ? reply.is_whole
          : reply.count !== null || !countIsDue;
    if (isWhole) this.#answers?.set(keyOf(request), reply);
  }
}

function answersOf(mbMax: number): LRUCache<string, CacheableReply> | null {
  return mbMax === 0 ? null : new LRUCache({ maxSize: mbMax * BYTES_PER_MB, sizeCalculation: bytesOf });
}

function keyOf(request: CacheableRequest): string {
  if (request.kind === 'read') return `${request.object} ${request.doc_ids.join(' ')}`;
  if (request.kind === 'near') return `near ${JSON.stringify([request.words, request.tree, request.filter])}`;
  const { ordem, tree, terms, filter, after, doc_ids_max, rows_max, count_ms } = request;
  const page = `${doc_ids_max} ${rows_max} ${count_ms === null ? '' : 'n'}`;
  // Whole, so that no field of it can be forgotten.
  const place = after === null ? '' : JSON.stringify(after);
  return `${ordem} ${page} ${JSON.stringify(filter)} ${place} ${digestOf(tree)} ${digestOf(terms)}`;
}

function bytesOf(reply: CacheableReply, key: string): number {
  const isSearch = reply.kind === 'search';
  const rows: readonly (string | null)[] = isSearch
    ? reply.resumos
    : reply.kind === 'read'
      ? reply.rows
      : [JSON.stringify(reply.near)];
  const characters = rows.reduce((sum, row) => sum + (row?.length ?? 0), key.length);
  const frequencies = isSearch && reply.start.ordem === 'relevancia' ? reply.start.df.length : 0;
  const numbers = isSearch ? reply.doc_ids.length + frequencies : 0;
  return BYTES_MIN + numbers * BYTES_PER_NUMBER + characters * BYTES_PER_CHARACTER;
}

const digests = new WeakMap<object, string>();

/**
 * A short digest of a part of a request: the part may be hundreds of characters long, and all bases get the same object,
 * whose digest is computed once. SHA-256 keeps two different parts apart.
 */
function digestOf(part: object): string {
  let digest = digests.get(part);
  if (digest === undefined) {
    digest = Bun.SHA256.hash(JSON.stringify(part), 'base64');
    digests.set(part, digest);
  }
  return digest;
}
