import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { showProgress } from '../../process/progress.ts';
import { Fleet } from './fleet.ts';
import { findKnee } from './knee.ts';
import { preflight } from './preflight.ts';
import type { LoadPlan } from './load-plan.ts';
import { RUN_SCHEMA, RUN_VERSION, type Run, type Step } from './result.ts';
import { stepResult, type Measured } from './step-result.ts';
import { Tally } from './tally.ts';
import { gatherSearches } from './unique.ts';
import { writeQueries } from './queries.ts';
import { warningsOf } from './warnings.ts';

const MS_PER_S = 1_000;
const GIB = 2 ** 30;

/**
 * Runs the load, one rate at a time.
 * @param onData receives the data's version before the load, and may refuse it.
 * @param onFleet receives the fleet, which can stop the load early.
 * @returns null if it was stopped before any measurement.
 * @throws PlainError if the service cannot be used at all.
 */
export async function runLoad(
  plan: LoadPlan,
  name: string,
  onData: (data: string | null) => void,
  onFleet: (fleet: Pick<Fleet, 'stop'>) => void,
): Promise<Run | null> {
  const { quotaLeft, data } = await preflight(plan.generator);
  onData(data);
  const planned = plannedRequests(plan);
  const gathered = plan.isUnique ? await gatherSearches(plan.generator, planned) : null;
  if (gathered !== null && plan.saveQueries !== null) writeQueries(plan.saveQueries, gathered.searches);
  const before = machine();
  const startedAt = new Date();
  const { mix } = plan.generator;
  const searches = gathered?.searches ?? mix.searches;
  using fleet = new Fleet({ ...plan.generator, mix: { ...mix, searches } }, plan.threads);
  onFleet(fleet);
  const { steps, sent } = await runPasses(plan, fleet);
  if (steps.length === 0) return null;
  const measured = steps.reduce((sum, { due }) => sum + due, 0);
  const knee = findKnee(steps);
  const warnings = warningsOf({
    steps,
    machine: before,
    connections: plan.generator.connectionsMax,
    quotaLeft: quotaLeft === null ? null : quotaLeft - (gathered?.asked ?? 0),
    planned,
    unique:
      gathered === null
        ? null
        : {
            queries: searches.length,
            firstPages: Math.round(planned * (1 - mix.records) * (1 - mix.follow)),
          },
    wasStopped: fleet.isStopped,
  });
  return {
    schema: RUN_SCHEMA,
    version: RUN_VERSION,
    name,
    started_at: startedAt.toISOString(),
    url: plan.generator.url,
    machine: before,
    plan: { ...planResult(plan), queries_count: plan.generator.replay?.length ?? searches.length },
    recording: plan.recording,
    data,
    // The first search only checks address and key.
    requests: { before: 1 + (gathered?.asked ?? 0), warm_up: Math.max(0, sent - measured), measured },
    steps,
    knee,
    warnings,
    verdicts: [],
  };
}

/** Repeats all rates in each pass, so that changes over time affect all rates equally. */
async function runPasses(plan: LoadPlan, fleet: Fleet): Promise<{ steps: Step[]; sent: number }> {
  const totalMs =
    plan.passes * plan.steps.reduce((sum, { warmupMs, durationMs }) => sum + warmupMs + durationMs, 0);
  const rates = plan.steps.map((step) => ({
    step,
    tally: new Tally(step.batchMs, plan.generator.mix.ordem),
    passes: [] as Measured['passes'][number][],
  }));
  let sent = 0;
  const progress = showProgress(totalMs, 'requests');
  const startedAt = performance.now();
  try {
    for (const [at, { step, tally, passes }] of Array.from({ length: plan.passes }, () => rates)
      .flat()
      .entries()) {
      if (fleet.isStopped) break;
      const seed = step.seed + at;
      const measuredMs = passes.length * step.durationMs;
      const ran = await fleet.run({ ...step, seed, measuredMs }, tally, (so_far) => {
        progress.update(Math.min(totalMs, performance.now() - startedAt), so_far);
      });
      sent += ran.sent;
      passes.push(ran);
    }
  } finally {
    progress.stop();
  }
  const measured = rates.filter(({ tally }) => tally.counts.due > 0);
  return { steps: measured.map(({ step, ...rest }) => stepResult(step, rest)), sent };
}

function plannedRequests({ steps, passes }: LoadPlan): number {
  return Math.round(
    passes *
      steps.reduce(
        (sum, { ratePerS, warmupMs, durationMs }) => sum + (ratePerS * (warmupMs + durationMs)) / MS_PER_S,
        0,
      ),
  );
}

function planResult({
  generator,
  steps,
  passes,
  threads,
  queries,
}: LoadPlan): Omit<Run['plan'], 'queries_count'> {
  const [first] = steps;
  if (first === undefined) throw new Error('a load without steps');
  const { mix, seed, connectionsMax, timeoutMs } = generator;
  return {
    rates_per_s: steps.map(({ ratePerS }) => ratePerS),
    duration_s: Math.round(first.durationMs) / MS_PER_S,
    passes,
    batch_s: first.batchMs / MS_PER_S,
    warmup_s: first.warmupMs / MS_PER_S,
    arrivals: first.arrivals,
    follow: mix.follow,
    records: mix.records,
    limite: mix.limite,
    ordem: mix.ordem,
    queries,
    seed,
    connections: connectionsMax,
    threads,
    timeout_s: timeoutMs / MS_PER_S,
  };
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
