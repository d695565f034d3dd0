import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Picked } from '../admin/console/search-picks.ts';
import type { Config } from '../config/config.ts';
import { BASE_SETTINGS, type BaseKey } from '../config/settings.ts';
import { CoberturaSchema } from '../contract/cobertura.ts';
import { BaseSchema } from '../contract/enums.ts';
import { literals } from '../contract/literals.ts';
import { nullable } from '../contract/nullable.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { forEachOf } from '../contract/records.ts';
import { CoverReplySchema, CoverRequestSchema } from '../engine/messages.ts';
import { BaseStatusSchema, FailedOutcomeSchema, type BaseStatus } from '../engine/snapshot.ts';

/**
 * What a parent process and its children say to each other, as JSON over the IPC pipe between them. Both ends check what
 * comes. Where a message has an `id`, the answer to it has the same one.
 */

/** Rises with every change of these messages: a child that was started from other code than its parent's says so. */
export const VERSION = 9;

const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const units = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const id = whole;
const kind = <K extends string>(name: K) => Type.Literal(name);

/** A base's settings, by their keys. */
const SettingsSchema = Type.Unsafe<Readonly<Record<BaseKey, number>>>(
  Type.Object(Object.fromEntries(BASE_SETTINGS.map(({ key }) => [key, whole]))),
);

/** The whole configuration, which the parent has read and checked; `bases` as they are now. */
const ConfigSchema = Type.Unsafe<Config>(
  Type.Object({
    data_dir: Type.String(),
    host: Type.String(),
    port: whole,
    processes: Type.Integer({ minimum: 1 }),
    bases: Type.Object(forEachOf(BASES, () => SettingsSchema)),
  }),
);

/** The first message to a child: all that it begins with. `process`: its number, from 1. */
const StartSchema = Type.Object({
  kind: kind('start'),
  v: Type.Literal(VERSION),
  process: Type.Integer({ minimum: 1 }),
  config: ConfigSchema,
  coverage: CoberturaSchema,
});

/**
 * Answers `counts`. Of each counter its value after the addition; of each client the requests in its window so far, and the
 * milliseconds until that window ends.
 */
const CountedSchema = Type.Object({
  kind: kind('counted'),
  id,
  counters: Type.Array(units),
  clients: Type.Array(Type.Tuple([whole, whole])),
});
/** A base is to run with these settings, of which `key` is what has changed. */
const ChangeSchema = Type.Object({
  kind: kind('change'),
  id,
  base: BaseSchema,
  settings: SettingsSchema,
  key: literals(BASE_SETTINGS.map((setting) => setting.key)),
});
/** How many expensive searches may run at once, when it has changed. */
const ExpensiveSchema = Type.Object({ kind: kind('expensive_at_once'), value: whole });
/** The coverage report, whenever it has changed. */
const CoverageSchema = Type.Object({ kind: kind('coverage'), coverage: CoberturaSchema });
/** A slice of the coverage calculation. */
const CoverSchema = Type.Object({ kind: kind('cover'), id, base: BaseSchema, request: CoverRequestSchema });
/** A search of the console, by the query of its URL. */
const SearchSchema = Type.Object({ kind: kind('search'), id, query: Type.String() });
const ReadMetricsSchema = Type.Object({ kind: kind('read_metrics'), id });
/** Answers `permit_wanted`, when one is free. */
const PermitSchema = Type.Object({ kind: kind('permit') });
/** The child is to let requests under way end, and then to end itself. */
const StopSchema = Type.Object({ kind: kind('stop') });

export const ToChildSchema = Type.Union([
  CountedSchema,
  ReadMetricsSchema,
  CoverSchema,
  SearchSchema,
  ChangeSchema,
  ExpensiveSchema,
  CoverageSchema,
  PermitSchema,
  StopSchema,
  StartSchema,
]);
export type ToChild = Static<typeof ToChildSchema>;

/** The child serves. */
const ListeningSchema = Type.Object({ kind: kind('listening') });
/** The child cannot serve, and ends. */
const FailedSchema = Type.Object({ kind: kind('failed'), message: Type.String() });
/**
 * What was gathered since the last such message. Of each counter how many units are added: 0 reads it. Of each client the key
 * that the per-IP limit counts it under, and how many requests it made.
 */
