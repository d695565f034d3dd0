import { SpanStatusCode, trace, type Attributes, type Context, type Tracer } from '@opentelemetry/api';
import type { DescribedRequest, DescribedStep } from '../../http/described-request.ts';

/** The parent of the base spans, and when the request arrived, milliseconds since 1970. */
interface Frame {
  readonly parent: Context;
  readonly arrivedAt: number;
}

/**
 * Records a span for each base, below it a span for each request to the base (an order, rows, a record), and below that
 * spans for queue and run. A request that returned to a queue appears as a single wait and run: only the sums
 * are known.
 */
export function recordBases(tracer: Tracer, request: DescribedRequest, frame: Frame): void {
  for (const [base, steps] of Map.groupBy(request.steps, (step) => step.base)) {
    const found = request.por_base.find((one) => one.base === base);
    const first = Math.min(...steps.map(({ at_ms }) => at_ms));
    const [span, below] = open(tracer, `base ${base}`, first, frame, {
      'jurisprudencia.base': base,
      'jurisprudencia.ordem_aplicada': found?.ordem_aplicada,
      'jurisprudencia.encontrados_ate_1000': found?.encontrados_ate_1000,
    });
    if (hasFailed(steps, request)) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const step of steps) recordStep(tracer, step, below);
    span.end(frame.arrivedAt + Math.max(...steps.map(endOf)));
  }
}

function recordStep(tracer: Tracer, step: DescribedStep, frame: Frame): void {
  const { kind, outcome, at_ms, queue_ms, count_ms, rows_ms } = step;
  const [span, below] = open(tracer, kind, at_ms, frame, { 'jurisprudencia.outcome': outcome });
  if (isFailure(step)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  const [queue] = open(tracer, 'queue', at_ms, below, {});
  const ranAt = at_ms + queue_ms;
  // The same sum as the run's start: a double of so many milliseconds depends on the order of its additions.
  queue.end(frame.arrivedAt + ranAt);
  const isSearch = kind === 'relevancia' || kind === 'recentes';
  // The thread's times for counting and for reading rows.
  const work = { 'jurisprudencia.count_ms': count_ms, 'jurisprudencia.rows_ms': rows_ms };
  const [run] = open(tracer, 'run', ranAt, below, isSearch ? work : {});
  for (const one of [run, span]) one.end(frame.arrivedAt + endOf(step));
}

function open(tracer: Tracer, name: string, atMs: number, frame: Frame, attributes: Attributes) {
  const span = tracer.startSpan(name, { startTime: frame.arrivedAt + atMs, attributes }, frame.parent);
  return [span, { ...frame, parent: trace.setSpan(frame.parent, span) }] as const;
}

/** For a search the page decides: after one order failed, the other may have succeeded. */
function hasFailed(steps: readonly DescribedStep[], request: DescribedRequest): boolean {
  const { status, itens, bases_sem_resposta } = request;
  if (status === undefined) return false;
  return itens === undefined
    ? steps.some(isFailure)
    : bases_sem_resposta.some(({ base }) => base === steps[0]?.base);
}

/** No failure: the client left, or rows fetched early were not needed. */
function isFailure({ outcome }: DescribedStep): boolean {
  return outcome !== 'ok' && outcome !== 'abandoned';
}

function endOf({ at_ms, queue_ms, run_ms }: DescribedStep): number {
  return at_ms + queue_ms + run_ms;
}
