import { Elysia } from 'elysia';
import type { AskedBase } from '../engine/base-actor.ts';
import type { BaseStatus } from '../engine/messages.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Quota } from '../shared/quota.ts';
import { adminJson } from './answer.ts';
import type { AdminPart } from './app.ts';

export interface HealthOptions {
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'status'>>;
  readonly isStopping: () => boolean;
  readonly quota?: Pick<Quota, 'fault'>;
}

/** `/health/ready`: at least one base answers, and the service is not stopping. */
export function healthPart(options: HealthOptions): AdminPart {
  return new Elysia()
    .get('/health/live', () => adminJson(200, { status: 'live' }))
    .get('/health/ready', () => ready(options));
}

function ready({ bases, isStopping, quota }: HealthOptions): Response {
  const states = [...bases].map(([base, actor]) => [base, stateOf(actor.status())] as const);
  const isUp = states.some(([, { state }]) => state === 'up');
  const reason = isStopping() ? 'the service is stopping' : isUp ? null : 'no base answers';
  const status = reason === null ? 'ready' : 'not_ready';
  return adminJson(reason === null ? 200 : 503, {
    status,
    reason,
    bases: Object.fromEntries(states),
    ...(quota?.fault !== undefined && {
      quotas: { counted: quota.fault === '', reason: quota.fault || null },
    }),
  });
}

function stateOf({ state, detail, made_up }: BaseStatus) {
  const reason = detail === '' ? null : detail;
  return { state, reason, ...(made_up === true && { made_up }) };
}
