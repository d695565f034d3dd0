import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { BASE_KEYS } from '../config/settings.ts';
import { literals } from '../contract/literals.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { forEachOf } from '../contract/records.ts';
import { BaseSchema } from '../contract/enums.ts';
import {
  BaseRequestSchema,
  BaseStatusSchema,
  CoverReplySchema,
  FailedOutcomeSchema,
  NearReplySchema,
  ReadReplySchema,
  SearchReplySchema,
  type BaseReply,
} from '../engine/messages.ts';
import type { Failed, Outcome } from '../engine/outcome.ts';
import { TRACEPARENT } from '../engine/asker.ts';

/**
 * Interval of a node's heartbeat, and the interval with more than `HEARTBEAT_NODES_MAX` nodes: 900 nodes at one a second took
 * the broker 18% of a core. Each heartbeat tells when the next is due.
 */
export const HEARTBEAT_MS = 1_000;
export const HEARTBEAT_NODES_MAX = 200;
export const HEARTBEAT_MANY_MS = 2_000;

/** Messages between fronts and nodes: JSON, checked by both ends. A message of another version gets no answer. */

/** Rises with every incompatible change. */
export const VERSION = 2;

const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const ms = Type.Number({ minimum: 0 });
const v = Type.Literal(VERSION);

/**
 * One request to a base. `id`: unique for the front. `asker`: for fair turns. `generation_min`: of the data, at least. `anew`:
 * bypasses the result cache. `traceparent`: of the client's trace, for the node's log.
 */
const AskSchema = Type.Object({
  id: whole,
  base: BaseSchema,
  asker: Type.Optional(whole),
  generation_min: whole,
  anew: Type.Boolean(),
  traceparent: Type.Optional(Type.String({ pattern: TRACEPARENT })),
  request: BaseRequestSchema,
});
export type Ask = Static<typeof AskSchema>;
/** The requests from a front to a node in one turn. Answers go to the reply subject, in one or more messages. */
const AsksSchema = Type.Object({ v, asks: Type.Array(AskSchema, { minItems: 1 }) });

const OutcomeSchema = Type.Unsafe<Outcome<BaseReply>>(
  Type.Union([
    ...[SearchReplySchema, ReadReplySchema, CoverReplySchema, NearReplySchema].map((value) =>
      Type.Object({ ok: Type.Literal(true), value }),
    ),
    Type.Unsafe<Failed>(FailedOutcomeSchema),
  ]),
);
/** The answer to one request. Times are milliseconds since receipt, by the node's clock. */
const AnswerSchema = Type.Object({
  id: whole,
  outcome: OutcomeSchema,
  queue_ms: ms,
  run_ms: ms,
  cached: Type.Boolean(),
});
export type Answer = Static<typeof AnswerSchema>;
/** `late`: the node's congested bases. */
const AnswersSchema = Type.Object({
  v,
  late: Type.Array(BaseSchema),
  answers: Type.Array(AnswerSchema),
});
export type Answers = Static<typeof AnswersSchema>;

/** Cancels requests. `instance`: as in the subject for answers. */
const CancelSchema = Type.Object({ v, instance: Type.String(), ids: Type.Array(whole) });
export type Cancel = Static<typeof CancelSchema>;

/** `refused`: the cluster's settings that the base could not apply, and why. */
const BeatSchema = Type.Object({
  status: BaseStatusSchema,
  late: Type.Boolean(),
  refused: Type.Optional(
    Type.Array(
      Type.Object({ key: literals(BASE_KEYS), value: whole, reason: Type.String({ maxLength: 500 }) }),
      {
        maxItems: BASE_KEYS.length,
      },
    ),
  ),
});
/**
 * The state of a node. `stopping`: it takes no more requests. `every_ms`: when the next heartbeat is due; absent: 1 s.
 * `settings_to`: the revision up to which all settings are handled. `connected_at`: by its clock; earlier answers may be lost.
 */
const HeartbeatSchema = Type.Object({
  v,
  stopping: Type.Boolean(),
  every_ms: Type.Optional(Type.Integer({ minimum: HEARTBEAT_MS, maximum: HEARTBEAT_MANY_MS })),
  connected_at: Type.Optional(ms),
  settings_to: Type.Optional(whole),
  bases: Type.Unsafe<Readonly<Partial<Record<Base, Beat>>>>(
    Type.Object(forEachOf(BASES, () => Type.Optional(BeatSchema))),
  ),
});
export type Beat = Static<typeof BeatSchema>;
export type Heartbeat = Static<typeof HeartbeatSchema>;

/** Parses a message of this schema; null for any other text. */
function readerOf<T extends TSchema>(schema: T): (text: string) => Static<T> | null {
  const check = Compile(schema);
  return (text) => {
    try {
      const sent: unknown = JSON.parse(text);
      return check.Check(sent) ? sent : null;
    } catch {
      return null;
    }
  };
}

const readGathered = readerOf(AsksSchema);
export function readAsks(text: string): readonly Ask[] | null {
  return readGathered(text)?.asks ?? null;
}
export const readAnswers = readerOf(AnswersSchema);
export const readCancel = readerOf(CancelSchema);
export const readHeartbeat = readerOf(HeartbeatSchema);
