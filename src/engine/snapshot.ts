import { Type } from 'typebox';
import { literals } from '../contract/literals.ts';
import { nullable } from '../contract/nullable.ts';
import { FAILURES } from './outcome.ts';
import type { PortStatus } from './port.ts';
import type { Health } from './health.ts';

/** A base as an operator sees it. */
export interface BaseStatus extends Health, PortStatus {
  readonly waiting: number;
  readonly under_way: number;
  /** Estimated size of the result cache. */
  readonly result_cache_bytes: number;
  /** As the latest reply names them; null before the first reply. */
  readonly generation: number | null;
  readonly docs: number | null;
  /** True where the decisions are made up. */
  readonly made_up: boolean | null;
}

/** Schemas of what an actor reports, for messages between processes and machines. They load the schema library. */

const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const FailedOutcomeSchema = Type.Object({
  ok: Type.Literal(false),
  failure: literals([...FAILURES, 'abandoned'] as const),
  detail: Type.Optional(Type.String()),
});

export const BaseStatusSchema = Type.Unsafe<BaseStatus>(
  Type.Object({
    state: literals(['unknown', 'up', 'down']),
    detail: Type.String(),
    threads: whole,
    threads_busy: whole,
    threads_left_behind: whole,
    restarts: whole,
    waiting: whole,
    under_way: whole,
    result_cache_bytes: Type.Number(),
    generation: nullable(whole),
    docs: nullable(whole),
    made_up: nullable(Type.Boolean()),
  }),
);
