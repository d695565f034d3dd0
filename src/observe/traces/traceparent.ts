import { ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';

const TRACEPARENT =
  /^(?<version>(?!ff)[\da-f]{2})-(?<traceId>(?!0{32})[\da-f]{32})-(?<spanId>(?!0{16})[\da-f]{16})-(?<flags>[\da-f]{2})(?<later>-.*)?$/u;

/**
 * The trace that a request continues, by its `traceparent`; none if that is not valid. `tracestate` is not read: a client may write
 * anything there, and no other service needs it from here. Source: W3C Trace Context, section 3.2.
 */
export function contextOf(headers: Headers): Context {
  const parts = TRACEPARENT.exec(headers.get('traceparent') ?? '')?.groups;
  const { version, traceId, spanId, flags, later } = parts ?? {};
  // Only later versions may have more parts.
  const isRead = version !== '00' || later === undefined;
  if (traceId === undefined || spanId === undefined || flags === undefined || !isRead) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
