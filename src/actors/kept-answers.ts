import { LRUCache } from 'lru-cache';
import type { BaseReply, CoverReply, ReadRequest, SearchRequest } from '../base/messages.ts';
import type { DataWatch } from '../base/data-watch.ts';
import { numberOf } from './request-number.ts';

/** What answers are kept to: all but the time that there was for them. */
type KeptRequest = Omit<SearchRequest, 'budget_ms'> | Omit<ReadRequest, 'budget_ms'>;
type KeptReply = Exclude<BaseReply, CoverReply>;

/** Of an answer beside its rows: its key, numbers and scores. */
const BYTES_MIN = 600;
const BYTES_PER_NUMBER = 24;
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_MB = 1_048_576;

/**
 * The answers that a base gave of late, for who asks the same again while its data are the same: users' searches
 * repeat, and so do the pages that clients read. It keeps whole answers only: of a search with its count, where that
 * was asked for. What has not been asked for longest goes first.
 */
export class KeptAnswers {
  readonly #watch: DataWatch | undefined;
  #answers: LRUCache<string, KeptReply> | null;
  #moment = Number.NEGATIVE_INFINITY;

  /**
   * @param watch without one nothing is kept, for who knows how long it holds.
   * @param mbMax megabytes; 0 keeps none.
   */
  constructor(watch: DataWatch | undefined, mbMax: number) {
    this.#watch = watch;
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

  /** The moment that the data are in, to be kept with what is asked now; null where nothing is kept. */
  moment(): number | null {
    return this.#answers === null ? null : (this.#watch?.moment() ?? null);
  }

  find(request: KeptRequest): KeptReply | undefined {
    return this.#isCurrent() ? this.#answers?.get(keyOf(request)) : undefined;
  }

  has(request: KeptRequest): boolean {
    return this.#isCurrent() && this.#answers?.has(keyOf(request)) === true;
  }

  /**
   * @param moment of the data when the base was asked. They may have changed since, and the answer be of that: then it
   *   is let go before anyone finds it.
   */
  keep(request: KeptRequest, moment: number, reply: BaseReply): void {
    const countIsDue = request.kind === 'search' && request.count_ms !== null;
    if (reply.kind === 'cover' || (countIsDue && !isCounted(reply))) return;
    this.#turnTo(moment);
    this.#answers?.set(keyOf(request), reply);
  }

  /** Whether there is anything of the data as they are: what was kept of another moment is let go. */
  #isCurrent(): boolean {
    const moment = this.moment();
    if (moment !== null) this.#turnTo(moment);
    return moment !== null;
  }

  #turnTo(moment: number): void {
    if (moment !== this.#moment) this.#answers?.clear();
    this.#moment = moment;
  }
}

function isCounted(reply: KeptReply): boolean {
  return reply.kind === 'search' && reply.contagem !== null;
}

function answersOf(mbMax: number): LRUCache<string, KeptReply> | null {
  return mbMax === 0 ? null : new LRUCache({ maxSize: mbMax * BYTES_PER_MB, sizeCalculation: bytesOf });
}

function keyOf(request: KeptRequest): string {
  if (request.kind === 'read') return `${request.tabela} ${request.numeros.join(' ')}`;
  const { ordem, programa, termos, filtro, posicao, numeros_max, rows_max, count_ms } = request;
  const page = `${numeros_max} ${rows_max} ${count_ms === null ? '' : 'n'}`;
  const { tribunais, tipo, julgamento_de, julgamento_ate } = filtro;
  const filter = `${tribunais?.join() ?? '*'} ${tipo ?? ''} ${julgamento_de ?? ''} ${julgamento_ate ?? ''}`;
  const place = posicao === null ? '' : JSON.stringify(posicao);
  return `${ordem} ${page} ${filter} ${place} ${numberOf(programa)} ${numberOf(termos)}`;
}

function bytesOf(reply: KeptReply, key: string): number {
  const isSearch = reply.kind === 'search';
  const rows: readonly (string | null)[] = isSearch ? reply.resumos : reply.linhas;
  const characters = rows.reduce((sum, row) => sum + (row?.length ?? 0), key.length);
  const numbers = isSearch ? reply.numeros.length : 0;
  return BYTES_MIN + numbers * BYTES_PER_NUMBER + characters * BYTES_PER_CHARACTER;
}
