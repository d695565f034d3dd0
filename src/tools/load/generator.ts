import { someId, outcomeOf } from './answer.ts';
import { REAL_CLOCK, runStep } from './engine.ts';
import { HttpClient } from './http-client.ts';
import { Mix } from './mix.ts';
import type { Load, Pace } from './plan.ts';
import { randomNumbers } from './random.ts';
import { Replay } from './replay.ts';
import type { Sample, Tally } from './tally.ts';

const MS_PER_S = 1_000;
/** Connections opened before the first request; more are opened on demand. */
const FIRST_CONNECTIONS = 8;
const REPORT_MS = 250;

/** A pass over a rate; the counts are in the tally. */
export interface Pass {
  /** Duration after the warm-up, milliseconds. */
  readonly measuredMs: number;
  /** CPU time of this process as a fraction of a core. */
  readonly cpuShare: number;
}

/** Sends the load. Connections and mix stay from step to step. */
export class Generator {
  readonly #load: Load;
  readonly #client: HttpClient;
  readonly #opened: Promise<void>;
  readonly #mix: Mix | Replay;
  readonly #random: () => number;
  /** Requests sent so far, including the warm-up. */
  sent = 0;
  isStopped = false;

  constructor(load: Load) {
    const { url, plan, replay } = load;
    this.#load = load;
    this.#client = new HttpClient(url, plan.connections, plan.timeout_s * MS_PER_S);
    this.#opened = this.#client.open(FIRST_CONNECTIONS);
    this.#mix = replay === null ? new Mix(load) : new Replay(replay.requests);
    this.#random = randomNumbers(plan.seed + 1);
  }

  /**
   * @param tally receives the counts. @param earlierMs measured of this rate in earlier passes.
   * @param onSent called regularly with the number of requests sent so far.
   */
  async run(pace: Pace, tally: Tally, earlierMs: number, onSent: (sent: number) => void): Promise<Pass> {
    await this.#opened;
    const [before, startedAt] = [process.cpuUsage(), performance.now()];
    const { key, plan } = this.#load;
    const reporting = setInterval(() => {
      onSent(this.sent);
    }, REPORT_MS);
    try {
      const ranMs = await runStep(pace, {
        clock: REAL_CLOCK,
        timeoutMs: plan.timeout_s * MS_PER_S,
        next: () => this.#mix.next(),
        send: async ({ path }, giveUpAt) => {
          this.sent += 1;
          return this.#client.send({ path, key }, giveUpAt);
        },
        ended: (sample, dueMs) => {
          this.#end(tally, sample, dueMs < 0 ? null : earlierMs + dueMs);
        },
        isStopped: () => this.isStopped,
      });
      return { measuredMs: Math.max(0, ranMs - pace.warmupMs), cpuShare: ownShare(before, startedAt) };
    } finally {
      clearInterval(reporting);
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
    const outcome = outcomeOf(sample, this.isStopped, this.#load.replay !== null);
    if (dueMs !== null) tally.record(sample, outcome, dueMs);
    const isSearch = outcome.is === 'complete' || outcome.is === 'incomplete';
    if (!isSearch || outcome.end === null || typeof result === 'string') return;
    this.#mix.learn(ask, outcome.end, someId(result, this.#random()));
  }
}

/** The fraction of one core that this process took since `before`, which `process.cpuUsage()` gave at `startedAt`. */
export function ownShare(before: NodeJS.CpuUsage, startedAt: number): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / Math.max(1, performance.now() - startedAt);
}