const CountsSchema = Type.Object({
  kind: kind('counts'),
  id,
  counters: Type.Array(Type.Tuple([Type.String(), units])),
  clients: Type.Array(Type.Tuple([Type.String(), whole])),
});
/** The child wants a permit for one expensive request, or returns one. */
const PermitWantedSchema = Type.Object({ kind: kind('permit_wanted') });
const PermitReturnedSchema = Type.Object({ kind: kind('permit_returned') });
/** Answers `change`: the value in force now; null where it could not be changed. */
const ChangedSchema = Type.Object({ kind: kind('changed'), id, value: nullable(whole) });
/** Answers `cover`. */
const CoveredSchema = Type.Object({
  kind: kind('covered'),
  id,
  outcome: Type.Union([
    Type.Object({ ok: Type.Literal(true), value: CoverReplySchema }),
    FailedOutcomeSchema,
  ]),
});
/** Answers `search`. */
const SearchedSchema = Type.Object({
  kind: kind('searched'),
  id,
  answer: Type.Union([
    Type.Object({ status: Type.Literal(200), body: Type.Unsafe<object>(Type.Object({})) }),
    Type.Object({ status: Type.Union([Type.Literal(400), Type.Literal(503)]), erro: Type.String() }),
  ]),
});

const MetricSchema = Type.Object({
  name: Type.String(),
  help: Type.String(),
  type: literals(['counter', 'gauge', 'histogram'] as const),
  /** How values of several processes become one; without it they are added up. */
  aggregator: Type.Optional(literals(['sum', 'max', 'min'] as const)),
  values: Type.Array(
    Type.Object({
      value: Type.Number(),
      labels: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
      metricName: Type.Optional(Type.String()),
    }),
  ),
});
export type Metric = Static<typeof MetricSchema>;
/** Answers `read_metrics`. */
const MetricsSchema = Type.Object({ kind: kind('metrics'), id, metrics: Type.Array(MetricSchema) });

/** What the process used since the last report. */
const LoadSchema = Type.Object({
  cpu_ms: Type.Number({ minimum: 0 }),
  loop_delay_ms: Type.Number({ minimum: 0 }),
  memory_bytes: nullable(whole),
});
/** By the ids of keys, since the last report. */
const KeysUsedSchema = Type.Record(
  Type.String(),
  Type.Object({ respostas: whole, recusas: whole, espera_ms: Type.Number({ minimum: 0 }) }),
);
/** What the process has chosen for the operator since the last report; the page shows it, and nothing counts it. */
const SearchRecordSchema = Type.Object({
  id: Type.String(),
  em: Type.Number(),
  rota: literals(['busca', 'decisao'] as const),
  status: whole,
  ms: Type.Number(),
  lenta: Type.Boolean(),
  parametros: Type.Record(Type.String(), Type.String()),
  itens: nullable(whole),
  por_base: Type.Array(Type.Object({ base: BaseSchema })),
  bases_sem_resposta: Type.Array(Type.Object({ base: BaseSchema, tempo_esgotado: Type.Boolean() })),
  passos: Type.Array(Type.Object({ base: BaseSchema })),
});
const PickedSchema = Type.Unsafe<Picked>(
  Type.Object({
    listed: Type.Array(SearchRecordSchema),
    slowest: Type.Array(Type.Tuple([BaseSchema, SearchRecordSchema])),
  }),
);
/** Several times a second: the bases as they are, and what happened since the last report. `answers`: since the start. */
const ReportSchema = Type.Object({
  kind: kind('report'),
  bases: Type.Unsafe<Readonly<Record<Base, BaseStatus>>>(
    Type.Object(forEachOf(BASES, () => BaseStatusSchema)),
  ),
  /** What it counted since the last report, as `risesOf` two readings of its tallies. */
  tallies: Type.Array(whole),
  load: LoadSchema,
  keys: KeysUsedSchema,
  searches: PickedSchema,
  answers: whole,
  memory_bytes: whole,
});
export type Report = Static<typeof ReportSchema>;

export const ToParentSchema = Type.Union([
  CountsSchema,
  PermitWantedSchema,
  PermitReturnedSchema,
  ReportSchema,
  MetricsSchema,
  CoveredSchema,
  SearchedSchema,
  ChangedSchema,
  ListeningSchema,
  FailedSchema,
]);
export type ToParent = Static<typeof ToParentSchema>;

export type Counts = Extract<ToParent, { kind: 'counts' }>;
export type Counted = Extract<ToChild, { kind: 'counted' }>;
export type Start = Extract<ToChild, { kind: 'start' }>;

const toChild = Compile(ToChildSchema);
const toParent = Compile(ToParentSchema);

/** The message that has come, null for what is none. */
export function readToChild(message: unknown): ToChild | null {
  return toChild.Check(message) ? message : null;
}

/** The same at the other end. */
export function readToParent(message: unknown): ToParent | null {
  return toParent.Check(message) ? message : null;
}
