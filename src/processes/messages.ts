import type { KeyUse } from '../admin/console/key-rates.ts';
import type { Picked } from '../admin/console/search-picks.ts';
import type { ConsoleAnswer } from '../admin/console/search-routes.ts';
import type { BaseConfig, Config } from '../config/config.ts';
import type { BaseKey } from '../config/settings.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { CoverReply, CoverRequest } from '../engine/messages.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { BaseStatus } from '../engine/snapshot.ts';
import type { ProcessLoad } from '../observe/process-load.ts';

/**
 * The messages between a parent process and its children, as JSON over the IPC pipe. Both run the same code: a child that was
 * started from other code refuses its first message.
 */

/** Rises with every change of these messages. */
export const VERSION = 10;

/** The first message to a child. `process`: its number, from 1; `bases` of `config` as they are now. */
export interface Start {
  readonly kind: 'start';
  readonly v: number;
  readonly process: number;
  readonly config: Config;
  readonly coverage: Cobertura;
}

/** What the parent asks, and what is answered. */
interface Questions {
  /** A slice of the coverage calculation. */
  cover: [{ readonly base: Base; readonly request: CoverRequest }, Outcome<CoverReply>];
  /** A search of the console, by the query of its URL. */
  search: [{ readonly query: string }, ConsoleAnswer];
  /** Runs a base with these settings, of which `key` has changed. The answer is its current value; null if the change failed. */
  change: [
    { readonly base: Base; readonly settings: BaseConfig; readonly key: BaseKey },
    { readonly value: number | null },
  ];
  read_metrics: [object, readonly Metric[]];
}
export type QuestionKind = keyof Questions;
export type Asked<K extends QuestionKind> = { readonly kind: K } & Questions[K][0];
export type Question = { [K in QuestionKind]: { readonly id: number } & Asked<K> }[QuestionKind];
export type AnswerTo<K extends QuestionKind> = Questions[K][1];

export type ToChild =
  | Start
  | Question
  | Counted
  | { readonly kind: 'expensive_at_once'; readonly value: number }
  | { readonly kind: 'coverage'; readonly coverage: Cobertura }
  /** Answers `permit_wanted`, when one is free. */
  | { readonly kind: 'permit' }
  /** The child is to let running requests end, and then to end itself. */
  | { readonly kind: 'stop' };

export type ToParent =
  | Report
  | Counts
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AnswerTo<QuestionKind> }
  | { readonly kind: 'permit_wanted' | 'permit_returned' }
  /** The child serves. */
  | { readonly kind: 'listening' }
  /** The child cannot serve, and ends. */
  | { readonly kind: 'failed'; readonly message: string };

/**
 * What was gathered since the last such message: the units to add to each counter, 0 to read it; and how many requests each
 * client made, by the key of the per-IP limit.
 */
export interface Counts {
  readonly kind: 'counts';
  readonly counters: readonly (readonly [name: string, units: number])[];
  readonly clients: readonly (readonly [client: string, requests: number])[];
}

/** Answers `counts`: the value of each counter; the requests of each client in its window, and how long that still lasts. */
export interface Counted {
  readonly kind: 'counted';
  readonly counters: readonly number[];
  readonly clients: readonly (readonly [requests: number, endsInMs: number])[];
}

/** Several times a second: the bases as they are, and what happened since the last report. `answers`: since the start. */
export interface Report {
  readonly kind: 'report';
  readonly bases: Readonly<Record<Base, BaseStatus>>;
  /** As `risesOf` two readings of its tallies. */
  readonly tallies: readonly number[];
  readonly load: ProcessLoad;
  /** By the ids of keys. */
  readonly keys: Readonly<Record<string, KeyUse>>;
  readonly searches: Picked;
  readonly answers: number;
  readonly memory_bytes: number;
}

/** A metric as prom-client gives it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** How values of several processes become one; without it they are added up. */
  readonly aggregator?: 'sum' | 'max' | 'min';
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly metricName?: string;
  }[];
}
