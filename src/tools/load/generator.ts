import { someId, outcomeOf } from './answer.ts';
import { CpuMeter, type CpuShare } from './cpu-meter.ts';
import { REAL_CLOCK, runStep } from './engine.ts';
import { HttpClient } from './http-client.ts';
import { Mix } from './mix.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';
import { randomNumbers } from './random.ts';
import { Replay } from './replay.ts';
import type { Sample, Tally } from './tally.ts';

/** Connections opened before the first request; more are opened on demand. */
const FIRST_CONNECTIONS = 8;
const REPORT_MS = 250;

/** A pass over a rate; the counts are in the tally. */
export interface Pass {
  /** Duration after the warm-up, milliseconds. */
  readonly measuredMs: number;
  readonly cpu: CpuShare;
}

/** Sends the load. Connections and mix stay from step to step. */
export class Generator {
  readonly #plan: GeneratorPlan;
  readonly #client: HttpClient;
  readonly #opened: Promise<void>;
  readonly #mix: Mix | Replay;
  readonly #random: () => number;
  /** Requests sent so far, including the warm-up. */
  sent = 0;
  isStopped = false;

  constructor(plan: GeneratorPlan) {
    this.#plan = plan;
    this.#client = new HttpClient(plan.url, plan.connectionsMax, plan.timeoutMs);
    this.#opened = this.#client.open(FIRST_CONNECTIONS);
    this.#mix =
      plan.replay === null ? new Mix(plan.mix, plan.key, plan.seed) : new Replay(plan.replay, plan.key);
    this.#random = randomNumbers(plan.seed + 1);
  }

  /** @param tally receives the counts. @param onSent called regularly with the number of requests sent so far. */
  async run(step: StepPlan, tally: Tally, onSent: (sent: number) => void): Promise<Pass> {
    await this.#opened;
    const cpu = new CpuMeter();
    const reporting = setInterval(() => {
      onSent(this.sent);
    }, REPORT_MS);
    try {
      const ranMs = await runStep(step, {
        clock: REAL_CLOCK,
        timeoutMs: this.#plan.timeoutMs,
        next: () => this.#mix.next(),
        send: async (ask, giveUpAt) => {
          this.sent += 1;
          return this.#client.send(ask, giveUpAt);
        },
        ended: (sample, dueMs) => {
          this.#end(tally, sample, dueMs < 0 ? null : step.measuredMs + dueMs);
        },
        isStopped: () => this.isStopped,
      });
      return { measuredMs: Math.max(0, ranMs - step.warmupMs), cpu: cpu.stop() };
    } finally {
      clearInterval(reporting);
      cpu.stop();
    }
  }

  /** Ends the load: it sends no more requests, and running ones count as interrupted. */
  stop(): void {
    this.isStopped = true;
    this.#client.close();
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }

  /** @param dueMs of the measured time of all passes; null in the warm-up. */
  #end(tally: Tally, sample: Sample, dueMs: number | null): void {
    const { ask, result } = sample;
    const outcome = outcomeOf(sample, this.isStopped, this.#plan.replay !== null);
    if (dueMs !== null) tally.record(sample, outcome, dueMs);
    const isSearch = outcome.is === 'complete' || outcome.is === 'incomplete';
    if (!isSearch || outcome.end === null || typeof result === 'string') return;
    this.#mix.learn(ask, outcome.end, someId(result, this.#random()));
  }
}
