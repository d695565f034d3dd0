import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { explain, PlainError } from '../../process/fail.ts';
import type { GeneratorPlan, MixPlan, StepPlan } from './plan.ts';
import type { Tally } from './tally.ts';
import type { StepOutcome } from './generator.ts';
import type { ThreadData } from './worker.ts';

/** A pass over a rate; the counts are in the tally. */
export interface FleetStep {
  readonly measuredMs: number;
  readonly sent: number;
  readonly cpu: CpuShare;
}

const SEED_STRIDE = 7_919;
const REPORT_MS = 250;

/** The generator's threads, with equal parts of the rate and the connections. */
export class Fleet {
  readonly #threads: readonly { readonly worker: Worker; readonly sent: Int32Array }[];
  isStopped = false;

  constructor(plan: GeneratorPlan, threads: number) {
    const connectionsMax = Math.max(1, Math.floor(plan.connectionsMax / threads));
    this.#threads = Array.from({ length: threads }, (_, at) => {
      const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const mix = shareOf(plan.mix, at, threads);
      const own = { ...plan, connectionsMax, mix, seed: plan.seed + at * SEED_STRIDE };
      const workerData: ThreadData = { plan: own, sent };
      return { worker: new Worker(new URL('./worker.ts', import.meta.url), { workerData }), sent };
    });
  }

  /**
   * @param into receives all threads' counts.
   * @param onSent called regularly with the number of requests sent since the start.
   * @throws PlainError when a thread fails.
   */
  async run(step: StepPlan, into: Tally, onSent: (sent: number) => void): Promise<FleetStep> {
    const count = this.#threads.length;
    const cpu = new CpuMeter(count);
    const reporting = setInterval(() => {
      onSent(this.#threads.reduce((sum, { sent }) => sum + Atomics.load(sent, 0), 0));
    }, REPORT_MS);
    try {
      const outcomes = await Promise.all(
        this.#threads.map(({ worker }, at) =>
          outcomeOf(worker, {
            ...step,
            ratePerS: step.ratePerS / count,
            phase: at / count,
            seed: step.seed + at * SEED_STRIDE,
          }),
        ),
      );
      for (const outcome of outcomes) into.add(outcome.tally);
      const measuredMs = Math.max(...outcomes.map((outcome) => outcome.measuredMs));
      const sent = outcomes.reduce((sum, outcome) => sum + outcome.sent, 0);
      return { measuredMs, sent, cpu: cpu.stop() };
    } finally {
      clearInterval(reporting);
      cpu.stop();
    }
  }

  /** Ends the current step, and later steps as soon as they begin. */
  stop(): void {
    this.isStopped = true;
    for (const { worker } of this.#threads) post(worker, 'stop');
  }

  [Symbol.dispose](): void {
    for (const { worker } of this.#threads) void worker.terminate();
  }
}

async function outcomeOf(worker: Worker, step: StepPlan): Promise<StepOutcome> {
  post(worker, step);
  try {
    const [outcome] = await once(worker, 'message');
    // `worker.ts` answers each step with this, and nothing else.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return outcome as StepOutcome;
  } catch (error) {
    throw new PlainError(`a thread of the generator failed: ${explain(error)}`);
  }
}

function post(worker: Worker, message: StepPlan | 'stop'): void {
  // This is a worker thread and not a window.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message);
}

/** Divides unique queries among the threads. A list shorter than the number of threads is not divided. */
function shareOf(mix: MixPlan, at: number, threads: number): MixPlan {
  if (!mix.isUnique || mix.searches.length < threads) return mix;
  return { ...mix, searches: mix.searches.filter((_, place) => place % threads === at) };
}

/** CPU time per generator thread as a fraction of the elapsed time. */
export interface CpuShare {
  readonly mean: number;
  /** The fraction in the busiest second. */
  readonly max: number;
}

const EVERY_MS = 1_000;
const US_PER_MS = 1_000;

/** Measures this process each second, from construction until `stop`. */
export class CpuMeter {
  readonly #threads: number;
  readonly #start = look();
  readonly #timer: ReturnType<typeof setInterval>;
  #last = this.#start;
  #max = 0;

  /** @param threads that share the work. */
  constructor(threads: number) {
    this.#threads = threads;
    this.#timer = setInterval(() => {
      this.#tick();
    }, EVERY_MS);
  }

  stop(): CpuShare {
    clearInterval(this.#timer);
    const mean = this.#share(this.#start, look());
    return { mean, max: Math.max(mean, this.#max) };
  }

  #tick(): void {
    const now = look();
    this.#max = Math.max(this.#max, this.#share(this.#last, now));
    this.#last = now;
  }

  #share(from: Look, to: Look): number {
    return (to.cpuMs - from.cpuMs) / Math.max(1, to.atMs - from.atMs) / this.#threads;
  }
}

interface Look {
  readonly atMs: number;
  readonly cpuMs: number;
}

function look(): Look {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), cpuMs: (user + system) / US_PER_MS };
}
