import type { KeyUse } from '../admin/console/key-rates.ts';
import type { Picked } from '../admin/console/search-picks.ts';
import type { ConsoleAnswer } from '../admin/console/search-routes.ts';
import type { BaseConfig, Config } from '../config/config.ts';
import type { BaseKey } from '../config/settings.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { BaseStatus, CoverReply, CoverRequest } from '../engine/messages.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { ProcessLoad } from '../observe/process-load.ts';
import type { ReadMetric } from '../observe/tally-set.ts';

/** Messages between a parent and its children, over the IPC pipe. A child started from other code refuses the first one. */

/** Rises with every change to these messages. */
export const VERSION = 11;

/** The first message to a child. `process`: its number, from 1; `bases` of `config`: the current settings. */
export interface Start {
  readonly kind: 'start';
  readonly v: number;
  readonly process: number;
  readonly config: Config;
  readonly coverage: Cobertura;
}

/** The parent's questions, with their answers. */
interface Questions {
  /** A slice of the coverage calculation. */
  cover: [{ readonly base: Base; readonly request: CoverRequest }, Outcome<CoverReply>];
  /** A search from the console, by the query string. */
  search: [{ readonly query: string }, ConsoleAnswer];
  /** Applies a base's settings, of which `key` has changed. The answer is the current value; null if the change failed. */
  change: [
    { readonly base: Base; readonly settings: BaseConfig; readonly key: BaseKey },
    { readonly value: number | null },
  ];
  read_metrics: [object, readonly ReadMetric[]];
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
  /** Answers `permit_wanted`, when a permit is free. */
  | { readonly kind: 'permit' }
  /** The child must finish running requests, and then exit. */
  | { readonly kind: 'stop' };

export type ToParent =
  | Report
  | Counts
  | { readonly kind: 'answer'; readonly id: number; readonly answer: AnswerTo<QuestionKind> }
  | { readonly kind: 'permit_wanted' | 'permit_returned' }
  /** The child serves. */
  | { readonly kind: 'listening' }
  /** The child cannot serve, and exits. */
  | { readonly kind: 'failed'; readonly message: string };

/** Since the last such message: the units to add to each counter, 0 to read it; and each client's requests. */
export interface Counts {
  readonly kind: 'counts';
  readonly counters: readonly (readonly [name: string, units: number])[];
  readonly clients: readonly (readonly [client: string, requests: number])[];
}

/**
 * Answers `counts`: the counters; each client’s requests in the window, and the time left in it. `several_keys`: whether more
 * than one key asked in the last second, over all children.
 */
export interface Counted {
  readonly kind: 'counted';
  readonly counters: readonly number[];
  readonly clients: readonly (readonly [requests: number, endsInMs: number])[];
  readonly several_keys: boolean;
}

/** Sent several times a second: the status of the bases, and events since the last report. `answers`: since the start. */
export interface Report {
  readonly kind: 'report';
  readonly bases: Readonly<Record<Base, BaseStatus>>;
  /** The result of `risesOf` for two readings of the tallies. */
  readonly tallies: readonly number[];
  readonly load: ProcessLoad;
  /** By key id. */
  readonly keys: Readonly<Record<string, KeyUse>>;
  readonly searches: Picked;
  readonly answers: number;
  readonly memory_bytes: number;
}
