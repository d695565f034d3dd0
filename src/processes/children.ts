import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { BaseConfig, Config } from '../config/config.ts';
import type { BaseKey } from '../config/settings.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import type { Base } from '../contract/vocabulary.ts';
import { repeat, type Clock } from '../clock.ts';
import type { BaseStatus, CoverReply, CoverRequest } from '../engine/messages.ts';
import { expensiveAtOnce } from '../engine/expensive-work.ts';
import { failed, type Outcome } from '../engine/outcome.ts';
import type { ProcessState } from '../admin/console/part.ts';
import type { ConsoleAnswer } from '../admin/console/search-routes.ts';
import type { ProcessLoad } from '../observe/process-load.ts';
import type { ReadMetric } from '../observe/tally-set.ts';
import { PlainError } from '../process/fail.ts';
import { mergedStatus } from './merged-status.ts';
import { VERSION, type Counted, type Counts, type Report, type Start, type ToParent } from './messages.ts';
import { risingOf, summed, type OfProcess } from './metrics.ts';
import { LentPermits } from './permits.ts';
import { Slot, type End } from './slot.ts';
import { STOP_POLL_MS } from '../http/drain.ts';

/** The console shows a process as silent when its latest report is older. */
const REPORT_MS_MAX = 1_500;
/** Interval of the check for hanging processes. If the check itself is this late, silence proves nothing. */
const PROCESS_CHECK_MS = 1_000;
const PROCESS_CHECK_LATE_MS = 1_000;
/** Longest wait for all processes to change a setting: new threads may take `RESIZE_MS_MAX` and more. */
const CHANGE_MS_MAX = 60_000;
/** Longest wait for a process's metrics. */
const METRICS_MS_MAX = 2_000;
/** Longest wait for a search of the console: the longest windows take 180 s. */
const CONSOLE_SEARCH_MS_MAX = 185_000;
/** A process may answer a slice of the coverage this long after its budget. */
const COVER_SPARE_MS = 1_000;
/** At the stop: time for threads and logs of a process, after the wait for its requests. */
const PROCESS_END_MS_MAX = 5_000;

export interface ChildrenOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Config;
  readonly count: (said: Counts) => Counted;
  readonly onReport: (report: Report) => void;
}

/** Keeps the child processes running, and exchanges messages with all of them or any one. */
export class Children {
  readonly #options: ChildrenOptions;
  readonly #slots: readonly Slot[];
  readonly #permits: LentPermits<Slot>;
  #ended: Promise<readonly ReadMetric[]> = Promise.resolve([]);
  #next = 0;
  /** The settings with which children start: updated before all children have applied a change. */
  #settings: Config['bases'];
  #expensiveAtOnce: number;
  #port = 0;
  #coverage: Cobertura | null = null;
  /** During the start: settled once a child serves, or cannot. */
  readonly #starting = new Map<Slot, PromiseWithResolvers<void>>();
  #cancelWatch: () => void = () => undefined;

