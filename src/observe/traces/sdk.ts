import { setTimeout } from 'node:timers/promises';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { requestSpans } from './request-spans.ts';
import { LoggingExporter } from './logging-exporter.ts';
import { TRACES_STOP_MS_MAX } from '../../config/limits.ts';

const SERVICE_NAME = 'jurisprudencia';

/**
 * Starts the SDK, which reads the `OTEL_*` variables itself: sampler, limits, queue, endpoint, headers, time limits,
 * resource. Its queue is bounded: when the collector is down or slow, spans are dropped.
 * @param continuesTraces as of `requestSpans`.
 */
export function startTraces(continuesTraces: boolean, log: Logger) {
  // The SDK reports mistakes in its variables at start; later it would repeat them with every batch.
  diag.setLogger(diagLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler(() => undefined);
  const exporter = new LoggingExporter(new OTLPTraceExporter(), log);
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SERVICE_NAME }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const observe = requestSpans(provider.getTracer(SERVICE_NAME), continuesTraces);
  diag.disable();
  return {
    observe,
    stop: async () => {
      const isDone = await within(TRACES_STOP_MS_MAX, provider.shutdown());
      if (!isDone) log.warn('traces: the collector did not take the last spans in time');
    },
  };
}

function diagLogger(log: Logger) {
  const write = (message: string) => {
    log.warn(`traces: ${message}`);
  };
  return { error: write, warn: write, info: write, debug: write, verbose: write };
}

/** @returns false when the work was not done in time, or failed. */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, setTimeout(ms, false, { ref: false })]);
}
