import { LRUCache } from 'lru-cache';
import type { BaseReply, CoverReply, ReadRequest, SearchRequest } from './messages.ts';
import { digestOf } from './request-digest.ts';

/** What answers are kept to: all but the time that there was for them. */
type CacheableRequest = Omit<SearchRequest, 'budget_ms'> | Omit<ReadRequest, 'budget_ms'>;
type CacheableReply = Exclude<BaseReply, CoverReply>;

/** Of an answer beside its rows: its key, its places, numbers and scores, the words' frequencies. */
const BYTES_MIN = 800;
const BYTES_PER_NUMBER = 24;
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_MB = 1_048_576;

/**
 * The answers that a base gave of late, for who asks the same again while its data are the same: users' searches
 * repeat, and so do the pages that clients read. Each is known by the state of the base that it names. What has not been
 * asked for longest goes first.
 */
export class ResultCache {
  #answers: LRUCache<string, CacheableReply> | null;

  /** @param mbMax megabytes; 0 keeps none. */
  constructor(mbMax: number) {
    this.#answers = answersOf(mbMax);
  }

  /** Changes how much is kept; what was kept until then is let go. */
  set mbMax(mbMax: number) {
    this.#answers = answersOf(mbMax);
  }

  /** About what is held, bytes. */
  get bytes(): number {
    return this.#answers?.calculatedSize ?? 0;
  }

  /** The latest answer; it holds only while the base is in the state that it names. */
  find(request: CacheableRequest): CacheableReply | undefined {
    return this.#answers?.get(keyOf(request));
  }

  /**
   * Keeps whole answers only: of a search with its count where that was asked for, and none that a decision is not
   * there, which a base looks at twice before it says so.
   */
  keep(request: CacheableRequest, reply: BaseReply): void {
    if (reply.estado === undefined || reply.kind === 'cover' || reply.kind !== request.kind) return;
    const countIsDue = request.kind === 'search' && request.count_ms !== null;
    const isWhole =
      reply.kind === 'read' ? !reply.linhas.includes(null) : reply.contagem !== null || !countIsDue;
    if (isWhole) this.#answers?.set(keyOf(request), reply);
  }
}

function answersOf(mbMax: number): LRUCache<string, CacheableReply> | null {
  return mbMax === 0 ? null : new LRUCache({ maxSize: mbMax * BYTES_PER_MB, sizeCalculation: bytesOf });
}

function keyOf(request: CacheableRequest): string {
  if (request.kind === 'read') return `${request.tabela} ${request.numeros.join(' ')}`;
  const { ordem, tree, termos, filtro, posicao, numeros_max, rows_max, count_ms } = request;
  const page = `${numeros_max} ${rows_max} ${count_ms === null ? '' : 'n'}`;
  const { tribunais, tipo, julgamento_de, julgamento_ate } = filtro;
  const filter = `${tribunais?.join() ?? '*'} ${tipo ?? ''} ${julgamento_de ?? ''} ${julgamento_ate ?? ''}`;
  const place = posicao === null ? '' : JSON.stringify(posicao);
  return `${ordem} ${page} ${filter} ${place} ${digestOf(tree)} ${digestOf(termos)}`;
}

function bytesOf(reply: CacheableReply, key: string): number {
  const isSearch = reply.kind === 'search';
  const rows: readonly (string | null)[] = isSearch ? reply.resumos : reply.linhas;
  const characters = rows.reduce((sum, row) => sum + (row?.length ?? 0), key.length);
  const frequencies = isSearch && reply.inicio.ordem === 'relevancia' ? reply.inicio.df.length : 0;
  const numbers = isSearch ? reply.numeros.length + frequencies : 0;
  return BYTES_MIN + numbers * BYTES_PER_NUMBER + characters * BYTES_PER_CHARACTER;
}
