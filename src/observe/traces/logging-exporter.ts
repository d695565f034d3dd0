import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';

/** An exporter that logs when its failures begin, and once more when they end. */
export class LoggingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Logger;
  #lost = 0;

  constructor(exporter: SpanExporter, log: Logger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.#took();
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

/** Only the message: the body of a collector’s answer may be anything. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? ` (${String(error.code)})` : '';
  return `${error?.message ?? 'no reason given'}${code}`.slice(0, 200);
}
