import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type TextMapGetter,
  type Tracer,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { CAMINHOS } from '../../contract/rotas.ts';
import type { Observer, RequestNotes } from '../../http/observer.ts';
import { recordBases } from './base-spans.ts';
import { requestAttributes } from './attributes.ts';

export interface RequestSpansOptions {
  /** True to continue the trace of a request's `traceparent`. */
  readonly continuesTraces: boolean;
}

/** Only the identifiers: a client may write anything into `tracestate`, and no other service needs it from us. */
const HEADERS: TextMapGetter<Headers> = {
  get: (headers, name) => (name === 'traceparent' ? (headers.get(name) ?? undefined) : undefined),
  keys: () => ['traceparent'],
};
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/**
 * Records a server span for each answer, with its bases below it. All spans are made after the answer, from the noted
 * times, so a traced request is as fast as any other.
 */
export class RequestSpans {
  readonly #tracer: Tracer;
  readonly #options: RequestSpansOptions;
  readonly #propagator = new W3CTraceContextPropagator();

  constructor(tracer: Tracer, options: RequestSpansOptions) {
    this.#tracer = tracer;
    this.#options = options;
  }

  readonly record: Observer = (notes, status, request) => {
    const now = performance.now();
    // Notes are on the monotonic clock; spans on the wall clock, read once so that all of a request agree.
    const epochMs = Date.now() - now;
    const span = this.#tracer.startSpan(
      nameOf(notes, request),
      {
        kind: SpanKind.SERVER,
        startTime: epochMs + notes.startedAt,
        attributes: { ...httpAttributes(notes, status, request), ...requestAttributes(notes, request) },
      },
      this.#parentOf(request),
    );
    if (span.isRecording()) {
      if (status >= 500 && !notes.isAbandoned) span.setStatus({ code: SpanStatusCode.ERROR });
      recordBases(this.#tracer, notes, { parent: trace.setSpan(ROOT_CONTEXT, span), epochMs });
    }
    span.end(epochMs + now);
  };

  #parentOf(request: Request): Context {
    if (!this.#options.continuesTraces) return ROOT_CONTEXT;
    return this.#propagator.extract(ROOT_CONTEXT, request.headers, HEADERS);
  }
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

/** The convention has a status only where one was sent. */
function httpAttributes({ route, isAbandoned }: RequestNotes, status: number, request: Request): Attributes {
  return {
    'http.request.method': methodOf(request),
    'url.scheme': 'http',
    ...(route === 'nenhuma' ? {} : { 'http.route': CAMINHOS[route] }),
    ...(isAbandoned ? {} : { 'http.response.status_code': status }),
    ...(status >= 500 && !isAbandoned ? { 'error.type': String(status) } : {}),
  };
}
