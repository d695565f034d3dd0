const TRACEPARENT =
  /^(?<version>(?!ff)[\da-f]{2})-(?<traceId>(?!0{32})[\da-f]{32})-(?<spanId>(?!0{16})[\da-f]{16})-(?<flags>[\da-f]{2})(?<later>-.*)?$/u;

/** In OpenTelemetry's form. */
export interface Traceparent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote: true;
}

/**
 * The trace that a request continues; null if its `traceparent` is missing or not valid. Source: W3C Trace Context, section 3.2.
 * `tracestate` is not read: a client may write anything there, and no other service needs it from here.
 */
export function readTraceparent(headers: Pick<Headers, 'get'>): Traceparent | null {
  const parts = TRACEPARENT.exec(headers.get('traceparent') ?? '')?.groups;
  const { version, traceId, spanId, flags, later } = parts ?? {};
  // Only later versions may have more parts.
  const isRead = version !== '00' || later === undefined;
  if (traceId === undefined || spanId === undefined || flags === undefined || !isRead) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
