/** One attribute of OTLP's JSON form. */
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A span as it came over OTLP/HTTP JSON. */
export interface Received {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Received[] }[];
  }[];
}

/** A collector of OTLP over HTTP, in its JSON form, that keeps what comes. */
export function startCollector(port = 0) {
  const spans: Received[] = [];
  const requests: { path: string; headers: Headers; text: string }[] = [];
  const resources: (readonly Attribute[])[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch: async (request) => {
      const text = await request.text();
      requests.push({ path: new URL(request.url).pathname, headers: request.headers, text });
      for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
        resources.push(resource.attributes);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      return Response.json({});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    requests,
    resources,
    stop: () => server.stop(true),
  };
}

/** The value of an attribute, whatever its type; lists as lists. */
export function valueOf(attributes: readonly Attribute[], key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value;
  if (value === undefined) return undefined;
  const [inner] = Object.values(value);
  const isList = typeof inner === 'object' && inner !== null && 'values' in inner;
  return isList ? (inner.values as Attribute['value'][]).map((one) => Object.values(one)[0]) : inner;
}

export function childrenOf(spans: readonly Received[], parent: Received): Received[] {
  return spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
}

/** Nanoseconds. */
export function startOf({ startTimeUnixNano }: Received): bigint {
  return BigInt(startTimeUnixNano);
}
export function endOf({ endTimeUnixNano }: Received): bigint {
  return BigInt(endTimeUnixNano);
}
