import type { PorBase } from '../contract/busca.ts';
import { LEITURA_LENGTH_MAX } from '../contract/rotas.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Step } from '../engine/steps.ts';
import { withoutKeys } from '../keys/key.ts';
import type { BaseTiming } from '../search/page.ts';
import type { RequestNotes } from './observer.ts';
import { queryOf } from './routing.ts';
import { readTraceparent } from './traceparent.ts';

/** An answer as it was sent. */
export interface Seen {
  readonly notes: RequestNotes;
  readonly status: number;
  /** From the arrival of the request. */
  readonly ms: number;
  /** When it was answered, seconds since 1970. */
  readonly em: number;
  readonly request: Pick<Request, 'method' | 'url' | 'headers'>;
  /** Of its span; null without traces. */
  readonly traceId: string | null;
}

/** The one account of a request: the log, the console's list and spans show parts of it. */
export type DescribedRequest = Readonly<ReturnType<typeof describeRequest>>;
/** A request to a base, times in milliseconds from the arrival of the search. */
export type DescribedStep = Readonly<ReturnType<typeof describeStep>>;

const NONE: readonly never[] = [];
const Q_LENGTH_MAX = 300;

/** @param hasText whether the search's text may be shown. No key is, and no path as the client sent it. */
export function describeRequest({ notes, status, ms, em, request, traceId }: Seen, hasText: boolean) {
  const { requestId, route, refusal, isAbandoned, isKept, pedido, steps, startedAt } = notes;
  const page = isAbandoned ? null : notes.page;
  const por_base: readonly PorBase[] = page?.por_base ?? NONE;
  return {
    em,
    request_id: requestId,
    /** Without traces of its own, the service names the client's. */
    trace_id: traceId ?? readTraceparent(request.headers)?.traceId,
    route,
    status: isAbandoned ? undefined : status,
    refusal: refusal ?? undefined,
    cached: isKept || undefined,
    /** Rounded up, and the times of its steps down, so that no step ends after it. */
    ms: Math.ceil(ms * 100) / 100,
    /** In characters. */
    q_length: pedido === null ? undefined : [...pedido.q].length,
    /** As sent, by name. */
    parametros: pedido === null ? {} : parametersOf(request.url, hasText),
    /** How `q` was read. A key would be split into parts that are not recognised as a key. */
    leitura:
      hasText && pedido !== null && withoutKeys(pedido.q) === pedido.q
        ? pedido.consulta.leitura.slice(0, LEITURA_LENGTH_MAX)
        : undefined,
    ordem: pedido?.ordem,
    limite: pedido?.limite,
    itens: page?.itens.length,
    por_base,
    bases_sem_resposta: page?.bases_sem_resposta ?? NONE,
    steps: steps.map((step) => describeStep(step, startedAt)),
  };
}

export function describeStep({ base, kind, outcome, ...times }: Step, arrivedAt: number) {
  return {
    base,
    kind,
    outcome,
    at_ms: roundedDown(times.startedAt - arrivedAt),
    queue_ms: roundedDown(times.queueMs),
    run_ms: roundedDown(times.runMs),
    count_ms: roundedDown(times.countMs),
    rows_ms: roundedDown(times.rowsMs),
  };
}

/**
 * The value of `Server-Timing` for a search: an entry per base with the time, the order applied and whether the answer came
 * from the cache. `cache` is a non-standard parameter, which readers of the header skip (W3C Server Timing, 4.2).
 */
export function searchTiming(timings: readonly BaseTiming[], cache: 'hit' | 'miss'): string {
  return timings
    .map(({ base, ordem, ms }) => `${base};dur=${hundredths(ms)};desc="${ordem}";cache=${cache}`)
    .join(', ');
}

/** The same for a record, from a single base; one from the cache took none of the base's time. */
export function recordTiming(base: Base, steps: readonly Step[], cache: 'hit' | 'miss'): string {
  const ms = steps.reduce((sum, { queueMs, runMs }) => sum + queueMs + runMs, 0);
  return `${base};dur=${hundredths(ms)};cache=${cache}`;
}

/** Milliseconds to two decimals. */
export function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}

function roundedDown(ms: number): number {
  return Math.floor(ms * 100) / 100;
}

/** A search's parameters as sent; without `q` if the text must not be shown. The query is known to be valid. */
function parametersOf(url: string, hasText: boolean): Record<string, string> {
  const { q, ...others } = Object.fromEntries(new URLSearchParams(queryOf(url)));
  return hasText && q !== undefined ? { q: withoutKeys(q).slice(0, Q_LENGTH_MAX), ...others } : others;
}
