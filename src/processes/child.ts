import { ASKERS } from '../engine/asker.ts';
import { LOG_END_MS_MAX, REPORT_MS } from '../config/limits.ts';
import { createLog, terminalFormat, type ServiceLog } from '../observe/log.ts';
import { openTraces } from '../observe/traces/open.ts';
import type { Traces } from '../observe/traces/traces.ts';
import { consoleSearch } from '../admin/console/search-routes.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../engine/clock.ts';
import type { CoverRequest } from '../engine/messages.ts';
import { failed } from '../engine/outcome.ts';
import { explain } from '../process/fail.ts';
import { onSignals } from '../process/signals.ts';
import { SharedQuota } from '../shared/quota.ts';
import { Exchange } from './exchange.ts';
import { readToChild, VERSION, type Metric, type Start, type ToChild, type ToParent } from './messages.ts';
import { BorrowedPermits } from './permits.ts';
import { RemoteKeys } from './remote-keys.ts';
import type { Serving, ServingParts } from './serving.ts';
import { Tally } from './tally.ts';

/** Nothing is to be sent any more: the end of the pipe is the end of this process. */
const GONE = 1;

type Change = Extract<ToChild, { kind: 'change' }>;
type OpenServing = (config: Config, parts: ServingParts) => Serving;

/**
 * The life of a child process: it serves with what the parent gives it, until the parent says otherwise or ends.
 * @param open wires the part that serves.
 */
export function serveAsChild(open: OpenServing): void {
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
      void child.start(open);
    }
  });
}

/** A child that was started from other code than its parent's does not understand its first message. */
function failToStart(child: Child | null, sent: unknown): void {
  if (child !== null) {
    child.log?.log.error({ kind: kindOf(sent) }, 'message of the parent not understood');
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
  readonly #quota: SharedQuota;
  readonly #keys: RemoteKeys;
  readonly #permits = new BorrowedPermits((kind) => {
    send({ kind });
  });
  readonly #tally: Tally;
  readonly #coverage: { current: Start['coverage'] };
  readonly #opened = Promise.withResolvers<Serving>();
  #serving: Serving | null = null;
  #traces: Traces | null = null;
  #isStopping = false;
  log: ServiceLog | null = null;

  constructor(start: Start) {
    this.#start = start;
    const { config, keys, coverage } = start;
    this.#tally = new Tally(systemClock, config.slow_ms);
    this.#coverage = { current: coverage };
    this.#keys = new RemoteKeys(systemClock, keys, (id, key) => {
      send({ kind: 'find', id, key });
    });
    this.#exchange = new Exchange({
      clock: systemClock,
      send,
      ipRequests: config.ip_requests,
      ipWindowSeconds: config.ip_window_s,
    });
    this.#quota = new SharedQuota({
      clock: systemClock,
      counters: this.#exchange,
      peers: () => config.processes,
      onBreak: (isSilent) => {
        this.#noteSilence(isSilent);
      },
    });
  }

  async start(open: OpenServing): Promise<void> {
    const { config, process: number } = this.#start;
    try {
      this.log = createLog(config.log_level, { format: await terminalFormat() });
      const log = this.log.log.child({ process: number });
      this.#traces = await openTraces(config.environment, log);
      const serving = open(config, {
        log,
        quota: this.#quota,
        keys: this.#keys,
        ipLimit: this.#exchange.ipLimit,
        coverage: this.#coverage,
        figures: this.#tally,
        traces: this.#traces,
        permits: this.#permits,
        reusePort: true,
      });
      this.#serving = serving;
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
      this.#report();
    } catch (error) {
      send({ kind: 'failed', message: explain(error) });
    }
  }

  take(message: Exclude<ToChild, Start>): void {
    switch (message.kind) {
      case 'counted':
        this.#exchange.take(message);
        return;
      case 'permit':
        this.#permits.granted();
        return;
      case 'found':
        this.#keys.found(message.id, message.key);
        return;
      case 'keys':
        this.#keys.take(message.keys);
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
        const answer = await consoleSearch({ clock: systemClock, ...serving })(message.query, NEVER);
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
      this.log?.log.error(
        { process: this.#start.process, base, setting: key, err: error },
        'setting not changed',
      );
      return null;
    }
  }

  async #changeExpensive(setting: number): Promise<void> {
    const { changeService } = await this.#opened.promise;
    await changeService('expensive_at_once', setting);
  }

  #report(): void {
    if (this.#serving === null) return;
    send(this.#tally.report(this.#serving.states()));
    setTimeout(() => {
      this.#report();
    }, REPORT_MS).unref();
  }

  #noteSilence(isSilent: boolean): void {
    const log = this.log?.log.child({ process: this.#start.process });
    this.#permits.isSilent = isSilent;
    if (isSilent) log?.error('the parent does not answer: each process grants its part of the quotas');
    else log?.info('the parent answers again');
  }

  #stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    void this.#end();
  }

  async #end(): Promise<void> {
    await this.#serving?.drain();
    await this.#serving?.close();
    await this.#traces?.stop();
    await this.log?.end(LOG_END_MS_MAX);
    process.exit(0);
  }
}

/** A search from the console waits for its end. */
const NEVER = new AbortController().signal;
