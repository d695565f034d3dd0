import type { Logger } from 'pino';
import { ASKERS } from '../engine/asker.ts';
import { LOG_END_MS_MAX, REPORT_MS } from '../config/limits.ts';
import { createLog, terminalFormat } from '../observe/log.ts';
import { openTraces } from '../observe/traces/open.ts';
import { systemClock } from '../engine/clock.ts';
import type { CoverRequest } from '../engine/messages.ts';
import { failed } from '../engine/outcome.ts';
import { explain } from '../process/fail.ts';
import { onSignals } from '../process/signals.ts';
import { SharedQuota } from '../shared/quota.ts';
import { Exchange } from './exchange.ts';
import { readToChild, VERSION, type Metric, type Start, type ToChild, type ToParent } from './messages.ts';
import { BorrowedPermits } from './permits.ts';
import type { CreateServing, Serving, Shared } from './serving.ts';
import { ReportMaker } from './report-maker.ts';

/** Nothing is to be sent any more: the end of the pipe is the end of this process. */
const GONE = 1;

type Change = Extract<ToChild, { kind: 'change' }>;

/** The life of a child process: it serves until the parent stops it or ends. */
export function serveAsChild(createServing: CreateServing): void {
  // What is made in the data folder is for its owner alone.
  process.umask(0o077);
  let child: Child | null = null;
  // The parent has ended while this process started.
  if (!process.connected) process.exit(GONE);
  process.on('disconnect', () => {
    process.exit(GONE);
  });
  process.on('message', (sent: unknown) => {
    const message = readToChild(sent);
    if (message === null) failToStart(child, sent);
    else if (message.kind !== 'start') child?.take(message);
    else if (child === null) {
      child = new Child(message);
      void child.start(createServing);
    }
  });
}

/** A child that was started from other code than its parent's does not understand its first message. */
function failToStart(child: Child | null, sent: unknown): void {
  if (child !== null) {
    child.log?.error({ kind: kindOf(sent) }, 'message of the parent not understood');
    return;
  }
  const message = `the program was replaced while the service runs (messages of version ${VERSION}); restart the service`;
  send({ kind: 'failed', message });
}

function kindOf(sent: unknown): string {
  return typeof sent === 'object' && sent !== null && 'kind' in sent ? String(sent.kind) : 'none';
}

function send(message: ToParent): void {
  // `disconnect` reports a parent that has just ended.
  if (process.connected) process.send?.(message);
}

class Child {
  readonly #start: Start;
  readonly #exchange: Exchange;
  readonly #permits = new BorrowedPermits((kind) => {
    send({ kind });
  });
  readonly #coverage: { current: Start['coverage'] };
  readonly #opened = Promise.withResolvers<Serving>();
  #isStopping = false;
  #end: () => Promise<void> = () => Promise.resolve();
  log: Logger | null = null;

  constructor(start: Start) {
    this.#start = start;
    const { config, coverage } = start;
    this.#coverage = { current: coverage };
    this.#exchange = new Exchange({
      clock: systemClock,
      send,
      ipRequests: config.ip_requests,
      ipWindowSeconds: config.ip_window_s,
    });
  }

  async start(createServing: CreateServing): Promise<void> {
    const { config } = this.#start;
    try {
      const serviceLog = createLog(config.log_level, { format: await terminalFormat() });
      const log = serviceLog.log.child({ process: this.#start.process });
      this.log = log;
      const traces = await openTraces(config.environment, log);
      const reports = new ReportMaker(systemClock, config.slow_ms);
      const serving = createServing(config, log, this.#shared(log), {
        coverage: this.#coverage,
        figures: reports,
        traces,
      });
      this.#end = async () => {
        await serving.drain();
        await serving.close();
        await traces?.stop();
        await serviceLog.end(LOG_END_MS_MAX);
      };
      this.#opened.resolve(serving);
      process.on('unhandledRejection', (reason) => {
        log.error({ err: reason }, 'unhandled rejection');
      });
      onSignals(['SIGINT', 'SIGTERM'], {
        first: () => {
          this.#stop();
        },
        again: () => process.exit(GONE),
      });
      serving.listen({ hostname: config.host, port: config.port });
      serving.open();
      send({ kind: 'listening' });
      const report = () => {
        send(reports.report(serving.states()));
        setTimeout(report, REPORT_MS).unref();
      };
      report();
    } catch (error) {
      send({ kind: 'failed', message: explain(error) });
    }
  }

  #shared(log: Logger): Shared {
    return {
      quota: new SharedQuota({
        clock: systemClock,
        counters: this.#exchange,
        peers: () => this.#start.config.processes,
        onBreak: (isSilent) => {
          this.#permits.isSilent = isSilent;
          if (isSilent) log.error('the parent does not answer: each process grants its part of the quotas');
          else log.info('the parent answers again');
        },
      }),
      ipLimit: this.#exchange.ipLimit,
      permits: this.#permits,
      reusePort: true,
    };
  }

  take(message: Exclude<ToChild, Start>): void {
    switch (message.kind) {
      case 'counted':
        this.#exchange.take(message);
        return;
      case 'permit':
        this.#permits.granted();
        return;
      case 'coverage':
        this.#coverage.current = message.coverage;
        return;
      case 'expensive_at_once':
        void this.#changeExpensive(message.value);
        return;
      case 'stop':
        this.#stop();
        return;
      case 'change':
      case 'cover':
      case 'read_metrics':
      case 'search':
        void this.#answer(message);
    }
  }

  /** What the parent waits for. */
  async #answer(message: Extract<ToChild, { kind: 'cover' | 'search' | 'change' | 'read_metrics' }>) {
    const serving = await this.#opened.promise;
    const { id } = message;
    switch (message.kind) {
      case 'cover': {
        const { budget_ms, ...request } = message.request;
        const actor = serving.actors.get(message.base);
        const outcome = await actor?.ask<CoverRequest>(request, budget_ms, { id: ASKERS.coverage });
        send({ kind: 'covered', id, outcome: outcome ?? failed('unavailable') });
        return;
      }
      case 'search': {
        const answer = await serving.search(message.query, NEVER);
        send({ kind: 'searched', id, answer });
        return;
      }
      case 'change': {
        send({ kind: 'changed', id, value: await this.#change(serving, message) });
        return;
      }
      case 'read_metrics':
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as prom-client has them; the parent checks it
        send({ kind: 'metrics', id, metrics: (await serving.metrics.read()) as unknown as Metric[] });
    }
  }

  async #change(serving: Serving, { base, settings, key }: Change): Promise<number | null> {
    try {
      return await serving.change(base, settings, key);
    } catch (error) {
      this.log?.error({ base, setting: key, err: error }, 'setting not changed');
      return null;
    }
  }

  async #changeExpensive(setting: number): Promise<void> {
    const { changeService } = await this.#opened.promise;
    await changeService('expensive_at_once', setting);
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    void this.#end().then(() => process.exit(0));
  }
}

/** A search from the console waits for its end. */
const NEVER = new AbortController().signal;
