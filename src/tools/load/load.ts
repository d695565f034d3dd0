import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { showProgress } from '../../process/progress.ts';
import { Generator, type Pass } from './generator.ts';
import { findKnee } from './knee.ts';
import { preflight } from './preflight.ts';
import type { LoadPlan } from './load-plan.ts';
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
  plan: LoadPlan,
  name: string,
  onData: (data: string | null) => void,
  onStart: (generator: Pick<Generator, 'stop'>) => void,
): Promise<Run | null> {
  const { quotaLeft, data } = await preflight(plan.generator);
  onData(data);
  const before = machine();
  const startedAt = new Date();
  using generator = new Generator(plan.generator);
  onStart(generator);
  const steps = await runPasses(plan, generator);
  if (steps.length === 0) return null;
  const measured = steps.reduce((sum, { due }) => sum + due, 0);
  const ran = { machine: before, plan: plan.plan, recording: plan.recording, steps };
  const warned = { ...ran, quotaLeft, planned: plannedRequests(plan), wasStopped: generator.isStopped };
  return {
    ...ran,
    schema: RUN_SCHEMA,
    version: RUN_VERSION,
    name,
    started_at: startedAt.toISOString(),
    url: plan.generator.url,
    data,
    // The first search only checks address and key.
    requests: { before: 1, warm_up: Math.max(0, generator.sent - measured), measured },
    knee: findKnee(steps),
    warnings: warningsOf(warned),
    verdicts: [],
  };
}

/** Repeats all rates in each pass, so that changes over time affect all rates equally. */
async function runPasses(
  { steps, plan, generator: { mix } }: LoadPlan,
  generator: Generator,
): Promise<Step[]> {
  const passMs = steps.reduce((sum, { warmupMs, durationMs }) => sum + warmupMs + durationMs, 0);
  const totalMs = plan.passes * passMs;
  const rates = steps.map((step) => ({
    step,
    tally: new Tally(step.batchMs, mix.ordem),
    passes: [] as Pass[],
  }));
  const progress = showProgress(totalMs, 'requests');
  const startedAt = performance.now();
  const onSent = (sent: number) => {
    progress.update(Math.min(totalMs, performance.now() - startedAt), sent);
  };
  try {
    const all = Array.from({ length: plan.passes }, () => rates).flat();
    for (const [at, { step, tally, passes }] of all.entries()) {
      if (generator.isStopped) break;
      const now = { ...step, seed: step.seed + at, measuredMs: passes.length * step.durationMs };
      passes.push(await generator.run(now, tally, onSent));
    }
  } finally {
    progress.stop();
  }
  const measured = rates.filter(({ tally }) => tally.counts.due > 0);
  return measured.map(({ step, tally, passes }) => stepResult(step, tally, passes));
}

function plannedRequests({ steps, plan: { passes } }: LoadPlan): number {
  const aPass = steps.reduce(
    (sum, { ratePerS, warmupMs, durationMs }) => sum + (ratePerS * (warmupMs + durationMs)) / MS_PER_S,
    0,
  );
  return Math.round(passes * aPass);
}

/** The generator's machine, measured before the load. */
function machine(): Run['machine'] {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gib: Math.round((totalmem() / GIB) * 10) / 10,
    system: `${platform()} ${release()}`,
    bun: Bun.version,
    load_average: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
