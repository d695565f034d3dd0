import { showProgress } from '../../process/progress.ts';
import { verdictsOf } from './fail-if.ts';
import { Fleet } from './fleet.ts';
import { findKnee } from './knee.ts';
import { machine } from './machine.ts';
import { preflight } from './preflight.ts';
import type { LoadPlan } from './prepare.ts';
import { RUN_SCHEMA, RUN_VERSION, type Run, type Step } from './result.ts';
import { stepResult } from './step-result.ts';
import { gatherSearches } from './unique.ts';
import { writeQueries } from './queries.ts';
import { warningsOf } from './warnings.ts';

const MS_PER_S = 1_000;

/**
 * Puts the load on the service, rate after rate.
 * @param onFleet is given the means to stop it early.
 * @returns null when it was stopped before anything was measured.
 * @throws PlainError when the service cannot be asked at all.
 */
export async function runLoad(
  plan: LoadPlan,
  name: string,
  onFleet: (fleet: Pick<Fleet, 'stop'>) => void,
): Promise<Run | null> {
  const quotaLeft = await preflight(plan.generator);
  const planned = plannedRequests(plan);
  const gathered = plan.isUnique ? await gatherSearches(plan.generator, planned) : null;
  if (gathered !== null && plan.saveQueries !== null) writeQueries(plan.saveQueries, gathered.searches);
  const before = machine();
  const startedAt = new Date();
  const { mix } = plan.generator;
  const searches = gathered?.searches ?? mix.searches;
  const fleet = new Fleet({ ...plan.generator, mix: { ...mix, searches } }, plan.threads);
  onFleet(fleet);
  const steps = await runSteps(plan, fleet);
  fleet.close();
  if (steps.length === 0) return null;
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
    plan: { ...planResult(plan), queries_count: searches.length },
    steps,
    knee,
    warnings,
    verdicts: verdictsOf(plan.failIf, { steps, knee }),
  };
}

async function runSteps(plan: LoadPlan, fleet: Fleet): Promise<Step[]> {
  const steps: Step[] = [];
  const totalMs = plan.steps.reduce((sum, { warmupMs, durationMs }) => sum + warmupMs + durationMs, 0);
  const progress = showProgress(totalMs, 'requests');
  const startedAt = performance.now();
  try {
    for (const step of plan.steps) {
      if (fleet.isStopped) break;
      const stepAt = performance.now() - startedAt;
      const result = await fleet.run(step, (sent) => {
        progress.update(Math.min(totalMs, performance.now() - startedAt), sent);
      });
      if (result.tally.counts.due > 0) steps.push(stepResult(step, result, stepAt + step.warmupMs));
    }
  } finally {
    progress.stop();
  }
  return steps;
}

function plannedRequests({ steps }: LoadPlan): number {
  return Math.round(
    steps.reduce(
      (sum, { ratePerS, warmupMs, durationMs }) => sum + (ratePerS * (warmupMs + durationMs)) / MS_PER_S,
      0,
    ),
  );
}

function planResult({ generator, steps, threads, queries }: LoadPlan): Run['plan'] {
  const [first] = steps;
  if (first === undefined) throw new Error('a load without steps');
  const { mix, seed, connectionsMax, timeoutMs } = generator;
  return {
    rates_per_s: steps.map(({ ratePerS }) => ratePerS),
    duration_s: first.durationMs / MS_PER_S,
    warmup_s: first.warmupMs / MS_PER_S,
    arrivals: first.arrivals,
    follow: mix.follow,
    records: mix.records,
    limite: mix.limite,
    ordem: mix.ordem,
    queries,
    queries_count: mix.searches.length,
    seed,
    connections: connectionsMax,
    threads,
    timeout_s: timeoutMs / MS_PER_S,
  };
}
