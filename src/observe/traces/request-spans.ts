import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Tracer,
} from '@opentelemetry/api';
import { CAMINHOS } from '../../contract/rotas.ts';
import type { RequestNotes } from '../../http/observer.ts';
import { pathOf, queryOf } from '../../http/routing.ts';
import { readId } from '../../query/id.ts';
import { recordBases } from './base-spans.ts';
import { contextOf } from './traceparent.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/** Records an answer. @returns the id of its trace. */
export type ObserveRequest = (notes: RequestNotes, status: number, request: Request) => string;

/**
 * Records a server span for each answer, with the bases' spans below it. Spans are made after the answer, from the noted
 * times, so a traced request is as fast as any other.
 * @param continuesTraces true to continue the trace of a request's `traceparent`.
 */
export function requestSpans(tracer: Tracer, continuesTraces: boolean): ObserveRequest {
  return (notes, status, request) => {
    const now = performance.now();
    // Notes use the monotonic clock, spans the wall clock, which is read once so that a request's spans agree.
    const epochMs = Date.now() - now;
    const attributes = { ...httpAttributes(notes, status, request), ...requestAttributes(notes, request) };
    const span = tracer.startSpan(
      nameOf(notes, request),
      { kind: SpanKind.SERVER, startTime: epochMs + notes.startedAt, attributes },
      continuesTraces ? contextOf(request.headers) : ROOT_CONTEXT,
    );
    if (span.isRecording()) {
      if (status >= 500 && !notes.isAbandoned) span.setStatus({ code: SpanStatusCode.ERROR });
      recordBases(tracer, notes, { parent: trace.setSpan(ROOT_CONTEXT, span), epochMs });
    }
    span.end(epochMs + now);
    return span.spanContext().traceId;
  };
}

function methodOf(request: Request): string {
  return METHODS.has(request.method) ? request.method : '_OTHER';
}

/** OpenTelemetry's convention: method and route; for an unknown route the method alone. */
function nameOf({ route }: RequestNotes, request: Request): string {
  const method = methodOf(request);
  const shown = method === '_OTHER' ? 'HTTP' : method;
  return route === 'nenhuma' ? shown : `${shown} ${CAMINHOS[route]}`;
}

/** By the convention there is a status only if one was sent. */
function httpAttributes({ route, isAbandoned }: RequestNotes, status: number, request: Request): Attributes {
  return {
    'http.request.method': methodOf(request),
    'url.scheme': 'http',
    'http.route': route === 'nenhuma' ? undefined : CAMINHOS[route],
    'http.response.status_code': isAbandoned ? undefined : status,
    'error.type': status >= 500 && !isAbandoned ? String(status) : undefined,
  };
}

/**
 * The attributes of a request's span. Only the length of `q`: a query may name people, and a collector often belongs to
 * another party. No key, no key's digest and no client address; the path only if it is a route or a valid id, because a
 * client may by mistake put a key there.
 */
function requestAttributes(notes: RequestNotes, request: Request): Attributes {
  const { requestId, refusal, isAbandoned, isKept, pedido, page } = notes;
  const shown = isAbandoned ? null : page;
  return {
    'jurisprudencia.request_id': requestId,
    'jurisprudencia.abandoned': isAbandoned || undefined,
    'jurisprudencia.refusal': refusal ?? undefined,
    'jurisprudencia.cached': isKept || undefined,
    'url.path': shownPath(notes, request),
    'jurisprudencia.q.length': pedido === null ? undefined : lengthOfQ(request),
    'jurisprudencia.ordem': pedido?.ordem,
    'jurisprudencia.limite': pedido?.limite,
    'jurisprudencia.first_page': pedido === null ? undefined : pedido.cursor === null,
    'jurisprudencia.itens': shown?.itens.length,
    'jurisprudencia.bases_sem_resposta': shown?.bases_sem_resposta.map(({ base }) => base),
  };
}

function shownPath({ route }: RequestNotes, request: Request): string | undefined {
  if (route === 'cobertura' || route === 'busca') return CAMINHOS[route];
  const path = pathOf(request.url);
  const id = path.slice(path.lastIndexOf('/') + 1);
  return route === 'decisao' && readId(id) !== null ? path : undefined;
}

/** In Unicode characters, as the contract counts. */
function lengthOfQ(request: Request): number {
  return [...(new URLSearchParams(queryOf(request.url)).get('q') ?? '')].length;
}
