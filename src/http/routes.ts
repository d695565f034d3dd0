import { LRUCache } from 'lru-cache';
import { bug } from '../bug.ts';
import type { CoverageActor } from '../search/coverage.ts';
import type { Quota, QuotaState } from '../shared/quota.ts';
import type { Supervisor } from '../search/supervisor.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { CACHE_CONTROL, CAMINHOS, COTA, PREFIXO, REALM } from '../contract/rotas.ts';
import type { Keys, ValidKey } from '../keys/ring.ts';
import { sizeOf } from '../query/expression.ts';
import { askerIdOf, type Asker } from '../engine/asker.ts';
import { readId } from '../query/id.ts';
import { readPedido, type Pedido, type ReadingTools } from '../query/parameters.ts';
import {
  Body,
  errorAnswer,
  etagOf,
  isUnchanged,
  jsonAnswer,
  unchangedAnswer,
  type Headers,
} from './answer.ts';
import type { AnswerCache, KeptAnswer } from './answer-cache.ts';
import { buscaBody, etagOfSearch, headersOf, versionsText, wholePage, wholeRecord } from './page-answer.ts';
import { pathOf, queryOf } from './routing.ts';
import type { RequestNotes } from './observer.ts';
import { recordTiming, searchTiming } from './described-request.ts';

/** Size of the cache of parsed parameters. Parsing would be most of the work of an answer from the cache. */
const PEDIDOS_BYTES_MAX = 4 * 1_048_576;

export interface RoutesOptions {
  readonly supervisor: Pick<Supervisor, 'search' | 'read'>;
  readonly quota: Quota;
  readonly quotaPerDay: number;
  readonly coverage: Pick<CoverageActor, 'current'>;
  readonly keys: Keys;
  readonly reading: ReadingTools;
  readonly answers: AnswerCache;
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
  #coverage: { of: Cobertura; body: Body; etag: string } | null = null;

  constructor(options: RoutesOptions) {
    this.#options = options;
  }

  cobertura(request: Request, { headers }: RequestContext): Response {
    const { body, etag } = this.#coverageText();
    headers['etag'] = etag;
    headers['cache-control'] = CACHE_CONTROL.cobertura;
    if (isUnchanged(request, etag)) return unchangedAnswer(body, headers);
    return jsonAnswer(request, 200, body, headers);
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
    return this.#page(request, pedido, key, context);
  }

  /** The answer of a search that may be made: the client's own, one from the cache, or that of the bases. */
  async #page(request: Request, pedido: Pedido, key: ValidKey, context: RequestContext): Promise<Response> {
    const { answers, reading, supervisor } = this.#options;
    const { headers, notes } = context;
    // A cursor is signed, so the answer depends on the secret too.
    const name = `${reading.cursors.signedWith} ${pedido.chave}`;
    if (request.headers.has('if-none-match')) {
      const unchanged = await this.#unchanged(request, pedido, name, context);
      if (unchanged !== null) return unchanged;
    }
    const found = answers.find(name, request.signal);
    const kept = found instanceof Promise ? await found : found;
    if (kept !== undefined) return sendKept(request, kept, context);
    const page = await supervisor.search(pedido, askerOf(key, request, notes));
    notes.page = page;
    if (page.timings.length > 0) headers['server-timing'] = searchTiming(page.timings, 'miss');
    const own = headersOf(pedido, page, name);
    Object.assign(headers, own);
    const cursor = page.cursor === null ? null : reading.cursors.encode(page.cursor, pedido.parametros);
    if (page.isWhole) answers.keep(name, wholePage(page, cursor, own));
    return jsonAnswer(request, 200, buscaBody(page, cursor), headers);
  }

  /** The 304 for a client that has the answer that the bases would give now; no base searches for it. */
  async #unchanged(
    request: Request,
    { selecao, cursor }: Pedido,
    name: string,
    { headers, notes }: RequestContext,
  ): Promise<Response | null> {
    const bases = selecao.flatMap(({ base }) => (cursor === null || cursor.after.has(base) ? base : []));
    const versions = await this.#options.answers.present(bases, request.signal);
    if (versions === null) return null;
    const etag = etagOfSearch(name, versions);
    if (!isUnchanged(request, etag)) return null;
    notes.isKept = true;
    Object.assign(headers, { etag, 'cache-control': CACHE_CONTROL.busca });
    headers['jurisprudencia-versao'] = versionsText(versions);
    return unchangedAnswer(null, headers);
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
    return this.#record(request, place, askerOf(key, request, notes), context);
  }

  async #record(
    request: Request,
    { base, docId }: { readonly base: Base; readonly docId: number },
    asker: Asker,
    context: RequestContext,
  ): Promise<Response> {
    const { answers, supervisor } = this.#options;
    const { headers, notes } = context;
    const name = `${base}:${docId}`;
    const found = answers.find(name, request.signal);
    const kept = found instanceof Promise ? await found : found;
    if (kept !== undefined) return sendKept(request, kept, context);
    const outcome = await supervisor.read(base, docId, asker);
    if (!outcome.ok) {
      const erro = `a base ${base} não respondeu; tente de novo`;
      return errorAnswer(request, recusa('TEMPO_ESGOTADO', erro), headers);
    }
    const { json, version } = outcome.value;
    if (json === null) return errorAnswer(request, NOT_FOUND, headers);
    const body = new Body(Buffer.from(json, 'latin1'));
    const etag = etagOf(body.plain);
    const own: Headers = { etag, 'cache-control': CACHE_CONTROL.decisao };
    if (version !== null) {
      const versions = new Map([[base, version]]);
      own['jurisprudencia-versao'] = versionsText(versions);
      answers.keep(name, wholeRecord(base, body, versions, own));
    }
    Object.assign(headers, own);
    headers['server-timing'] = recordTiming(base, notes.steps, 'miss');
    if (isUnchanged(request, etag)) return unchangedAnswer(body, headers);
    return jsonAnswer(request, 200, body, headers);
  }

  /** Cached: see `PEDIDOS_BYTES_MAX`. */
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

  #coverageText(): { body: Body; etag: string } {
    const { current } = this.#options.coverage;
    if (this.#coverage?.of !== current) {
      const json = JSON.stringify(current);
      this.#coverage = { of: current, body: new Body(json), etag: etagOf(json) };
    }
    return this.#coverage;
  }
}

function askerOf(key: ValidKey, { signal }: Request, { steps }: RequestNotes): Asker {
  return { id: askerIdOf(key.id), abandoned: signal, steps };
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

function sendKept(
  request: Request,
  { headers: own, body, page }: KeptAnswer,
  { headers, notes }: RequestContext,
): Response {
  notes.isKept = true;
  notes.page = page;
  Object.assign(headers, own);
  if (isUnchanged(request, own['etag'] ?? bug('no etag of a whole answer')))
    return unchangedAnswer(body, headers);
  return jsonAnswer(request, 200, body, headers);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
