import type { Run, Step, Warning } from './result.ts';
import { cachedShare } from './figures.ts';

/** Above this fraction of a core, a generator thread may be the bottleneck. */
const CPU_SHARE_MAX = 0.8;
/** Above this delay at the 99th percentile, latencies include work in the generator. */
const LATENESS_MS_MAX = 10;
/** Above this fraction of requests that wait for a connection, the generator limits the load. */
const CONNECTION_WAITS_MAX = 0.05;
const BUSY_SHARE_MAX = 0.5;
/** Above this fraction of cached answers, the figures measure the cache more than the bases. */
const CACHED_SHARE_MAX = 0.5;
/** With fewer answers, fewer than ten are above the 99th percentile. */
const SAMPLES_MIN = 1_000;

export interface WarningFacts {
  readonly steps: readonly Step[];
  readonly machine: Run['machine'];
  readonly connections: number;
  /** Remaining quota of the key today; null if the service does not report it. */
  readonly quotaLeft: number | null;
  readonly planned: number;
  readonly wasStopped: boolean;
}

/** Reasons to doubt the figures, from the worst step. */
export function warningsOf(facts: WarningFacts): Warning[] {
  const { steps, machine, connections, quotaLeft, planned, wasStopped } = facts;
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], value: number, limit: number, rate_per_s: number | null = null) => {
    warnings.push({ code, value, limit, rate_per_s });
  };
  const warnPast = (code: Warning['code'], limit: number, figure: (step: Step) => number, named = limit) => {
    const [worst] = steps.toSorted((a, b) => figure(b) - figure(a));
    if (worst !== undefined && figure(worst) > limit) warn(code, figure(worst), named, worst.rate_per_s);
  };
  if (machine.load_average > machine.cores * BUSY_SHARE_MAX)
    warn('machine_busy', machine.load_average, machine.cores);
  if (wasStopped) warn('interrupted', steps.length, 0);
  warnPast('generator_cpu', CPU_SHARE_MAX, ({ generator }) => generator.cpu_share);
  warnPast('generator_late', LATENESS_MS_MAX, ({ generator }) => generator.lateness_ms?.p99 ?? 0);
  warnPast('connections_busy', CONNECTION_WAITS_MAX, waits, connections);
  warnPast('cached', CACHED_SHARE_MAX, (step) => cachedShare(step) ?? 0);
  if (quotaLeft !== null && quotaLeft < planned) warn('quota_low', quotaLeft, planned);
  const limited = steps.reduce((sum, { errors }) => sum + countOf(errors, '429'), 0);
  if (limited > 0) warn('ip_limit', limited, 0);
  const [fewest] = steps.toSorted((a, b) => answers(a) - answers(b));
  if (fewest !== undefined && answers(fewest) < SAMPLES_MIN)
    warn('few_samples', answers(fewest), SAMPLES_MIN, fewest.rate_per_s);
  return warnings;
}

function waits({ generator, due }: Step): number {
  return due === 0 ? 0 : generator.connection_waits / due;
}

function answers({ latency_ms }: Step): number {
  return latency_ms.all?.count ?? 0;
}

function countOf(errors: Step['errors'], name: string): number {
  return errors.find(({ error }) => error === name)?.count ?? 0;
}
