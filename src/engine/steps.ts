import type { BaseReply, CoverRequest, ReadRequest, SearchRequest } from './messages.ts';
import type { Failure, Outcome } from './outcome.ts';
import type { Base } from '../contract/enums.ts';

/** What a base was asked for: a search by one order, rows for a page, a record, or a slice of the coverage. */
export const STEP_KINDS = ['relevancia', 'recentes', 'linhas', 'registro', 'cobertura'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One ask of a base, as it went. Times are milliseconds; `startedAt` is on the clock's `now`. */
export interface Step {
  readonly base: Base;
  readonly kind: StepKind;
  readonly startedAt: number;
  /** In the base's queues, all of them together where it was put back into one. */
  queueMs: number;
  /** With the port, the crossing to the thread and back included. */
  runMs: number;
  /** Of that, what the thread says that it spent on counting and on reading rows. */
  countMs: number;
  rowsMs: number;
  /** True where the base was not asked, for the answer was still there from an earlier one (`kept-answers.ts`). */
  readonly cached: boolean;
  /** `pending` while it is under way, which none is once its request is answered. */
  outcome: 'ok' | 'pending' | Failure;
}

/** What tells the kind of a request. */
type Kinded =
  Pick<SearchRequest, 'kind' | 'ordem'> | Pick<ReadRequest, 'kind' | 'tabela'> | Pick<CoverRequest, 'kind'>;

/** Takes the time of one ask as it changes between queue and port. */
export class StepTimer {
  readonly step: Step;
  #runningSince: number | null = null;

  constructor(base: Base, request: Kinded, startedAt: number) {
    this.step = {
      base,
      kind: kindOf(request),
      startedAt,
      queueMs: 0,
      runMs: 0,
      countMs: 0,
      rowsMs: 0,
      cached: false,
      outcome: 'pending',
    };
  }

  /** It leaves a queue for the port. */
  run(now: number): void {
    this.#runningSince = now;
  }

  /** It comes back from the port, to its sender or into a queue. */
  rest(now: number): void {
    // What ran out of time has ended while the port still had it.
    if (this.step.outcome === 'pending' && this.#runningSince !== null) {
      this.step.runMs += now - this.#runningSince;
      this.#runningSince = null;
    }
  }

  end(outcome: Outcome<BaseReply>, now: number): void {
    this.rest(now);
    const { step } = this;
    step.queueMs = now - step.startedAt - step.runMs;
    step.outcome = outcome.ok ? 'ok' : outcome.failure;
    if (outcome.ok && outcome.value.kind === 'search') {
      step.countMs = outcome.value.count_ms;
      step.rowsMs = outcome.value.rows_ms;
    }
  }
}

/** Of an ask that was answered from what is kept. */
export function cachedStep(base: Base, request: Kinded, startedAt: number): Step {
  return { ...new StepTimer(base, request, startedAt).step, cached: true, outcome: 'ok' };
}

function kindOf(request: Kinded): StepKind {
  switch (request.kind) {
    case 'search':
      return request.ordem;
    case 'read':
      return request.tabela === 'documento' ? 'registro' : 'linhas';
    case 'cover':
      return 'cobertura';
  }
}
