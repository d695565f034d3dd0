import { SpanStatusCode, trace, type Attributes, type Context, type Tracer } from '@opentelemetry/api';
import type { Step } from '../../engine/steps.ts';
import type { Base } from '../../contract/enums.ts';
import type { RequestNotes } from '../../http/observer.ts';

/** The parent of the spans of a request's bases, and the offset from monotonic time to the wall clock. */
interface Frame {
  readonly parent: Context;
  readonly epochMs: number;
}

/**
 * Records a span for each base, below it one for each request to the base (an order, rows, a record), and below that one
 * for the queue and one for the run. A request that returned to a queue appears as one wait and one run: only the sums
 * are known.
 */
export function recordBases(tracer: Tracer, notes: RequestNotes, frame: Frame): void {
  for (const [base, steps] of Map.groupBy(notes.steps, (step) => step.base)) {
    const startedAt = Math.min(...steps.map((step) => step.startedAt));
    const endedAt = Math.max(...steps.map(endOf));
    const [span, below] = open(tracer, `base ${base}`, startedAt, frame, baseAttributes(base, steps, notes));
    if (hasFailed(base, steps, notes)) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const step of steps) recordStep(tracer, step, below);
    span.end(frame.epochMs + endedAt);
  }
}

function recordStep(tracer: Tracer, step: Step, frame: Frame): void {
  const { kind, startedAt, queueMs, cached, outcome, node } = step;
  const endedAt = endOf(step);
  const [span, below] = open(tracer, kind, startedAt, frame, {
    'jurisprudencia.outcome': outcome,
    'jurisprudencia.cached': cached,
    ...(node === undefined ? {} : { 'jurisprudencia.node': node }),
  });
  if (isFailure(step)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  if (!cached) {
    const ranAt = startedAt + queueMs;
    const [queue] = open(tracer, 'queue', startedAt, below, {});
    queue.end(frame.epochMs + ranAt);
    const [run] = open(tracer, 'run', ranAt, below, runAttributes(step));
    run.end(frame.epochMs + endedAt);
  }
  span.end(frame.epochMs + endedAt);
}

function open(tracer: Tracer, name: string, startedAt: number, frame: Frame, attributes: Attributes) {
  const span = tracer.startSpan(name, { startTime: frame.epochMs + startedAt, attributes }, frame.parent);
  return [span, { ...frame, parent: trace.setSpan(frame.parent, span) }] as const;
}

/** For a search the page decides: after an order that failed, another one may have succeeded. */
function hasFailed(base: Base, steps: readonly Step[], { page, isAbandoned }: RequestNotes): boolean {
  if (isAbandoned) return false;
  return page === null ? steps.some(isFailure) : page.bases_sem_resposta.some((one) => one.base === base);
}

/** An abandoned request is no failure: the client left, or rows fetched early were not needed. */
function isFailure({ outcome }: Step): boolean {
  return outcome !== 'ok' && outcome !== 'abandoned';
}

function endOf({ startedAt, queueMs, runMs }: Step): number {
  return startedAt + queueMs + runMs;
}

function baseAttributes(base: Base, steps: readonly Step[], { page }: RequestNotes): Attributes {
  const nodes = new Set(steps.flatMap(({ node }) => node ?? []));
  const found = page?.por_base.find((one) => one.base === base);
  const count = found?.encontrados_ate_1000;
  return {
    'jurisprudencia.base': base,
    ...(nodes.size === 0 ? {} : { 'jurisprudencia.node': [...nodes].join(',') }),
    ...(found === undefined ? {} : { 'jurisprudencia.ordem_aplicada': found.ordem_aplicada }),
    ...(count === undefined ? {} : { 'jurisprudencia.encontrados_ate_1000': count }),
  };
}

/** The thread's times for counting and for reading rows in the run of a search. */
function runAttributes({ kind, countMs, rowsMs }: Step): Attributes {
  if (kind !== 'relevancia' && kind !== 'recentes') return {};
  return { 'jurisprudencia.count_ms': countMs, 'jurisprudencia.rows_ms': rowsMs };
}
