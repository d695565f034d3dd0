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

/** The operator's app, on a separate listener: all parts behind one guard, refusals as JSON. */
export function createAdminApp({ host, token, parts, log }: AdminOptions) {
  const guard = new Guard(host, token);
  const app = new Elysia({
    normalize: false,
    serve: {
      reusePort: false,
      maxRequestBodySize: ADMIN_BODY_BYTES_MAX,
      idleTimeout: ADMIN_IDLE_TIMEOUT_S,
      development: false,
    },
  })
    .onError({ as: 'global' }, ({ error, code }) => {
      if (code === 'NOT_FOUND') return adminErro(404, 'não há esta rota com este método na administração');
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
