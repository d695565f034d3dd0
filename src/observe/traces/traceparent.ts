import { ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';
import { readTraceparent } from '../../http/traceparent.ts';

/**
 * The trace that a request continues. `tracestate` is not read: a client may write anything there, and no other service needs it
 * from here.
 */
export function contextOf(headers: Headers): Context {
  const parent = readTraceparent(headers);
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
}
