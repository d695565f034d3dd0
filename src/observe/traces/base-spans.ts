import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import type { NodeAsk, Step } from '../../engine/steps.ts';
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
 * are known. In a cluster each asked node has a span, with queue and run below it.
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
  const { kind, startedAt, queueMs, runMs, cached, outcome, node, asks } = step;
  const [span, below] = open(tracer, kind, startedAt, frame, {
    'jurisprudencia.outcome': outcome,
    'jurisprudencia.cached': cached,
    'jurisprudencia.node': node,
  });
  if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  if (asks !== undefined) for (const ask of asks) recordNode(tracer, ask, step, below);
  else if (!cached) recordWork(tracer, { startedAt, queueMs, runMs, attributes: runAttributes(step) }, below);
  span.end(frame.epochMs + endOf(step));
}

/** Put in the middle of the ask: a node reports how long a request took, not when, and both ways may take equally long. */
function recordNode(tracer: Tracer, ask: NodeAsk, step: Step, frame: Frame): void {
  const { node, why, startedAt, tookMs, queueMs, runMs, outcome, cached } = ask;
  const hasReply = !WITHOUT_REPLY.has(outcome);
  const networkMs = tookMs - queueMs - runMs;
  const attributes = {
    'jurisprudencia.node': node,
    'jurisprudencia.ask': why,
    'jurisprudencia.outcome': outcome,
    'jurisprudencia.cached': cached,
    'jurisprudencia.network_ms': hasReply ? networkMs : undefined,
  };
  const [span, below] = open(tracer, `node ${node}`, startedAt, frame, attributes, SpanKind.CLIENT);
  if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
  if (hasReply && !cached) {
    const work = { startedAt: startedAt + networkMs / 2, queueMs, runMs };
    recordWork(tracer, { ...work, attributes: node === step.node ? runAttributes(step) : {} }, below);
  }
  span.end(frame.epochMs + startedAt + tookMs);
}

const WITHOUT_REPLY: ReadonlySet<NodeAsk['outcome']> = new Set([
  'abandoned',
  'disconnected',
  'gone',
  'pending',
  'unanswered',
  'unheard',
]);

interface Work {
  readonly startedAt: number;
  readonly queueMs: number;
  readonly runMs: number;
  /** Attributes of the run. */
  readonly attributes: Attributes;
}

function recordWork(tracer: Tracer, { startedAt, queueMs, runMs, attributes }: Work, frame: Frame): void {
  const ranAt = startedAt + queueMs;
  const [queue] = open(tracer, 'queue', startedAt, frame, {});
  queue.end(frame.epochMs + ranAt);
  const [run] = open(tracer, 'run', ranAt, frame, attributes);
  // Summed in the same order as the end of the ask.
  run.end(frame.epochMs + (ranAt + runMs));
}

function open(
  tracer: Tracer,
  name: string,
  startedAt: number,
  frame: Frame,
  attributes: Attributes,
  kind: SpanKind = SpanKind.INTERNAL,
) {
  const span = tracer.startSpan(
    name,
    { startTime: frame.epochMs + startedAt, attributes, kind },
    frame.parent,
  );
  return [span, { ...frame, parent: trace.setSpan(frame.parent, span) }] as const;
}

/** For a search the page decides: after one order failed, the other may have succeeded. */
function hasFailed(base: Base, steps: readonly Step[], { page, isAbandoned }: RequestNotes): boolean {
  if (isAbandoned) return false;
  return page === null
    ? steps.some(({ outcome }) => isFailure(outcome))
    : page.bases_sem_resposta.some((one) => one.base === base);
}

/** No failure: the client left, or rows fetched early were not needed; nor a node’s timeout, for another node answered. */
function isFailure(outcome: Step['outcome'] | NodeAsk['outcome']): boolean {
  return outcome !== 'ok' && outcome !== 'abandoned' && outcome !== 'unanswered';
}

function endOf({ startedAt, queueMs, runMs }: Step): number {
  return startedAt + queueMs + runMs;
}

function baseAttributes(base: Base, steps: readonly Step[], { page }: RequestNotes): Attributes {
  const nodes = new Set(steps.flatMap(({ node }) => node ?? []));
  const found = page?.por_base.find((one) => one.base === base);
  return {
    'jurisprudencia.base': base,
    'jurisprudencia.node': nodes.size === 0 ? undefined : [...nodes].join(','),
    'jurisprudencia.ordem_aplicada': found?.ordem_aplicada,
    'jurisprudencia.encontrados_ate_1000': found?.encontrados_ate_1000,
  };
}

/** The thread's times for counting and for reading rows in a search's run. */
function runAttributes({ kind, countMs, rowsMs }: Step): Attributes {
  if (kind !== 'relevancia' && kind !== 'recentes') return {};
  return { 'jurisprudencia.count_ms': countMs, 'jurisprudencia.rows_ms': rowsMs };
}
