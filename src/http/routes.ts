import { LRUCache } from 'lru-cache';
import type { CoverageActor } from '../search/coverage.ts';
import type { SearchPage } from '../search/page.ts';
import type { Quota, QuotaState } from '../shared/quota.ts';
import type { Supervisor } from '../search/supervisor.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { CACHE_CONTROL, CAMINHOS, COTA, PREFIXO, REALM } from '../contract/rotas.ts';
import type { Keys, ValidKey } from '../keys/ring.ts';
import { sizeOf } from '../query/expression.ts';
import { askerIdOf, readTraceparent, type Asker } from '../engine/asker.ts';
import { readId } from '../query/id.ts';
import { readPedido, type Pedido, type ReadingTools } from '../query/parameters.ts';
import { errorAnswer, etagOf, isUnchanged, jsonAnswer, unchangedAnswer, type Headers } from './answer.ts';
import { pathOf, queryOf } from './routing.ts';
import type { RequestNotes } from './observer.ts';
import { recordTiming, searchTiming } from './server-timing.ts';
import { writeTermHeaders } from './term-headers.ts';

/** Size of the cache of parsed parameters. Parsing is a fifth of the work of a search that the result cache answers. */
const PEDIDOS_BYTES_MAX = 4 * 1_048_576;

export interface RoutesOptions {
  readonly supervisor: Pick<Supervisor, 'search' | 'read'>;
  readonly quota: Quota;
  readonly quotaPerDay: number;
  readonly coverage: Pick<CoverageActor, 'current'>;
  readonly keys: Keys;
  readonly reading: ReadingTools;
}

/** A running request: the answer's headers so far, and the notes. */
export interface RequestContext {
  readonly headers: Headers;
  readonly notes: RequestNotes;
}

const NOT_FOUND = recusa(
  'DECISAO_NAO_ENCONTRADA',
  'não há decisão com este id; use-o como veio na busca, por exemplo stj:123',
);
const NOT_AN_ID = recusa(
  'DECISAO_NAO_ENCONTRADA',
  `o caminho não tem um id, como stj:123; para buscar, use ${CAMINHOS.busca}`,
);

/** Size estimate of an entry without its texts, and of a part or word of the query. */
const PEDIDO_BYTES = 2_000;
const PEDIDO_PART_BYTES = 400;

