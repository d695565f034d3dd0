import { Elysia } from 'elysia';
import type { AskedBase } from '../engine/base-actor.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import type { Base } from '../contract/enums.ts';
import { adminJson } from './answer.ts';
import type { ProcessState } from './console/processes-routes.ts';
import type { AdminPart } from './app.ts';

export interface HealthOptions {
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'status' | 'nodes'>>;
  readonly isStopping: () => boolean;
  /** Those that serve, where there are several. */
  readonly processes?: () => readonly ProcessState[];
}

/**
 * `/health/live`: the process answers. `/health/ready`: the service takes searches, because at least one base answers
 * and the service is not stopping. Bases check themselves once a second (`base-watch.ts`).
 */
export function healthPart(options: HealthOptions): AdminPart {
  return new Elysia()
    .get('/health/live', () => adminJson(200, { status: 'live' }))
    .get('/health/ready', () => ready(options));
}

function ready({ bases, isStopping, processes }: HealthOptions): Response {
  const states = [...bases].map(([base, actor]) => {
    const nodes = actor.nodes?.();
    return [base, { ...stateOf(actor.status()), ...(nodes !== undefined && { nodes }) }] as const;
  });
  const isUp = states.some(([, { state }]) => state === 'up');
  const reason = isStopping() ? 'the service is stopping' : isUp ? null : 'no base answers';
  const status = reason === null ? 'ready' : 'not_ready';
  return adminJson(reason === null ? 200 : 503, {
    status,
    reason,
    bases: Object.fromEntries(states),
    ...(processes !== undefined && {
      processes: processes().map(({ process, pid, state }) => ({ process, pid, state })),
    }),
  });
}

function stateOf({ state, detail, demonstracao }: BaseStatus) {
  const reason = detail === '' ? null : detail;
  return { state, reason, ...(demonstracao === true && { made_up: true }) };
}
