import { Elysia } from 'elysia';
import { bearer } from '@elysiajs/bearer';
import { randomUUID } from 'node:crypto';
import { recusa } from '../contract/recusa.ts';
import { CAMINHOS, PREFIXO } from '../contract/rotas.ts';
import { errorAnswer, type Headers } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { mayHoldKey } from '../keys/key.ts';
import type { IpLimit } from './ip-limit.ts';
import { pathOf, refuseRoute, ROTA_NAO_ENCONTRADA, routeOf } from './routing.ts';
import type { Observer, RequestNotes } from './observer.ts';
import { Routes, type RoutesOptions, type RequestContext } from './routes.ts';

export interface AppOptions extends RoutesOptions {
  readonly ipLimit: Pick<IpLimit, 'refuse'>;
  readonly clients: ClientAddress;
  /** It may grow while the service runs, with the windows. */
  readonly idleTimeoutSeconds: () => number;
  /** True once the service stops: answers then carry `Connection: close`. */
  readonly isStopping?: () => boolean;
  readonly observer?: Observer;
  /** True if other processes of this service listen on the same port. */
  readonly reusePort?: boolean;
}

/**
 * No route reads a body, so none is held in memory. With a lower bound the server would answer 413 before the per-IP limit, and
 * before the 405 that most requests with a body get.
 */
const BODY_BYTES_MAX = Number.MAX_SAFE_INTEGER;
const REQUEST_ID = /^[\w.-]{8,64}$/u;
const BEARER = /^bearer +(?<token>[A-Za-z0-9._~+/-]+=*) *$/iu;

/**
 * The public app. Its order of checks is the contract's: per-IP limit, 404 route, 405, and then in each route 401, 400, quota
 * and work. The first three run before the framework's routing, which would run GET for HEAD and answer 404 for a wrong method.
 * `cobertura`, the only route without a key, also runs before it, because the framework would read headers and query for the
 * bearer plugin.
 */
export function createApp(options: AppOptions) {
  const contextOf = contextsOf(options.isStopping ?? (() => false));
  const routes = new Routes(options);
  const api = createApi(options, routes, contextOf);
  const idleAtStart = options.idleTimeoutSeconds();
  const answered = (context: RequestContext, response: Response, request: Request) =>
    observed(options, context, response, request);
  const beforeRouting = (request: Request): Response | Promise<Response> | undefined => {
    const { server } = app;
    const idleSeconds = options.idleTimeoutSeconds();
    if (idleSeconds > idleAtStart) server?.timeout(request, idleSeconds);
    const remote = server?.requestIP(request)?.address ?? '';
    const context = contextOf(request);
    const client = options.clients.keyOf(remote, request.headers.get('x-forwarded-for'));
    const waitSeconds = options.ipLimit.refuse(client);
    context.notes.route = routeOf(pathOf(request.url)) ?? 'nenhuma';
    if (waitSeconds !== null) return answered(context, tooFast(waitSeconds, context), request);
    const refusal = refuseRoute(context.notes.route, request.method);
    if (refusal !== null) return answered(context, errorAnswer(request, refusal, context.headers), request);
    if (context.notes.route === 'cobertura')
      return answered(context, routes.cobertura(request, context), request);
    return request.url.includes('://') ? undefined : api.handle(withHost(request, context));
  };
  const app = new Elysia({
    serve: {
      // If true, another service could bind the same port without an error.
      reusePort: options.reusePort ?? false,
      maxRequestBodySize: BODY_BYTES_MAX,
      idleTimeout: idleAtStart,
      development: false,
    },
  })
    .onRequest(({ request }) => {
      // The framework reads the hook's source: if it returned the call itself, it would await every answer.
      const answer = beforeRouting(request);
      return answer;
    })
    .use(api);
  return app;
}

