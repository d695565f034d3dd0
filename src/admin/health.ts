import { Elysia } from 'elysia';
import type { BaseActor } from '../engine/base-actor.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import type { Clock } from '../engine/clock.ts';
import type { Base } from '../contract/enums.ts';
import { adminJson } from './answer.ts';
import type { AdminPart } from './app.ts';

export interface HealthOptions {
  readonly clock: Clock;
  readonly bases: ReadonlyMap<Base, Pick<BaseActor, 'status' | 'warmUp'>>;
  readonly isStopping: () => boolean;
}

/** Bases are asked at most this often, and a check waits no longer than this for what they say. */
const PROBE_EVERY_MS = 1_000;
const PROBE_MS_MAX = 500;

/**
 * `/health/live`: the process answers. `/health/ready`: searches may be sent here: the configuration is valid, which
 * it is once the service has started, at least one base answers, and the service was not told to stop.
 */
export function healthPart(options: HealthOptions): AdminPart {
  const probe = probeOf(options);
  return new Elysia()
    .get('/health/live', () => adminJson(200, { status: 'live' }))
    .get('/health/ready', async () => {
      if (!options.isStopping()) await probe();
      return ready(options);
    });
}

function ready({ bases, isStopping }: HealthOptions): Response {
  const states = [...bases].map(([base, actor]) => [base, stateOf(actor.status())] as const);
  const reason = reasonAgainst(
    isStopping(),
    states.some(([, { state }]) => state === 'up'),
  );
  const status = reason === null ? 'ready' : 'not_ready';
  return adminJson(reason === null ? 200 : 503, { status, reason, bases: Object.fromEntries(states) });
}

function reasonAgainst(isStopping: boolean, answers: boolean): string | null {
  if (isStopping) return 'the service is stopping';
  return answers ? null : 'no base answers';
}

function stateOf({ state, detail, demonstracao }: BaseStatus) {
  const reason = detail === '' ? null : detail;
  return { state, reason, ...(demonstracao === true && { made_up: true }) };
}

/**
 * Has each base read nothing, so that its state is of now: where no search comes, which is so while nobody is sent
 * here for want of a base, none would notice that a base is gone, or that it is back.
 */
function probeOf({ clock, bases }: HealthOptions): () => Promise<void> {
  let latest = Promise.resolve();
  let probedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() - probedAt >= PROBE_EVERY_MS) {
      probedAt = clock.now();
      const all = [...bases.values()].map((actor) => actor.warmUp(PROBE_MS_MAX));
      latest = Promise.all(all).then(() => undefined);
    }
    return latest;
  };
}
