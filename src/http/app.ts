import { Elysia } from 'elysia';
import { bearer } from '@elysiajs/bearer';
import { randomUUID } from 'node:crypto';
import { recusa } from '../contract/recusa.ts';
import { CAMINHOS, PREFIXO } from '../contract/rotas.ts';
import { errorAnswer, type Headers } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { strictBearer } from './credential.ts';
import { mayHoldKey } from '../keys/key.ts';
import { pathOf, refuseRoute, ROTA_NAO_ENCONTRADA, routeOf, type IpLimit } from './front.ts';
import type { Observer, RequestNotes } from './observer.ts';
import { Routes, type RoutesOptions, type Visit } from './routes.ts';

export interface AppOptions extends RoutesOptions {
  readonly ipLimit: Pick<IpLimit, 'refuse'>;
  readonly clients: ClientAddress;
  /** It may grow while the service runs, with the windows. */
  readonly idleTimeoutSeconds: () => number;
  /** True once the service is to stop: clients are then told that their connections close. */
  readonly isStopping?: () => boolean;
  readonly observer?: Observer;
  /** True where other processes of this service listen on the same port. */
  readonly reusePort?: boolean;
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
 * HEAD and answer 404 for a wrong method. So does `cobertura`, the one route without a key: behind it the framework
 * would read its headers and query for the bearer plugin.
 */
export function createApp(options: AppOptions) {
  const visits = visitsOf(options.isStopping ?? (() => false));
  const routes = new Routes(options);
  const api = createApi(options, routes, visits);
  const idleAtStart = options.idleTimeoutSeconds();
  const told = (visit: Visit, response: Response, request: Request) =>
    observed(options, visit, response, request);
  const front = (request: Request): Response | Promise<Response> | undefined => {
    const { server } = app;
    const idleSeconds = options.idleTimeoutSeconds();
    if (idleSeconds > idleAtStart) server?.timeout(request, idleSeconds);
    const remote = server?.requestIP(request)?.address ?? '';
    const visit = visits(request);
    const client = options.clients.keyOf(remote, request.headers.get('x-forwarded-for'));
    const waitSeconds = options.ipLimit.refuse(client);
    visit.notes.route = routeOf(pathOf(request.url)) ?? 'nenhuma';
    if (waitSeconds !== null) return told(visit, tooFast(waitSeconds, visit), request);
    const refusal = refuseRoute(visit.notes.route, request.method);
    if (refusal !== null) return told(visit, errorAnswer(request, refusal, visit.headers), request);
    if (visit.notes.route === 'cobertura') return told(visit, routes.cobertura(request, visit), request);
    return request.url.includes('://') ? undefined : api.handle(withHost(request));
  };
  const app = new Elysia({
    serve: {
      // Where it is true, another service would bind the same port in silence.
      reusePort: options.reusePort ?? false,
      maxRequestBodySize: BODY_BYTES_MAX,
      idleTimeout: idleAtStart,
      development: false,
    },
  })
    .onRequest(({ request }) => {
      // The framework waits for a promise wherever a hook's text has the call itself returned.
      const answer = front(request);
      return answer;
    })
    .use(api);
  return app;
}

/** The routes that need a key alone, for requests that the front has let pass. */
function createApi(options: AppOptions, routes: Routes, visits: (request: Request) => Visit) {
  /** An answer that was under way when the service was told to stop says so as well. */
  const lastOf = (visit: Visit, response: Response, request: Request) => {
    if (options.isStopping?.() === true) response.headers.set('connection', 'close');
    // A fault is told of, whoever has left.
    visit.notes.isAbandoned = request.signal.aborted && visit.notes.fault === null;
    return observed(options, visit, response, request);
  };
  return new Elysia({ strictPath: true, normalize: false })
    .onError({ as: 'global' }, ({ request, error, code }) => {
      const visit = visits(request);
      // The framework may read a path otherwise than we do, for instance where it has dots in it.
      if (code === 'NOT_FOUND') {
        return lastOf(visit, errorAnswer(request, ROTA_NAO_ENCONTRADA, visit.headers), request);
      }
      visit.notes.fault = error;
      const erro = 'falha do serviço; repita, e se persistir informe o X-Request-Id';
      return lastOf(visit, errorAnswer(request, recusa('ERRO_INTERNO', erro), visit.headers), request);
    })
    .onTransform(({ headers, query }) => {
      headers['authorization'] = strictBearer(headers['authorization']);
      // Where the header has none, the plugin would take a key from here.
      delete query['access_token'];
    })
    .use(bearer())
    .get(CAMINHOS.busca, async ({ request, bearer: found }) => {
      const visit = visits(request);
      return lastOf(visit, await routes.busca(request, found, visit), request);
    })
    .get(`${PREFIXO}/:id`, async ({ request, bearer: found }) => {
      const visit = visits(request);
      return lastOf(visit, await routes.decisao(request, found, visit), request);
    });
}

function observed(
  { observer }: AppOptions,
  { notes }: Visit,
  response: Response,
  request: Request,
): Response {
  observer?.(notes, response.status, request);
  return response;
}

/** Where a request carries its visit: to find it in a `WeakMap` took a tenth of the work of a small answer. */
const VISIT = Symbol('visit');
type Visited = Request & { [VISIT]?: Visit };

/** One visit a request, so that the answer to a fault still tells the quota. */
function visitsOf(isStopping: () => boolean): (request: Request) => Visit {
  return (request: Visited) => {
    if (request[VISIT] !== undefined) return request[VISIT];
    const sent = request.headers.get('x-request-id');
    const notes = newNotes(sent !== null && mayBeId(sent) ? sent : randomUUID());
    const headers: Headers = { 'x-request-id': notes.requestId };
    if (isStopping()) headers['connection'] = 'close';
    const visit = { headers, notes };
    request[VISIT] = visit;
    return visit;
  };
}

/** What is logged and traced is never a key, whatever a client sends as its request's name. */
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
    steps: [],
  };
}

/** HTTP/1.0 needs no Host, and then the URL has none either, which the framework's routing cannot read. */
function withHost(request: Request): Request {
  return new Request(`http://localhost${request.url}`, { headers: request.headers });
}

/** The per-IP refusal is of a layer before the API and never wears the error JSON (spec section 7). */
function tooFast(waitSeconds: number, { headers, notes }: Visit): Response {
  notes.refusal = 'ip';
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['retry-after'] = String(waitSeconds);
  return new Response(`Muitas requisições deste endereço; espere ${waitSeconds} s.\n`, {
    status: 429,
    headers,
  });
}
