import type { BaseReply, BaseRequest, Unbudgeted } from './messages.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { Base } from '../contract/vocabulary.ts';

/** Kinds of request to a base: a search by one order, rows for a page, a record, a slice of the coverage, or near words. */
export const STEP_KINDS = ['relevancia', 'recentes', 'linhas', 'registro', 'cobertura', 'proximos'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One request to a base and its times, in milliseconds; `startedAt` is on the clock's `now`. */
export interface Step {
  readonly base: Base;
  readonly kind: StepKind;
  readonly startedAt: number;
  /** Total time in the base's queues. */
  queueMs: number;
  /** Total time with the port, the way to the thread and back included. */
  runMs: number;
  /** The thread's share of that for counting and for reading rows. */
  countMs: number;
  rowsMs: number;
  /** `pending` while the request runs. */
  outcome: 'ok' | 'pending' | Failure;
}

/** Measures one request as it moves between queue and port. */
export class StepTimer {
  readonly step: Step;
  #runningSince: number | null = null;
  /** When the request last left a queue; its start until then. */
  runAt: number;

  constructor(base: Base, request: Unbudgeted<BaseRequest>, startedAt: number) {
    this.runAt = startedAt;
    this.step = {
      base,
      kind: kindOf(request),
      startedAt,
      queueMs: 0,
      runMs: 0,
      countMs: 0,
      rowsMs: 0,
      outcome: 'pending',
    };
  }

  /** The request leaves a queue for the port. */
  run(now: number): void {
    this.#runningSince = now;
    this.runAt = now;
  }

  /** The request comes back from the port, to its sender or into a queue. */
  stop(now: number): void {
    // A request whose time ran out has ended before the port answers.
    if (this.step.outcome === 'pending' && this.#runningSince !== null) {
      this.step.runMs += now - this.#runningSince;
      this.#runningSince = null;
    }
  }

  end(outcome: Outcome<BaseReply>, now: number): void {
    this.stop(now);
    const { step } = this;
    step.queueMs = now - step.startedAt - step.runMs;
    step.outcome = outcome.ok ? 'ok' : outcome.failure;
    if (outcome.ok && outcome.value.kind === 'search') {
      step.countMs = outcome.value.count_ms;
      step.rowsMs = outcome.value.rows_ms;
    }
  }
}

function kindOf(request: Unbudgeted<BaseRequest>): StepKind {
  switch (request.kind) {
    case 'search':
      return request.ordem;
    case 'read':
      return request.object === 'documento' ? 'registro' : 'linhas';
    case 'cover':
      return 'cobertura';
    case 'near':
      return 'proximos';
  }
}
