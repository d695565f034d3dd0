import { cachedShare } from './figures.ts';
import { ms, percent, rate, short, whole } from './format.ts';
import type { Run, Step, Warning } from './result.ts';

/** Above this fraction of a core, the generator may be the bottleneck. */
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

export interface WarningFacts extends Pick<Run, 'steps' | 'machine' | 'plan' | 'recording'> {
  /** Remaining quota of the key today; null if the service does not report it. */
  readonly quotaLeft: number | null;
  readonly wasStopped: boolean;
}

/** Reasons to doubt the figures, each from its worst step, with the mend that the run takes: a replay has no rate of its own. */
export function warningsOf(facts: WarningFacts): Warning[] {
  const { steps, machine, plan, quotaLeft, wasStopped } = facts;
  const planned = sum(plan.rates_per_s) * plan.passes * (plan.warmup_s + plan.duration_s);
  const isReplay = facts.recording !== null;
  const less = isReplay ? 'give a lower --speed' : 'lower the rate';
  const { warnings, warn, warnPast } = collector(steps);
  if (machine.load_average > machine.cores * BUSY_SHARE_MAX)
    warn(
      'machine_busy',
      machine.load_average,
      `this machine was busy before the load (load average ${short(machine.load_average)}, ${machine.cores} cores): some of the latency comes from other work`,
    );
  if (wasStopped)
    warn(
      'interrupted',
      steps.length,
      'the load was stopped early; requests that were running then are in no figure',
    );
  warnPast(
    'generator_cpu',
    CPU_SHARE_MAX,
    ({ generator }) => generator.cpu_share,
    (value) => `the generator took ${percent(value)} of a core: some of the latency may be its own; ${less}`,
  );
  warnPast(
    'generator_late',
    LATENESS_MS_MAX,
    ({ generator }) => generator.lateness_ms?.p99 ?? 0,
    (value) =>
      `the generator was ${ms(value)} ms late for 1 request in 100: some of the latency is its own; leave it a core, or ${less}`,
  );
  warnPast(
    'connections_busy',
    CONNECTION_WAITS_MAX,
    waits,
    (value) =>
      `${percent(value)} of the requests found all connections busy: with more than ${whole(plan.connections)} at once the service would have felt more; see --connections`,
  );
  warnPast(
    'cached',
    CACHED_SHARE_MAX,
    (step) => cachedShare(step) ?? 0,
    (value) =>
      `${percent(value)} of the answers came from the result cache: the figures show the cache more than the bases; ${isReplay ? '' : 'give more --queries, or '}start the service with RESULT_CACHE_MB=0 if that is not wanted`,
  );
  if (quotaLeft !== null && quotaLeft < planned)
    warn(
      'quota_low',
      quotaLeft,
      `the key had ${whole(quotaLeft)} requests left today and the run makes ${whole(Math.round(planned))}; issue one with a greater --quota`,
    );
  const limited = sum(steps.map(({ errors }) => countOf(errors, '429')));
  if (limited > 0)
    warn(
      'ip_limit',
      limited,
      `the per-IP limit refused ${whole(limited)} requests; start the service with a greater IP_REQUESTS`,
    );
  const [fewest] = steps.toSorted((a, b) => answers(a) - answers(b));
  if (fewest !== undefined && answers(fewest) < SAMPLES_MIN)
    warn(
      'few_samples',
      answers(fewest),
      `there were only ${whole(answers(fewest))} answers: the 99th percentile rests on fewer than ten; ${isReplay ? 'repeat the recording with --loop and --duration' : 'give a longer --duration'}`,
      fewest,
    );
  return warnings;
}

/** Collects warnings of the whole run, and of the step in which a figure is greatest. */
function collector(steps: readonly Step[]) {
  const warnings: Warning[] = [];
  const warn = (code: Warning['code'], value: number, text: string, step?: Step) => {
    const at = step === undefined ? '' : `at ${rate(step.rate_per_s)} `;
    warnings.push({ code, value, rate_per_s: step?.rate_per_s ?? null, text: `${at}${text}` });
  };
  const warnPast = (
    code: Warning['code'],
    limit: number,
    figure: (step: Step) => number,
    text: (value: number) => string,
  ) => {
    const [worst] = steps.toSorted((a, b) => figure(b) - figure(a));
    if (worst !== undefined && figure(worst) > limit) warn(code, figure(worst), text(figure(worst)), worst);
  };
  return { warnings, warn, warnPast };
}

function waits({ generator, due }: Step): number {
  return due === 0 ? 0 : generator.connection_waits / due;
}

function answers({ latency_ms }: Step): number {
  return latency_ms.all?.count ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}

function countOf(errors: Step['errors'], name: string): number {
  return errors.find(({ error }) => error === name)?.count ?? 0;
}
