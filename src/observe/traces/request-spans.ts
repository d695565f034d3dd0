import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Tracer,
} from '@opentelemetry/api';
import { CAMINHOS } from '../../contract/rotas.ts';
import { describeRequest, type DescribedRequest, type Seen } from '../../http/described-request.ts';
import { pathOf } from '../../http/routing.ts';
import { readTraceparent } from '../../http/traceparent.ts';
import { readId } from '../../query/id.ts';
import { recordBases } from './base-spans.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

const MS_PER_S = 1_000;

type Sent = Seen['request'];

/** Records an answer. @returns the id of its trace. */
export type ObserveRequest = (seen: Omit<Seen, 'traceId'>) => string;

/**
 * Records a server span for each answer, with the bases' spans below it. Spans are made after the answer, from its account, so a
 * traced request is as fast as any other.
 * @param continuesTraces true to continue the trace of a request's `traceparent`.
 */
export function requestSpans(tracer: Tracer, continuesTraces: boolean): ObserveRequest {
  return (seen) => {
    const { request } = seen;
    const described = describeRequest({ ...seen, traceId: null }, false);
    const { em, ms, status = 0 } = described;
    const arrivedAt = em * MS_PER_S - ms;
    const parent = continuesTraces ? readTraceparent(request.headers) : null;
    const attributes = { ...httpAttributes(described, request), ...requestAttributes(described, request) };
    const span = tracer.startSpan(
      nameOf(described, request),
      { kind: SpanKind.SERVER, startTime: arrivedAt, attributes },
      parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    if (span.isRecording()) {
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      recordBases(tracer, described, { parent: trace.setSpan(ROOT_CONTEXT, span), arrivedAt });
    }
    span.end(arrivedAt + ms);
    return span.spanContext().traceId;
  };
}

function methodOf(request: Sent): string {
  return METHODS.has(request.method) ? request.method : '_OTHER';
}

/** OpenTelemetry's convention: method and route; for an unknown route the method alone. */
function nameOf({ route }: DescribedRequest, request: Sent): string {
  const method = methodOf(request);
  const shown = method === '_OTHER' ? 'HTTP' : method;
  return route === 'nenhuma' ? shown : `${shown} ${CAMINHOS[route]}`;
}

/** By the convention there is a status only if one was sent. */
function httpAttributes({ route, status }: DescribedRequest, request: Sent): Attributes {
  return {
    'http.request.method': methodOf(request),
    'url.scheme': 'http',
    'http.route': route === 'nenhuma' ? undefined : CAMINHOS[route],
    'http.response.status_code': status,
    'error.type': status !== undefined && status >= 500 ? String(status) : undefined,
  };
}

/**
 * The attributes of a request's span. Only the length of `q`: a query may name people, and a collector often belongs to
 * another party. No key, no key's digest and no client address; the path only if it is a route or a valid id, because a
 * client may by mistake put a key there.
 */
function requestAttributes(described: DescribedRequest, request: Sent): Attributes {
  const { request_id, status, refusal, cached, q_length, ordem, limite, itens } = described;
  return {
    'jurisprudencia.request_id': request_id,
    'jurisprudencia.abandoned': status === undefined || undefined,
    'jurisprudencia.refusal': refusal,
    'jurisprudencia.cached': cached,
    'url.path': shownPath(described, request),
    'jurisprudencia.q.length': q_length,
    'jurisprudencia.ordem': ordem,
    'jurisprudencia.limite': limite,
    'jurisprudencia.first_page': ordem === undefined ? undefined : !('cursor' in described.parametros),
    'jurisprudencia.itens': itens,
    'jurisprudencia.bases_sem_resposta':
      itens === undefined ? undefined : described.bases_sem_resposta.map(({ base }) => base),
  };
}

function shownPath({ route }: DescribedRequest, request: Sent): string | undefined {
  if (route === 'cobertura' || route === 'busca') return CAMINHOS[route];
  const path = pathOf(request.url);
  const id = path.slice(path.lastIndexOf('/') + 1);
  return route === 'decisao' && readId(id) !== null ? path : undefined;
}
