import { Type } from 'typebox';
import { literals } from '../contract/literals.ts';
import { nullable } from '../contract/nullable.ts';
import { FAILURES } from './outcome.ts';
import type { BaseStatus } from './snapshot.ts';

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
