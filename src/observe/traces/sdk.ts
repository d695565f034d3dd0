import { diag, DiagLogLevel } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
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
  const exporter = logged(new OTLPTraceExporter(), log);
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

/** `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;

/** The exporter, which also logs when failures begin, and when they end. */
function logged(exporter: SpanExporter, log: Logger): SpanExporter {
  let lost = 0;
  const note = (code: number, spans: number, error?: Error) => {
    if (code === SUCCESS) {
      if (lost > 0) log.info({ spans_lost: lost }, 'traces: the collector takes spans again');
      lost = 0;
      return;
    }
    if (lost === 0) {
      log.warn({ reason: reasonOf(error) }, 'traces: the collector takes no spans; they are lost');
    }
    lost += spans;
  };
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        note(result.code, spans.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** Only the message: a collector's answer may have any body. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? ` (${String(error.code)})` : '';
  return `${error?.message ?? 'no reason given'}${code}`.slice(0, 200);
}
