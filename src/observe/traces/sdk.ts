import { diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { within } from '../../clock.ts';
import { serviceVersion } from '../../process/version.ts';
import { requestSpans } from './request-spans.ts';

/** Longest wait for the trace collector when the service stops. */
const TRACES_STOP_MS_MAX = 2_000;

const SERVICE_NAME = 'jurisprudencia';

/**
 * Starts the SDK, which reads the `OTEL_*` variables itself: sampler, limits, queue, endpoint, headers, time limits,
 * resource. Its queue is bounded: when the collector is down or slow, spans are dropped.
 * @param continuesTraces as of `requestSpans`.
 */
export function startTraces(continuesTraces: boolean, log: Logger) {
  // The SDK reports mistakes in its variables at start; later it would repeat them with every batch.
  diag.setLogger(diagLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new LoggingExporter(new OTLPTraceExporter(), log);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': SERVICE_NAME,
          'service.version': serviceVersion(),
          'service.instance.id': randomUUID(),
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const observe = requestSpans(provider.getTracer(SERVICE_NAME), continuesTraces);
  diag.disable();
  return {
    observe,
    stop: async () => {
      const isDone = provider.shutdown().then(
        () => true,
        () => false,
      );
      if ((await within(TRACES_STOP_MS_MAX, isDone)) !== true)
        log.warn('traces: the collector did not take the last spans in time');
    },
  };
}

function diagLogger(log: Logger) {
  const write = (message: string) => {
    log.warn(`traces: ${message}`);
  };
  return { error: write, warn: write, info: write, debug: write, verbose: write };
}

type Done = Parameters<SpanExporter['export']>[1];
/** `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;

/** An exporter that logs when failures begin, and when they end. */
class LoggingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Logger;
  #lost = 0;

  constructor(exporter: SpanExporter, log: Logger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#exporter.export(spans, (result) => {
      const code: number = result.code;
      if (code === SUCCESS) this.#took();
      else this.#refused(spans.length, result.error);
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  #took(): void {
    if (this.#lost > 0) this.#log.info({ spans_lost: this.#lost }, 'traces: the collector takes spans again');
    this.#lost = 0;
  }

  #refused(spans: number, error: Error | undefined): void {
    if (this.#lost === 0) {
      this.#log.warn({ reason: reasonOf(error) }, 'traces: the collector takes no spans; they are lost');
    }
    this.#lost += spans;
  }
}

/** Only the message: a collector's answer may have any body. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? ` (${String(error.code)})` : '';
  return `${error?.message ?? 'no reason given'}${code}`.slice(0, 200);
}