/** The three routes of the contract, from request to answer. */
export class Routes {
  readonly #options: RoutesOptions;
  readonly #pedidos = new LRUCache<string, Pedido>({
    maxSize: PEDIDOS_BYTES_MAX,
    sizeCalculation: ({ consulta }, raw) =>
      PEDIDO_BYTES + 8 * raw.length + PEDIDO_PART_BYTES * (sizeOf(consulta.tree) + consulta.terms.length),
  });
  #coverage: { of: Cobertura; json: string; etag: string } | null = null;

  constructor(options: RoutesOptions) {
    this.#options = options;
  }

  cobertura(request: Request, { headers }: RequestContext): Response {
    const { json, etag } = this.#coverageText();
    headers['etag'] = etag;
    headers['cache-control'] = CACHE_CONTROL.cobertura;
    if (isUnchanged(request, etag)) return unchangedAnswer(json, headers);
    return jsonAnswer(request, 200, json, headers);
  }

  async busca(request: Request, bearer: string | undefined, context: RequestContext): Promise<Response> {
    const { headers, notes } = context;
    const found = this.#find(bearer);
    const key = noted(found instanceof Promise ? await found : found, notes);
    if (key === null) return unauthorized(request, bearer, headers);
    const pedido = this.#read(queryOf(request.url));
    if ('codigo' in pedido) {
      this.#writeQuota(await this.#options.quota.peek(key.id, this.#limitOf(key)), headers);
      return errorAnswer(request, pedido, headers);
    }
    const charged = this.#options.quota.charge(key.id, this.#limitOf(key));
    // A turn of the event loop is a noticeable part of a small answer, so only a remote quota is awaited.
    const refusal = this.#refuse(request, charged instanceof Promise ? await charged : charged, context);
    if (refusal !== null) return refusal;
    notes.pedido = pedido;
    const page = await this.#options.supervisor.search(pedido, askerOf(key, request, notes));
    notes.page = page;
    headers['cache-control'] = CACHE_CONTROL.busca;
    if (page.timings.length > 0) headers['server-timing'] = searchTiming(page.timings, notes.steps);
    writeTermHeaders(pedido, page, headers);
    const cursor =
      page.cursor === null ? null : this.#options.reading.cursors.encode(page.cursor, pedido.parametros);
    return jsonAnswer(request, 200, buscaJson(page, cursor), headers);
  }

  async decisao(request: Request, bearer: string | undefined, context: RequestContext): Promise<Response> {
    const { headers, notes } = context;
    const found = this.#find(bearer);
    const key = noted(found instanceof Promise ? await found : found, notes);
    if (key === null) return unauthorized(request, bearer, headers);
    const charged = this.#options.quota.charge(key.id, this.#limitOf(key));
    const refusal = this.#refuse(request, charged instanceof Promise ? await charged : charged, context);
    if (refusal !== null) return refusal;
    const id = decoded(pathOf(request.url).slice(PREFIXO.length + 1));
    const place = readId(id);
    if (place === null) return errorAnswer(request, id.includes(':') ? NOT_FOUND : NOT_AN_ID, headers);
    const asker = askerOf(key, request, notes);
    const outcome = await this.#options.supervisor.read(place.base, place.numero, asker);
    if (!outcome.ok) {
      const erro = `a base ${place.base} não respondeu; tente de novo`;
      return errorAnswer(request, recusa('TEMPO_ESGOTADO', erro), headers);
    }
    if (outcome.value === null) return errorAnswer(request, NOT_FOUND, headers);
    headers['server-timing'] = recordTiming(place.base, notes.steps);
    headers['etag'] = etagOf(outcome.value);
    headers['cache-control'] = CACHE_CONTROL.decisao;
    if (isUnchanged(request, headers['etag'])) return unchangedAnswer(outcome.value, headers);
    return jsonAnswer(request, 200, outcome.value, headers);
  }

  /** Cached, because parsing is a fifth of the work of a search that the result cache answers. */
  #read(raw: string): Pedido | Recusa {
    const found = this.#pedidos.get(raw);
    if (found !== undefined) return found;
    const pedido = readPedido(raw, this.#options.reading);
    if (!('codigo' in pedido)) this.#pedidos.set(raw, pedido);
    return pedido;
  }

  #find(bearer: string | undefined): ReturnType<Keys['find']> {
    return bearer === undefined ? null : this.#options.keys.find(bearer);
  }

  /** Writes the quota headers after a charge. @returns the refusal when the quota is used up. */
  #refuse(request: Request, state: QuotaState, { headers, notes }: RequestContext): Response | null {
    this.#writeQuota(state, headers);
    if (state.granted) return null;
    notes.refusal = 'quota';
    headers['retry-after'] = String(state.resetSeconds);
    const erro = `a cota de ${state.limit} consultas do dia acabou; renova-se à meia-noite UTC`;
    return errorAnswer(request, recusa('COTA_ESGOTADA', erro), headers);
  }

  #limitOf(key: ValidKey): number {
    return key.quotaPerDay ?? this.#options.quotaPerDay;
  }

  /** draft-ietf-httpapi-ratelimit-headers: the policy's quota and window, the remaining units, and the time until the reset. */
  #writeQuota({ limit, remaining, resetSeconds }: QuotaState, headers: Headers): void {
    headers['ratelimit-policy'] = `"${COTA.politica}";q=${limit};w=${COTA.segundos}`;
    headers['ratelimit'] = `"${COTA.politica}";r=${remaining};t=${resetSeconds}`;
  }

  #coverageText(): { json: string; etag: string } {
    const { current } = this.#options.coverage;
    if (this.#coverage?.of !== current) {
      const json = JSON.stringify(current);
      this.#coverage = { of: current, json, etag: etagOf(json) };
    }
    return this.#coverage;
  }
}

function askerOf(key: ValidKey, { signal, headers }: Request, { steps }: RequestNotes): Asker {
  const traceparent = readTraceparent(headers.get('traceparent'));
  return { id: askerIdOf(key.id), abandoned: signal, steps, traceparent };
}

function noted(key: ValidKey | null, notes: RequestNotes): ValidKey | null {
  notes.keyId = key?.id ?? null;
  return key;
}

/** RFC 6750, section 3: `error` only if a bearer credential was sent. */
function unauthorized(request: Request, bearer: string | undefined, headers: Headers): Response {
  const came = bearer !== undefined;
  headers['www-authenticate'] = `Bearer realm="${REALM}"${came ? ', error="invalid_token"' : ''}`;
  const erro = came
    ? 'a chave não é válida; confira-a ou peça outra ao operador'
    : 'falta a chave; envie o cabeçalho Authorization: Bearer <chave>';
  return errorAnswer(request, recusa('NAO_AUTORIZADO', erro), headers);
}

/** Items are JSON text since ingest; only the surrounding frame is written here. */
function buscaJson(page: SearchPage, cursor: string | null): string {
  const tail = JSON.stringify({
    por_base: page.por_base,
    bases_sem_resposta: page.bases_sem_resposta,
    proximo_cursor: cursor,
  });
  return `{"itens":[${page.itens.join(',')}],${tail.slice(1)}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
