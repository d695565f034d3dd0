import { Worker } from 'node:worker_threads';
import { PlainError } from '../../process/fail.ts';
import { CpuMeter, type CpuShare } from './cpu-meter.ts';
import type { GeneratorPlan, MixPlan, StepPlan } from './plan.ts';
import type { Tally } from './tally.ts';
import type { StepOutcome } from './generator.ts';
import type { FromThread, ToThread } from './worker.ts';

/** A pass over a rate; the counts are in the tally. */
export interface FleetStep {
  readonly measuredMs: number;
  /** Requests sent, including the warm-up. */
  readonly sent: number;
  readonly cpu: CpuShare;
}

const SEED_STRIDE = 7_919;

/** The generator's threads, with equal parts of the rate and the connections. */
export class Fleet {
  readonly #threads: readonly Thread[];
  isStopped = false;

  constructor(plan: GeneratorPlan, threads: number) {
    const connectionsMax = Math.max(1, Math.floor(plan.connectionsMax / threads));
    this.#threads = Array.from(
      { length: threads },
      (_, at) =>
        new Thread({
          ...plan,
          connectionsMax,
          mix: shareOf(plan.mix, at, threads),
          seed: plan.seed + at * SEED_STRIDE,
        }),
    );
  }

  /**
   * @param into receives all threads' counts, as a single pass.
   * @param onSent called regularly with the number of requests sent since the start.
   * @throws PlainError when a thread fails.
   */
  async run(
    step: StepPlan,
    into: { readonly tally: Tally; readonly pass: number },
    onSent: (sent: number) => void,
  ): Promise<FleetStep> {
    const count = this.#threads.length;
    const cpu = new CpuMeter(count);
    const outcomes = await Promise.all(
      this.#threads.map(async (thread, at) =>
        thread.run(
          { ...step, ratePerS: step.ratePerS / count, phase: at / count, seed: step.seed + at * SEED_STRIDE },
          () => {
            onSent(this.#threads.reduce((sum, { sent }) => sum + sent, 0));
          },
        ),
      ),
    );
    for (const outcome of outcomes) into.tally.add(outcome.tally, into.pass);
    const measuredMs = Math.max(...outcomes.map((outcome) => outcome.measuredMs));
    const sent = outcomes.reduce((sum, outcome) => sum + outcome.sent, 0);
    return { measuredMs, sent, cpu: cpu.stop() };
  }

  /** Ends the current step, and later steps as soon as they begin. */
  stop(): void {
    this.isStopped = true;
    for (const thread of this.#threads) thread.post({ kind: 'stop' });
  }

  close(): void {
    for (const thread of this.#threads) thread.post({ kind: 'end' });
  }
}

/** Divides unique queries among the threads. A list shorter than the number of threads is not divided. */
function shareOf(mix: MixPlan, at: number, threads: number): MixPlan {
  if (!mix.isUnique || mix.searches.length < threads) return mix;
  return { ...mix, searches: mix.searches.filter((_, place) => place % threads === at) };
}

class Thread {
  readonly #worker: Worker;
  #done: PromiseWithResolvers<StepOutcome> | null = null;
  #onSent: () => void = () => undefined;
  sent = 0;

  constructor(plan: GeneratorPlan) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: plan });
    this.#worker.on('message', (message: FromThread) => {
      this.#take(message);
    });
    this.#worker.on('error', (error) => {
      this.#done?.reject(new PlainError(`a thread of the generator ended: ${String(error)}`));
    });
  }

  async run(step: StepPlan, onSent: () => void): Promise<StepOutcome> {
    this.#done = Promise.withResolvers<StepOutcome>();
    this.#onSent = onSent;
    this.post({ kind: 'step', step });
    return this.#done.promise;
  }

  post(message: ToThread): void {
    // This is a worker thread and not a window.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker.postMessage(message);
  }

  #take(message: FromThread): void {
    switch (message.kind) {
      case 'sent':
        this.sent = message.sent;
        this.#onSent();
        break;
      case 'done':
        this.#done?.resolve(message.outcome);
        break;
      case 'failed':
        this.#done?.reject(new PlainError(`a thread of the generator failed: ${message.message}`));
        break;
    }
  }
}
