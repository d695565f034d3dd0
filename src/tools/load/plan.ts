import { Type, type Static } from 'typebox';
import { ORDENS } from '../../contract/vocabulary.ts';

/** Requests at random times, as from independent users, or one every 1/rate seconds. */
export const ARRIVALS = ['poisson', 'constant'] as const;

/** What a load asks for and when, as its figures have it. */
export const PlanSchema = Type.Object({
  rates_per_s: Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1 }),
  /** Every rate in every pass. */
  duration_s: Type.Number({ exclusiveMinimum: 0 }),
  passes: Type.Integer({ minimum: 1 }),
  /** Requests due in a batch are counted together. */
  batch_s: Type.Number({ exclusiveMinimum: 0 }),
  warmup_s: Type.Number({ minimum: 0 }),
  arrivals: Type.Enum(ARRIVALS),
  /** Fraction of the searches that follow the cursor of an earlier one. */
  follow: Type.Number({ minimum: 0, maximum: 1 }),
  /** Fraction of the requests that read a record found by an earlier search. */
  records: Type.Number({ minimum: 0, maximum: 1 }),
  limite: Type.Integer({ minimum: 1 }),
  ordem: Type.Enum(ORDENS),
  queries: Type.String(),
  queries_count: Type.Integer({ minimum: 1 }),
  seed: Type.Integer(),
  connections: Type.Integer({ minimum: 1 }),
  timeout_s: Type.Number({ exclusiveMinimum: 0 }),
});
export type Plan = Static<typeof PlanSchema>;

export const RecordingSchema = Type.Object({
  speed: Type.Number({ exclusiveMinimum: 0 }),
  /** Requests with a fault of the client, which are not sent. */
  left_out: Type.Integer({ minimum: 0 }),
  /** Each base’s versions in the recording, as the header `Jurisprudencia-Versao` has them. */
  data: Type.Array(Type.String()),
});

/** A first page, a later page, a record. */
export const KINDS = ['search', 'page', 'record'] as const;
export type Kind = (typeof KINDS)[number];

/** A request of a load. */
export interface LoadAsk {
  readonly kind: Kind;
  /** The same for all pages of a search; of a record its id or path. */
  readonly about: string;
  readonly path: string;
}

export interface Replayed {
  /** When each is due since the first one, milliseconds, ascending. */
  readonly requests: readonly (LoadAsk & { readonly dueMs: number })[];
  /** After it the recording is repeated. */
  readonly periodMs: number;
  readonly recording: Static<typeof RecordingSchema>;
}

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly plan: Plan;
  /** Query strings of a first page, without `ordem`, `limite` and `cursor`. */
  readonly searches: readonly string[];
  /** Sent instead of the searches; null without a recording. */
  readonly replay: Replayed | null;
}

/** When requests are due: a rate for a time. */
export interface Pace {
  readonly ratePerS: number;
  readonly arrivals: Plan['arrivals'];
  readonly seed: number;
  /** A recording's times, milliseconds from 0, repeated after the period; absent without one. */
  readonly recorded?: { readonly dueMs: readonly number[]; readonly periodMs: number };
  readonly warmupMs: number;
  readonly durationMs: number;
}
