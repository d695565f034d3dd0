import type { Logger } from 'pino';
import { KeyCounts, useOf } from '../admin/console/key-rates.ts';
import { SearchPicks, type Picked, type Seen } from '../admin/console/search-picks.ts';
import type { Base } from '../contract/vocabulary.ts';
import { ASKERS } from '../engine/asker.ts';
import { createLog, terminalFormat, LOG_END_MS_MAX } from '../observe/log.ts';
import { IpLimit } from '../http/ip-limit.ts';
import { openTraces } from '../observe/traces/open.ts';
import { systemClock } from '../clock.ts';
import type { BaseStatus, CoverRequest } from '../engine/messages.ts';
import { failed } from '../engine/outcome.ts';
import { LoadMeter } from '../observe/process-load.ts';
import { Tallies } from '../observe/tallies.ts';
import { risesOf } from '../observe/tally-set.ts';
import { explain } from '../process/fail.ts';
import { onSignals } from '../process/signals.ts';
import { SharedQuota } from '../shared/quota.ts';
import { Exchange } from './exchange.ts';
import {
  VERSION,
  type AnswerTo,
  type Asked,
  type Question,
  type QuestionKind,
  type Report,
  type Start,
  type ToChild,
  type ToParent,
} from './messages.ts';
import { BorrowedPermits } from './permits.ts';
import type { CreateServing, Serving, Shared } from './serving.ts';

/** Interval of a child's reports: the console and `/health` see a change well within a second. */
const REPORT_MS = 250;
/** Interval at which a child picks the slowest requests for the console. */
const PICKED_EVERY_MS = 1_000;

/** Nothing more can be sent: this process ends with the pipe. */
const GONE = 1;
/** The parent was started from other code. */
const REPLACED = `the program was replaced while the service runs (messages of version ${VERSION}); restart the service`;

/** Runs a child process, which serves until the parent stops it or ends. */
export function serveAsChild(createServing: CreateServing): void {
  // New files in the data folder are only for their owner.
  process.umask(0o077);
  let child: Child | null = null;
  // The parent ended while this process started.
  if (!process.connected) process.exit(GONE);
  process.on('disconnect', () => {
    process.exit(GONE);
  });
  process.on('message', (message: ToChild) => {
    if (message.kind !== 'start') child?.take(message);
    else if (message.v !== VERSION) send({ kind: 'failed', message: REPLACED });
    else {
      child = new Child(message);
      void child.start(createServing);
    }
  });
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
    const ipLimit = new IpLimit(config.ip_requests, config.ip_window_s);
    this.#exchange = new Exchange(systemClock, send, ipLimit);
  }

  async start(createServing: CreateServing): Promise<void> {
    const { config } = this.#start;
    try {
      const serviceLog = createLog(config.log_level, { format: await terminalFormat() });
      const log = serviceLog.log.child({ process: this.#start.process });
      this.log = log;
      const traces = await openTraces(config.environment, log);
      const reports = new ReportMaker(config.slow_ms);
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
      ipLimit: this.#exchange,
      permits: this.#permits,
      severalKeys: () => this.#exchange.severalKeys,
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

  async #answer(question: Question): Promise<void> {
    const answer = await this.#answerTo(question, await this.#opened.promise);
    send({ kind: 'answer', id: question.id, answer });
  }

  async #answerTo(question: Question, serving: Serving): Promise<AnswerTo<QuestionKind>> {
    switch (question.kind) {
      case 'cover': {
        const { budget_ms, ...request } = question.request;
        const actor = serving.actors.get(question.base);
        const outcome = await actor?.ask<CoverRequest>(request, budget_ms, { id: ASKERS.coverage });
        return outcome ?? failed('unavailable');
      }
      case 'search':
        return serving.search(question.query, NEVER);
      case 'change':
        return { value: await this.#change(serving, question) };
      case 'read_metrics':
        return serving.metrics.read();
    }
  }

  async #change(serving: Serving, { base, settings, key }: Asked<'change'>): Promise<number | null> {
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

/** A search from the console is never aborted. */
const NEVER = new AbortController().signal;

const NOTHING_PICKED: Picked = { listed: [], slowest: [] };

/** Collects a child's work since the last report to the parent, for the console's figures. */
class ReportMaker {
  readonly tallies = new Tallies();
  readonly #load = new LoadMeter(systemClock);
  readonly #keys = new KeyCounts();
  readonly #picks: SearchPicks;
  #reported = this.tallies.set.read();
  #pickedAt = 0;
  #answers = 0;

  /** @param slowMs the setting. */
  constructor(slowMs: number) {
    this.#picks = new SearchPicks(slowMs);
  }

  noteSeen(seen: Seen): void {
    const { keyId, isAbandoned } = seen.notes;
    if (keyId !== null) this.#keys.note(keyId, useOf(seen.notes));
    if (isAbandoned) return;
    this.#answers += 1;
    this.#picks.note(seen);
  }

  /** Returns the report, and starts a new one. @param bases their current status. */
  report(bases: Readonly<Record<Base, BaseStatus>>): Report {
    const before = this.#reported;
    this.#reported = this.tallies.set.read();
    return {
      kind: 'report',
      bases,
      tallies: risesOf(before, this.#reported),
      load: this.#load.take(),
      keys: Object.fromEntries(this.#keys.take()),
      searches: this.#picked(),
      answers: this.#answers,
      memory_bytes: process.memoryUsage.rss(),
    };
  }

  #picked(): Picked {
    const now = systemClock.now();
    if (now - this.#pickedAt < PICKED_EVERY_MS) return NOTHING_PICKED;
    this.#pickedAt = now;
    return this.#picks.take();
  }
}
