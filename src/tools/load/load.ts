import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { bug } from '../../bug.ts';
import { showProgress } from '../../process/progress.ts';
import { Generator, type Pass } from './generator.ts';
import { findKnee } from './knee.ts';
import { preflight } from './preflight.ts';
import type { Load } from './plan.ts';
import { RUN_SCHEMA, RUN_VERSION, type Run, type Step } from './result.ts';
import { stepResult } from './step-result.ts';
import { Tally } from './tally.ts';
import { warningsOf } from './warnings.ts';

const MS_PER_S = 1_000;
const GIB = 2 ** 30;

/**
 * Runs the load, one rate at a time.
 * @param onData receives the data's version before the load, and may refuse it.
 * @param onStart receives the generator, which can stop the load early.
 * @returns null if it was stopped before any measurement.
 * @throws PlainError if the service cannot be used at all.
 */
export async function runLoad(
  load: Load,
  name: string,
  onData: (data: string | null) => void,
  onStart: (generator: Pick<Generator, 'stop'>) => void,
): Promise<Run | null> {
  const { quotaLeft, data } = await preflight(load);
  onData(data);
  const before = machine();
  const startedAt = new Date();
  using generator = new Generator(load);
  onStart(generator);
  const steps = await runPasses(load, generator);
  if (steps.length === 0) return null;
  const { plan, replay } = load;
  const measured = steps.reduce((sum, { due }) => sum + due, 0);
  const ran = { machine: before, plan, recording: replay?.recording ?? null, steps };
  return {
    ...ran,
    schema: RUN_SCHEMA,
    version: RUN_VERSION,
    name,
    started_at: startedAt.toISOString(),
    url: load.url,
    data,
    // The first search only checks address and key.
    requests: { before: 1, warm_up: Math.max(0, generator.sent - measured), measured },
    knee: findKnee(steps),
    warnings: warningsOf({ ...ran, quotaLeft, wasStopped: generator.isStopped }),
    verdicts: [],
  };
}

/** Repeats all rates in each pass, so that changes over time affect all rates equally. */
async function runPasses({ plan, replay }: Load, generator: Generator): Promise<Step[]> {
  const { arrivals, seed } = plan;
  const [warmupMs, durationMs] = [plan.warmup_s * MS_PER_S, plan.duration_s * MS_PER_S];
  const recorded = replay && { dueMs: replay.requests.map(({ dueMs }) => dueMs), periodMs: replay.periodMs };
  const pace = { arrivals, warmupMs, durationMs, ...(recorded && { recorded }) };
  const rates = plan.rates_per_s.map((ratePerS) => ({
    ratePerS,
    tally: new Tally(plan.batch_s * MS_PER_S, plan.ordem),
    passes: [] as Pass[],
  }));
  const all = Array.from({ length: plan.passes }, () => rates).flat();
  const totalMs = all.length * (warmupMs + durationMs);
  const progress = showProgress(totalMs, 'requests');
  const startedAt = performance.now();
  const onSent = (sent: number) => {
    progress.update(Math.min(totalMs, performance.now() - startedAt), sent);
  };
  try {
    for (const [at, { ratePerS, tally, passes }] of all.entries()) {
      if (generator.isStopped) break;
      const now = { ...pace, ratePerS, seed: seed + at };
      passes.push(await generator.run(now, tally, passes.length * durationMs, onSent));
    }
  } finally {
    progress.stop();
  }
  const measured = rates.filter(({ tally }) => tally.counts.due > 0);
  return measured.map(({ ratePerS, tally, passes }) => stepResult(ratePerS, tally, passes));
}

/** The generator's machine, measured before the load. */
function machine(): Run['machine'] {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gib: Math.round((totalmem() / GIB) * 10) / 10,
    system: `${platform()} ${release()}`,
    bun: Bun.version,
    load_average: Math.round((loadavg()[0] ?? bug('no load average')) * 100) / 100,
  };
}
