import { SpanStatusCode, trace, type Attributes, type Context, type Tracer } from '@opentelemetry/api';
import type { Step } from '../../engine/steps.ts';
import type { Base } from '../../contract/vocabulary.ts';
import type { RequestNotes } from '../../http/observer.ts';

/** The parent of the base spans, and the offset from monotonic time to the wall clock. */
interface Frame {
  readonly parent: Context;
  readonly epochMs: number;
}

/**
 * Records a span for each base, below it a span for each request to the base (an order, rows, a record), and below that
 * spans for queue and run. A request that returned to a queue appears as a single wait and run: only the sums
 * are known.
 */
export function recordBases(tracer: Tracer, notes: RequestNotes, frame: Frame): void {
  for (const [base, steps] of Map.groupBy(notes.steps, (step) => step.base)) {
    const startedAt = Math.min(...steps.map((step) => step.startedAt));
    const endedAt = Math.max(...steps.map(endOf));
    const [span, below] = open(tracer, `base ${base}`, startedAt, frame, baseAttributes(base, notes));
    if (hasFailed(base, steps, notes)) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const step of steps) recordStep(tracer, step, below);
    span.end(frame.epochMs + endedAt);
  }
}

function recordStep(tracer: Tracer, step: Step, frame: Frame): void {
  const { kind, startedAt, outcome } = step;
  const [span, below] = open(tracer, kind, startedAt, frame, {
    'jurisprudencia.outcome': outcome,
  });
  if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  recordWork(tracer, step, below);
  span.end(frame.epochMs + endOf(step));
}

function recordWork(tracer: Tracer, step: Step, frame: Frame): void {
  const { startedAt, queueMs } = step;
  const ranAt = startedAt + queueMs;
  const [queue] = open(tracer, 'queue', startedAt, frame, {});
  queue.end(frame.epochMs + ranAt);
  const [run] = open(tracer, 'run', ranAt, frame, runAttributes(step));
  run.end(frame.epochMs + endOf(step));
}

function open(tracer: Tracer, name: string, startedAt: number, frame: Frame, attributes: Attributes) {
  const span = tracer.startSpan(name, { startTime: frame.epochMs + startedAt, attributes }, frame.parent);
  return [span, { ...frame, parent: trace.setSpan(frame.parent, span) }] as const;
}

/** For a search the page decides: after one order failed, the other may have succeeded. */
function hasFailed(base: Base, steps: readonly Step[], { page, isAbandoned }: RequestNotes): boolean {
  if (isAbandoned) return false;
  return page === null
    ? steps.some(({ outcome }) => isFailure(outcome))
    : page.bases_sem_resposta.some((one) => one.base === base);
}

/** No failure: the client left, or rows fetched early were not needed. */
function isFailure(outcome: Step['outcome']): boolean {
  return outcome !== 'ok' && outcome !== 'abandoned';
}

function endOf({ startedAt, queueMs, runMs }: Step): number {
  return startedAt + queueMs + runMs;
}

function baseAttributes(base: Base, { page }: RequestNotes): Attributes {
  const found = page?.por_base.find((one) => one.base === base);
  return {
    'jurisprudencia.base': base,
    'jurisprudencia.ordem_aplicada': found?.ordem_aplicada,
    'jurisprudencia.encontrados_ate_1000': found?.encontrados_ate_1000,
  };
}

/** The thread's times for counting and for reading rows in a search's run. */
function runAttributes({ kind, countMs, rowsMs }: Step): Attributes {
  if (kind !== 'relevancia' && kind !== 'recentes') return {};
  return { 'jurisprudencia.count_ms': countMs, 'jurisprudencia.rows_ms': rowsMs };
}
