import type { Run, Step, Warning } from './result.ts';

/** Past this share of a core a thread of the generator may be what is slow. */
const CPU_SHARE_MAX = 0.8;
/** Later than this at the 99th percentile, what the generator does is in the latencies. */
const LATENESS_MS_MAX = 10;
/** Share of requests that may wait for a connection before the generator holds the load back. */
const CONNECTION_WAITS_MAX = 0.05;
/** Share of its cores that a machine may have at work before the load. */
const BUSY_SHARE_MAX = 0.5;
/** Past this share of answers from the result cache, the load says more of it than of the bases. */
const CACHED_SHARE_MAX = 0.5;
/** With fewer answers the 99th percentile rests on fewer than ten of them. */
const SAMPLES_MIN = 1_000;

export interface WarningFacts {
  readonly steps: readonly Step[];
  readonly machine: Run['machine'];
  readonly connections: number;
  /** What the key may still ask today; null when the service does not say. */
  readonly quotaLeft: number | null;
  /** Requests that the whole run would make. */
  readonly planned: number;
  /** How many different queries were made for it, and how many first pages it asks; null where they need not differ. */
  readonly unique: { readonly queries: number; readonly firstPages: number } | null;
  readonly wasStopped: boolean;
}

/** What a reader must know before believing the figures; the worst step speaks for all. */
export function warningsOf(facts: WarningFacts): Warning[] {
  const { steps, machine, connections, quotaLeft, planned, unique, wasStopped } = facts;
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], value: number, limit: number): void => {
    warnings.push({ code, value, limit, rate_per_s: null });
  };
  const warnPast = (
    code: Warning['code'],
    limit: number,
    named: number,
    figure: (step: Step) => number,
  ): void => {
    const [worst] = steps.toSorted((a, b) => figure(b) - figure(a));
    if (worst === undefined || figure(worst) <= limit) return;
    warnings.push({ code, value: figure(worst), limit: named, rate_per_s: worst.rate_per_s });
  };
  if (machine.load_average > machine.cores * BUSY_SHARE_MAX)
    warn('machine_busy', machine.load_average, machine.cores);
  if (wasStopped) warn('interrupted', steps.length, 0);
  warnPast('generator_cpu', CPU_SHARE_MAX, CPU_SHARE_MAX, ({ generator }) => generator.cpu_share);
  warnPast(
    'generator_late',
    LATENESS_MS_MAX,
    LATENESS_MS_MAX,
    ({ generator }) => generator.lateness_ms?.p99 ?? 0,
  );
  warnPast('connections_busy', CONNECTION_WAITS_MAX, connections, ({ generator, due }) =>
    due === 0 ? 0 : generator.connection_waits / due,
  );
  warnPast('cached', CACHED_SHARE_MAX, CACHED_SHARE_MAX, ({ cache_hits, cache_told }) =>
    cache_told === 0 ? 0 : cache_hits / cache_told,
  );
  if (unique !== null && unique.queries < unique.firstPages)
    warn('few_queries', unique.queries, unique.firstPages);
  if (quotaLeft !== null && quotaLeft < planned) warn('quota_low', quotaLeft, planned);
  const limited = steps.reduce((sum, { errors }) => sum + countOf(errors, '429'), 0);
  if (limited > 0) warn('ip_limit', limited, 0);
  const [fewest] = steps.toSorted((a, b) => answers(a) - answers(b));
  if (fewest !== undefined && answers(fewest) < SAMPLES_MIN) {
    const { rate_per_s } = fewest;
    warnings.push({ code: 'few_samples', value: answers(fewest), limit: SAMPLES_MIN, rate_per_s });
  }
  return warnings;
}

function answers({ latency_ms }: Step): number {
  return latency_ms.all?.count ?? 0;
}

function countOf(errors: Step['errors'], name: string): number {
  return errors.find(({ error }) => error === name)?.count ?? 0;
}
