import { Elysia } from 'elysia';
import { bearer } from '@elysiajs/bearer';
import { randomUUID } from 'node:crypto';
import { recusa } from '../contract/erro.ts';
import { errorAnswer, type Headers } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { pathOf, PREFIXO, refuseRoute, ROTA_NAO_ENCONTRADA, type IpLimit } from './front.ts';
import { Routes, type RoutesOptions } from './routes.ts';

export interface AppOptions extends RoutesOptions {
  readonly ipLimit: IpLimit;
  readonly clients: ClientAddress;
  readonly idleTimeoutSeconds: number;
  /** True once the service is to stop: clients are then told that their connections close. */
  readonly isStopping?: () => boolean;
  readonly onFault: (requestId: string, error: unknown) => void;
}

/**
 * No route reads a body, so none is ever held. A lower bound would have the server itself answer 413, before
 * the per-IP limit and the 405 that a body mostly comes with.
 */
const BODY_BYTES_MAX = Number.MAX_SAFE_INTEGER;
const REQUEST_ID = /^[\w.-]{8,64}$/u;

/**
 * The public app. Its order of checks is the contract's: per-IP limit, 404 route, 405, and then in each route
 * 401, 400, quota and work. The first three stand before the framework's own routing, which would run GET for
 * HEAD and answer 404 for a wrong method.
 */
export function createApp(options: AppOptions) {
  const headersFor = headersOfRequests(options.isStopping ?? (() => false));
  const api = createApi(options, headersFor);
  return new Elysia({
    serve: {
      // Without this a second process would bind the same port in silence.
      reusePort: false,
      maxRequestBodySize: BODY_BYTES_MAX,
      idleTimeout: options.idleTimeoutSeconds,
      development: false,
    },
  })
    .onRequest(async ({ request, server }) => {
      const remote = server?.requestIP(request)?.address ?? '';
      const client = options.clients.keyOf(remote, request.headers.get('x-forwarded-for'));
      const waitSeconds = await options.ipLimit.refuse(client);
      if (waitSeconds !== null) return tooFast(waitSeconds, headersFor(request));
      const refusal = refuseRoute(pathOf(request.url), request.method);
      if (refusal !== null) return errorAnswer(request, refusal, headersFor(request));
      return request.url.includes('://') ? undefined : await api.handle(withHost(request));
    })
    .use(api);
}

/** The routes alone, for requests that the front has let pass. */
function createApi(options: AppOptions, headersFor: (request: Request) => Headers) {
  const routes = new Routes(options);
  /** An answer that was under way when the service was told to stop says so as well. */
  const lastOf = async (answer: Promise<Response>) => {
    const response = await answer;
    if (options.isStopping?.() === true) response.headers.set('connection', 'close');
    return response;
  };
  return new Elysia({ strictPath: true, normalize: false })
    .onError({ as: 'global' }, ({ request, error, code }) => {
      const headers = headersFor(request);
      // The framework may read a path otherwise than we do, for instance where it has dots in it.
      if (code === 'NOT_FOUND') return errorAnswer(request, ROTA_NAO_ENCONTRADA, headers);
      options.onFault(headers['x-request-id'] ?? '', error);
      const erro = 'falha do serviço; repita, e se persistir informe o X-Request-Id';
      return errorAnswer(request, recusa('ERRO_INTERNO', erro), headers);
    })
    .get(`${PREFIXO}/cobertura`, ({ request }) => routes.cobertura(request, headersFor(request)))
    .use(bearer())
    .get(`${PREFIXO}/busca`, ({ request, bearer: found }) =>
      lastOf(routes.busca(request, found, headersFor(request))),
    )
    .get(`${PREFIXO}/:id`, ({ request, bearer: found }) =>
      lastOf(routes.decisao(request, found, headersFor(request))),
    );
}

/** One set of headers a request, so that the answer to a fault still tells the quota. */
function headersOfRequests(isStopping: () => boolean): (request: Request) => Headers {
  const known = new WeakMap<Request, Headers>();
  return (request) => {
    let headers = known.get(request);
    if (headers === undefined) {
      const sent = request.headers.get('x-request-id');
      headers = { 'x-request-id': sent !== null && REQUEST_ID.test(sent) ? sent : randomUUID() };
      if (isStopping()) headers['connection'] = 'close';
      known.set(request, headers);
    }
    return headers;
  };
}

/** HTTP/1.0 needs no Host, and then the URL has none either, which the framework's routing cannot read. */
function withHost(request: Request): Request {
  return new Request(`http://localhost${request.url}`, { headers: request.headers });
}

/** The per-IP refusal is of a layer before the API and never wears the error JSON (spec section 7). */
function tooFast(waitSeconds: number, headers: Headers): Response {
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['retry-after'] = String(waitSeconds);
  return new Response(`Muitas requisições deste endereço; espere ${waitSeconds} s.\n`, {
    status: 429,
    headers,
  });
}