/** Only the routes that need a key, for requests that passed the checks before routing. */
function createApi(options: AppOptions, routes: Routes, contextOf: (request: Request) => RequestContext) {
  /** Completes an answer; a request that was running when the service began to stop closes its connection too. */
  const lastOf = (context: RequestContext, response: Response, request: Request) => {
    if (options.isStopping?.() === true) response.headers.set('connection', 'close');
    // A fault is logged even when the client has left.
    context.notes.isAbandoned = request.signal.aborted && context.notes.fault === null;
    return observed(options, context, response, request);
  };
  return new Elysia({ strictPath: true, normalize: false })
    .onError({ as: 'global' }, ({ request, error, code }) => {
      const context = contextOf(request);
      // The framework may read a path differently, for instance with dots.
      if (code === 'NOT_FOUND') {
        return lastOf(context, errorAnswer(request, ROTA_NAO_ENCONTRADA, context.headers), request);
      }
      context.notes.fault = error;
      const erro = 'falha do serviço; repita, e se persistir informe o X-Request-Id';
      return lastOf(context, errorAnswer(request, recusa('ERRO_INTERNO', erro), context.headers), request);
    })
    .onTransform(({ headers, query }) => {
      headers['authorization'] = strictBearer(headers['authorization']);
      // Without a key in the header, the plugin would read one from here.
      delete query['access_token'];
    })
    .use(bearer())
    .get(CAMINHOS.busca, async ({ request, bearer: found }) => {
      const context = contextOf(request);
      return lastOf(context, await routes.busca(request, found, context), request);
    })
    .get(`${PREFIXO}/:id`, async ({ request, bearer: found }) => {
      const context = contextOf(request);
      return lastOf(context, await routes.decisao(request, found, context), request);
    });
}

function observed(
  { observer }: AppOptions,
  { notes }: RequestContext,
  response: Response,
  request: Request,
): Response {
  observer?.(notes, response.status, request, response);
  return response;
}

/** The property of a request that holds its context; a `WeakMap` took a tenth of the work of a small answer. */
const CONTEXT = Symbol('context');
type WithContext = Request & { [CONTEXT]?: RequestContext };

/** A single context per request, so that the answer to a fault still has the quota headers. */
function contextsOf(isStopping: () => boolean): (request: Request) => RequestContext {
  return (request: WithContext) => {
    if (request[CONTEXT] !== undefined) return request[CONTEXT];
    const sent = request.headers.get('x-request-id');
    const notes = newNotes(sent !== null && mayBeId(sent) ? sent : randomUUID());
    const headers: Headers = { 'x-request-id': notes.requestId };
    if (isStopping()) headers['connection'] = 'close';
    const context = { headers, notes };
    request[CONTEXT] = context;
    return context;
  };
}

/** False for an id that may contain a key: keys never appear in logs or traces. */
function mayBeId(sent: string): boolean {
  return REQUEST_ID.test(sent) && !mayHoldKey(sent);
}

function newNotes(requestId: string): RequestNotes {
  return {
    requestId,
    startedAt: performance.now(),
    route: 'nenhuma',
    keyId: null,
    refusal: null,
    isAbandoned: false,
    fault: null,
    pedido: null,
    page: null,
    isKept: false,
    steps: [],
  };
}

/** HTTP/1.0 needs no Host. The URL then has no host either, and the framework cannot route it. */
function withHost({ url, headers, signal }: Request, context: RequestContext): Request {
  const request: WithContext = new Request(`http://localhost${url}`, { headers, signal });
  request[CONTEXT] = context;
  return request;
}

/** The per-IP refusal comes from a layer before the API and is never the error JSON. */
function tooFast(waitSeconds: number, { headers, notes }: RequestContext): Response {
  notes.refusal = 'ip';
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['retry-after'] = String(waitSeconds);
  return new Response(`Muitas requisições deste endereço; espere ${waitSeconds} s.\n`, {
    status: 429,
    headers,
  });
}

/**
 * Normalises an `Authorization` header for the bearer plugin, which compares the scheme case-sensitively and accepts
 * `BearerX`; RFC 6750 and RFC 9110 forbid both.
 * @returns `Bearer <token>`; with an empty token if a bearer credential is malformed; undefined if there is none.
 */
function strictBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer(?: |$)/iu.test(authorization)) return undefined;
  return `Bearer ${BEARER.exec(authorization)?.groups?.['token'] ?? ''}`;
}
