import { Elysia } from 'elysia';
import type { AskedBase } from '../engine/base-actor.ts';
import type { BaseStatus } from '../engine/messages.ts';
import type { Base } from '../contract/vocabulary.ts';
import { adminJson } from './answer.ts';
import type { AdminPart } from './app.ts';

export interface HealthOptions {
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'status'>>;
  readonly isStopping: () => boolean;
  /** Further parts of the answer. */
  readonly more: () => Readonly<Record<string, unknown>>;
}

/**
 * `/health/ready`: at least one base answers, and the service is not stopping. `/livez` and `/readyz` are the same questions
 * for balancers and orchestrators: a bare status, for which no token is needed.
 */
export function healthPart(options: HealthOptions): AdminPart {
  return new Elysia()
    .get('/livez', () => new Response('ok\n'))
    .get('/readyz', () => {
      const isReady = notReady(options) === null;
      return new Response(isReady ? 'ok\n' : 'not ready\n', { status: isReady ? 200 : 503 });
    })
    .get('/health/live', () => adminJson(200, { status: 'live' }))
    .get('/health/ready', () => ready(options));
}

/** The reason why no request should come; null when there is none. */
function notReady({ bases, isStopping }: HealthOptions): string | null {
  if (isStopping()) return 'the service is stopping';
  return [...bases.values()].some((actor) => actor.status().state === 'up') ? null : 'no base answers';
}

function ready(options: HealthOptions): Response {
  const { bases, more } = options;
  const states = [...bases].map(([base, actor]) => [base, stateOf(actor.status())] as const);
  const reason = notReady(options);
  const status = reason === null ? 'ready' : 'not_ready';
  return adminJson(reason === null ? 200 : 503, {
    status,
    reason,
    bases: Object.fromEntries(states),
    ...more(),
  });
}

function stateOf({ state, detail, made_up }: BaseStatus) {
  const reason = detail === '' ? null : detail;
  return { state, reason, ...(made_up === true && { made_up }) };
}