  constructor(options: ChildrenOptions) {
    this.#options = options;
    const { clock, config } = options;
    this.#settings = config.bases;
    this.#expensiveAtOnce = config.expensive_at_once;
    this.#permits = new LentPermits(expensiveAtOnce(config.expensive_at_once), (slot) => {
      slot.send({ kind: 'permit' });
    });
    this.#slots = Array.from(
      { length: config.processes },
      (_, at) =>
        new Slot(at + 1, {
          clock,
          start: (process) => this.#startMessage(process),
          onMessage: (slot, message) => {
            this.#take(slot, message);
          },
          onEnd: (...end) => {
            this.#noteEnd(...end);
          },
        }),
    );
  }

  /** Starts the children, the first one alone: its fault would hit every child. @throws PlainError with that fault. */
  async start(port: number, coverage: Cobertura): Promise<void> {
    this.#port = port;
    this.#coverage = coverage;
    try {
      const [first, ...others] = this.#slots;
      if (first === undefined) return;
      await this.#startOne(first);
      const rest = others.values();
      const starter = async () => {
        for (const slot of rest) await this.#startOne(slot);
      };
      await Promise.all(Array.from({ length: availableParallelism() }, starter));
      this.#watch();
    } catch (error) {
      for (const slot of this.#slots) slot.kill();
      throw error;
    }
  }

  states(): readonly ProcessState[] {
    return this.#slots.map((slot) => ({
      process: slot.number,
      pid: slot.pid,
      state: slot.since !== null ? 'serving' : slot.pid === null ? 'ended' : 'starting',
      since: slot.since,
      restarts: slot.restarts,
      answers: slot.report?.answers ?? null,
      memory_bytes: slot.report?.memory_bytes ?? null,
    }));
  }

  loads(): readonly ProcessLoad[] {
    return this.#slots.flatMap((slot) => slot.reportWithin(REPORT_MS_MAX)?.load ?? []);
  }

  statusOf(base: Base): BaseStatus {
    return mergedStatus(
      this.#slots.flatMap(({ number, report }) =>
        report === null ? [] : [{ name: `process ${number}`, status: report.bases[base] }],
      ),
    );
  }

  /** Sends a new coverage report to all children. */
  shareCoverage(coverage: Cobertura): void {
    if (coverage === this.#coverage) return;
    this.#coverage = coverage;
    for (const slot of this.#slots) slot.send({ kind: 'coverage', coverage });
  }

  /** Applies a base's settings in all children, or in none. @returns the current value of `key` afterwards. */
  async change(base: Base, settings: BaseConfig, key: BaseKey): Promise<number> {
    const before = this.#settings[base];
    this.#settings = { ...this.#settings, [base]: settings };
    if (await this.#changeAll(base, settings, key)) return settings[key];
    this.#settings = { ...this.#settings, [base]: before };
    await this.#changeAll(base, before, key);
    return before[key];
  }

  /** @returns true if all live children have confirmed it. */
  async #changeAll(base: Base, settings: BaseConfig, key: BaseKey): Promise<boolean> {
    const question = { kind: 'change', base, settings, key } as const;
    const isDone = async (slot: Slot) => {
      const { pid } = slot;
      const answer = await slot.ask(question, CHANGE_MS_MAX);
      // A child that ended meanwhile restarts with the new settings.
      return answer === null ? slot.pid === null || slot.pid !== pid : answer.value === settings[key];
    };
    return (await Promise.all(this.#slots.map(isDone))).every(Boolean);
  }

  /** Changes how many expensive requests run at a time in all children together. @param setting as `expensiveAtOnce` reads it. */
  changeExpensive(setting: number): void {
    this.#permits.count = expensiveAtOnce(setting);
    this.#expensiveAtOnce = setting;
    for (const slot of this.#slots) slot.send({ kind: 'expensive_at_once', value: setting });
  }

  async cover(
    base: Base,
    request: Omit<CoverRequest, 'budget_ms'>,
    budget_ms: number,
  ): Promise<Outcome<CoverReply>> {
    const question = { kind: 'cover', base, request: { ...request, budget_ms } } as const;
    const answer = await this.#any()?.ask(question, budget_ms + COVER_SPARE_MS);
    return answer ?? failed('unavailable', 'no process serves');
  }

  async search(query: string): Promise<ConsoleAnswer> {
    const answer = await this.#any()?.ask({ kind: 'search', query }, CONSOLE_SEARCH_MS_MAX);
    const erro = 'nenhum processo respondeu; espere um segundo e repita';
    return answer ?? { status: 503, erro };
  }

  /** The metrics of each child, or its last report. One child at a time, so that the parent handles charges in between. */
  async metrics(): Promise<readonly OfProcess[]> {
    const all: OfProcess[] = [];
    for (const slot of this.#slots) {
      if (slot.since !== null)
        slot.metrics = (await slot.ask({ kind: 'read_metrics' }, METRICS_MS_MAX)) ?? slot.metrics;
      if (slot.metrics !== null) all.push({ process: String(slot.number), metrics: slot.metrics });
    }
    return all;
  }

  /** The counts of children that have ended, as they last reported them. */
  endedMetrics(): Promise<readonly ReadMetric[]> {
    return this.#ended;
  }

  /** Lets all children finish their requests, and kills those that take longer. */
  async stop(waitMsMax: number): Promise<void> {
    this.#cancelWatch();
    for (const slot of this.#slots) slot.stop();
    const until = this.#options.clock.now() + waitMsMax + PROCESS_END_MS_MAX;
    while (this.#slots.some(({ pid }) => pid !== null)) {
      if (this.#options.clock.now() > until) for (const slot of this.#slots) slot.kill();
      await Bun.sleep(STOP_POLL_MS);
    }
  }

  #take(slot: Slot, message: ToParent): void {
    const { log, count, onReport } = this.#options;
    if (message.kind === 'counts') slot.send(count(message));
    else if (message.kind === 'permit_wanted') this.#permits.take(slot);
    else if (message.kind === 'permit_returned') this.#permits.give(slot);
    else if (message.kind === 'report') onReport(message);
    else if (message.kind === 'listening') {
      this.#starting.get(slot)?.resolve();
      if (slot.restarts > 0) log.info({ process: slot.number, pid: slot.pid }, 'process serves again');
    }
  }

  #startMessage(process: number): Start {
    assert(this.#coverage !== null);
    const config = {
      ...this.#options.config,
      port: this.#port,
      bases: this.#settings,
      expensive_at_once: this.#expensiveAtOnce,
    };
    return { kind: 'start', v: VERSION, process, config, coverage: this.#coverage };
  }

  #startOne(slot: Slot): Promise<void> {
    const starting = Promise.withResolvers<void>();
    this.#starting.set(slot, starting);
    slot.start();
    return starting.promise.finally(() => this.#starting.delete(slot));
  }

  #noteEnd(slot: Slot, { code, signal, reason }: End, delayMs: number | null): void {
    this.#permits.forget(slot);
    const rising = risingOf(slot.metrics ?? []);
    this.#ended = this.#ended.then((known) => summed([known, rising]));
    slot.metrics = null;
    const starting = this.#starting.get(slot);
    if (starting !== undefined) {
      slot.kill();
      const why = reason ?? `a process ended at its start (${signal ?? `exit code ${code}`})`;
      starting.reject(new PlainError(why));
      return;
    }
    if (delayMs === null) return;
    const what = { process: slot.number, code, signal, reason, again_in_ms: delayMs };
    if (code === 0) this.#options.log.info(what, 'process ended, and is started anew');
    else this.#options.log.error(what, 'process died, and is started anew');
  }

  /** The next serving child, in rotation. */
  #any(): Slot | undefined {
    const serving = this.#slots.filter(({ since }) => since !== null);
    this.#next += 1;
    return serving[this.#next % Math.max(1, serving.length)];
  }

  /** Checks for hanging children once a second. */
  #watch(): void {
    const { clock, log } = this.#options;
    let lookedAt = clock.now();
    this.#cancelWatch = repeat(clock, PROCESS_CHECK_MS, () => {
      const now = clock.now();
      const isLate = now - lookedAt > PROCESS_CHECK_MS + PROCESS_CHECK_LATE_MS;
      lookedAt = now;
      for (const slot of isLate ? [] : this.#slots) {
        const { number, pid } = slot;
        if (slot.endSilent()) log.error({ process: number, pid }, 'process hangs, and is ended');
      }
    });
  }
}
