import { SpanStatusCode, trace, type Attributes, type Context, type Tracer } from '@opentelemetry/api';
import type { Step } from '../../engine/steps.ts';
import type { Base } from '../../contract/enums.ts';
import type { RequestNotes } from '../../http/observer.ts';

/** Where the spans of a request's bases stand: below `parent`, their monotonic times turned by `epochMs`. */
interface Frame {
  readonly parent: Context;
  readonly epochMs: number;
}

/**
 * A span for each base that was asked, below it one for each ask (an order tried, rows, a record), and below that
 * its time in the queue and its time with the port apart. An ask that went back into a queue is told as if it had
 * waited first and then run: of each only the sum is known.
 */
export function recordBases(tracer: Tracer, notes: RequestNotes, frame: Frame): void {
  for (const [base, steps] of byBase(notes.steps)) {
    const startedAt = Math.min(...steps.map((step) => step.startedAt));
    const endedAt = Math.max(...steps.map(endOf));
    const [span, below] = open(tracer, `base ${base}`, startedAt, frame, baseAttributes(base, notes));
    if (hasFailed(base, steps, notes)) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const step of steps) recordStep(tracer, step, below);
    span.end(frame.epochMs + endedAt);
  }
}

function recordStep(tracer: Tracer, step: Step, frame: Frame): void {
  const { kind, startedAt, queueMs, cached, outcome } = step;
  const endedAt = endOf(step);
  const [span, below] = open(tracer, kind, startedAt, frame, {
    'jurisprudencia.outcome': outcome,
    'jurisprudencia.cached': cached,
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

function byBase(steps: readonly Step[]): Map<Base, Step[]> {
  const bases = new Map<Base, Step[]>();
  for (const step of steps) bases.set(step.base, [...(bases.get(step.base) ?? []), step]);
  return bases;
}

/** Of a search the page says it: an order that failed may have been followed by one that did not. */
function hasFailed(base: Base, steps: readonly Step[], { page, isAbandoned }: RequestNotes): boolean {
  if (isAbandoned) return false;
  return page === null ? steps.some(isFailure) : page.bases_sem_resposta.some((one) => one.base === base);
}

/** What nobody waits for any more is no fault: the client left, or rows that were asked for early were not needed. */
function isFailure({ outcome }: Step): boolean {
  return outcome !== 'ok' && outcome !== 'abandoned';
}

function endOf({ startedAt, queueMs, runMs }: Step): number {
  return startedAt + queueMs + runMs;
}

function baseAttributes(base: Base, { page }: RequestNotes): Attributes {
  const found = page?.por_base.find((one) => one.base === base);
  const count = found?.encontrados_ate_1000;
  return {
    'jurisprudencia.base': base,
    ...(found === undefined ? {} : { 'jurisprudencia.ordem_aplicada': found.ordem_aplicada }),
    ...(count === undefined ? {} : { 'jurisprudencia.encontrados_ate_1000': count }),
  };
}

/** Of a search's run, what the thread says that it spent on counting and on reading rows. */
function runAttributes({ kind, countMs, rowsMs }: Step): Attributes {
  if (kind !== 'relevancia' && kind !== 'recentes') return {};
  return { 'jurisprudencia.count_ms': countMs, 'jurisprudencia.rows_ms': rowsMs };
}
