import { Elysia } from 'elysia';
import type { AskedBase } from '../engine/base-actor.ts';
import type { BaseStatus } from '../engine/messages.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Quota } from '../shared/quota.ts';
import { adminJson } from './answer.ts';
import type { ProcessState } from './console/part.ts';
import type { AdminPart } from './app.ts';

/** A front whose clock differs more from that of the counters reports it. */
export const CLOCK_SKEW_MS_MAX = 60_000;

export interface HealthOptions {
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'status' | 'nodes'>>;
  readonly isStopping: () => boolean;
  readonly quota?: Pick<Quota, 'fault'>;
  /** How far this host's clock is ahead of the clock that quotas use, if the two differ. */
  readonly clockSkewMs?: (() => number) | undefined;
  readonly processes?: (() => readonly ProcessState[]) | undefined;
}

/** `/health/ready`: at least one base answers, and the service is not stopping. */
export function healthPart(options: HealthOptions): AdminPart {
  return new Elysia()
    .get('/health/live', () => adminJson(200, { status: 'live' }))
    .get('/health/ready', () => ready(options));
}

function ready({ bases, isStopping, quota, clockSkewMs, processes }: HealthOptions): Response {
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
    ...(quota?.fault !== undefined && {
      quotas: { counted: quota.fault === '', reason: quota.fault || null },
    }),
    ...(clockSkewMs !== undefined && { clock: clockOf(clockSkewMs()) }),
    ...(processes !== undefined && {
      processes: processes().map(({ process, pid, state }) => ({ process, pid, state })),
    }),
  });
}

function clockOf(skewMs: number) {
  const isSkewed = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
  return {
    skew_seconds: Math.round(skewMs / 1_000),
    reason: isSkewed ? 'the clock of this host differs from that of NATS, which quotas go by; set it' : null,
  };
}

function stateOf({ state, detail, made_up }: BaseStatus) {
  const reason = detail === '' ? null : detail;
  return { state, reason, ...(made_up === true && { made_up }) };
}
