import { someId, outcomeOf } from './answer.ts';
import { REAL_CLOCK, runStep, type Sample } from './engine.ts';
import { HttpClient } from './http-client.ts';
import { Mix } from './mix.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';
import { randomNumbers } from './random.ts';
import { Replay } from './replay.ts';
import { Tally, type TallyText } from './tally.ts';

/** Connections opened before the first request; more are opened on demand. */
const FIRST_CONNECTIONS = 8;

export interface StepOutcome {
  readonly tally: TallyText;
  /** Duration after the warm-up, milliseconds. */
  readonly measuredMs: number;
  readonly sent: number;
}

/** A thread's load. Connections and mix stay from step to step. */
export class Generator {
  readonly #plan: GeneratorPlan;
  readonly #client: HttpClient;
  readonly #opened: Promise<void>;
  readonly #mix: Mix | Replay;
  readonly #random: () => number;
  readonly #sent: Int32Array;
  #isStopped = false;

  /** @param sent counts the requests sent, including the warm-up. */
  constructor(plan: GeneratorPlan, sent: Int32Array) {
    this.#plan = plan;
    this.#sent = sent;
    this.#client = new HttpClient(plan.url, plan.connectionsMax, plan.timeoutMs);
    this.#opened = this.#client.open(FIRST_CONNECTIONS);
    this.#mix =
      plan.replay === null ? new Mix(plan.mix, plan.key, plan.seed) : new Replay(plan.replay, plan.key);
    this.#random = randomNumbers(plan.seed + 1);
  }

  async run(step: StepPlan): Promise<StepOutcome> {
    const tally = new Tally(step.batchMs, this.#plan.mix.ordem);
    const sentBefore = Atomics.load(this.#sent, 0);
    await this.#opened;
    const ranMs = await runStep(step, {
      clock: REAL_CLOCK,
      timeoutMs: this.#plan.timeoutMs,
      next: () => this.#mix.next(),
      send: async (ask, giveUpAt) => {
        Atomics.add(this.#sent, 0, 1);
        return this.#client.send(ask, giveUpAt);
      },
      ended: (sample, dueMs) => {
        this.#end(tally, sample, dueMs < 0 ? null : step.measuredMs + dueMs);
      },
      isStopped: () => this.#isStopped,
    });
    return {
      tally: tally.toText(),
      measuredMs: Math.max(0, ranMs - step.warmupMs),
      sent: Atomics.load(this.#sent, 0) - sentBefore,
    };
  }

  /** Ends the load: it sends no more requests, and running ones count as interrupted. */
  stop(): void {
    this.#isStopped = true;
    this.#client.close();
  }

  /** @param dueMs of the measured time of all passes; null in the warm-up. */
  #end(tally: Tally, sample: Sample, dueMs: number | null): void {
    const { ask, result } = sample;
    const outcome = outcomeOf(sample, this.#isStopped, this.#plan.replay !== null);
    if (dueMs !== null) tally.record(sample, outcome, dueMs);
    const isSearch = outcome.is === 'complete' || outcome.is === 'incomplete';
    if (!isSearch || outcome.end === null || typeof result === 'string') return;
    this.#mix.learn(ask, outcome.end, someId(result, this.#random()));
  }
}
