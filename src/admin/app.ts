import { Elysia, type AnyElysia } from 'elysia';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { adminErro } from './answer.ts';
import { Guard } from './guard.ts';

const ADMIN_BODY_BYTES_MAX = 64 * 1024;
/**
 * The longest that the server supports, seconds: a search may take 180 s, and a connection that waits for it counts as idle. A
 * stream must send something more often.
 */
const ADMIN_IDLE_TIMEOUT_S = 255;

/** A plugin with the routes for one concern: health, metrics, console, … */
export type AdminPart = AnyElysia;

export interface AdminOptions {
  readonly host: string;
  /** Required on every route; empty if none is. */
  readonly token: string;
  readonly parts: readonly AdminPart[];
  /** Gets a line for each unforeseen fault. */
  readonly log: Pick<Logger, 'error'>;
}

/** Headers of every answer, unless its part sets others. */
const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A trailing slash redirects to the page without it; an unsupported method gets 405 with the supported ones. */
function notFound(routes: AnyElysia['routes'], method: string, path: string): Response {
  const bare = path.replace(/\/$/u, '');
  if (bare !== path && method === 'GET' && methodsOf(routes, bare).includes(method)) {
    return new Response(null, { status: 302, headers: { location: bare } });
  }
  const methods = methodsOf(routes, path);
  if (methods.length === 0) return adminErro(404, 'não há esta rota na administração');
  const refusal = adminErro(405, `esta rota aceita ${methods.join(', ')}`);
  refusal.headers.set('allow', methods.join(', '));
  return refusal;
}

/** The operator's app, on a separate listener: all parts behind one guard, refusals as JSON. */
export function createAdminApp({ host, token, parts, log }: AdminOptions) {
  const guard = new Guard(host, token);
  const app = new Elysia({
    strictPath: true,
    normalize: false,
    serve: {
      reusePort: false,
      maxRequestBodySize: ADMIN_BODY_BYTES_MAX,
      idleTimeout: ADMIN_IDLE_TIMEOUT_S,
      development: false,
    },
  })
    .onError({ as: 'global' }, ({ error, code, path, request }) => {
      if (code === 'NOT_FOUND') return notFound(app.routes, request.method, path);
      if (code === 'PARSE') return adminErro(400, 'o corpo não é JSON válido');
      const requestId = randomUUID();
      log.error({ request_id: requestId, err: error }, 'admin request failed');
      const refusal = adminErro(500, 'falha do serviço; o registro a tem sob este X-Request-Id');
      refusal.headers.set('x-request-id', requestId);
      return refusal;
    })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, HEADERS);
      return guard.refuse(request) ?? undefined;
    });
  for (const part of parts) app.use(part);
  return app;
}

/** The methods of a path in order, for the header `Allow`; empty when there is no such route. */
function methodsOf(routes: AnyElysia['routes'], path: string): string[] {
  const methods = new Set(routes.filter((route) => leadsTo(route.path, path)).map(({ method }) => method));
  // The server answers HEAD on every GET route.
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
}

/** True if the path matches the route; `:name` matches any non-empty segment. */
function leadsTo(route: string, path: string): boolean {
  const [wanted, given] = [route.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
