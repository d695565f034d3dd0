import { comparisonLines } from './comparison.ts';
import { failedStep, shownStep } from './knee.ts';
import type { BaseStep, Run, Step, Verdict, Warning } from './result.ts';
import type { Distribution, PercentileName } from './histogram.ts';
import { cachedShare, errorCount, latencyOfOrder, slowestShare } from './figures.ts';
import { roundedPercentile, roundedRate, roundedTime, type Rounded } from './rounding.ts';
import { ms, percent, rate, table, wrapped, type Column } from './terminal.ts';

/** The summary of a run for a terminal of 80 columns. @param before an earlier run to compare it with, or null. */
export function summary(run: Run, before: Run | null = null): string {
  const shown = shownStep(run);
  const parts = [
    headLines(run).flatMap(wrapped),
    run.steps.length > 1 ? sweepLines(run) : [],
    stepLines(shown, run.steps.length > 1),
    baseLines(shown),
    generatorLines(run, shown),
    run.warnings.flatMap((warning) => wrapped(`warning: ${warningText(warning)}`)),
    before === null ? [] : comparisonLines(before, run),
    run.verdicts.flatMap((verdict) => wrapped(verdictText(verdict))),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

export function warningText({ code, value, limit, rate_per_s }: Warning): string {
  const at = rate_per_s === null ? '' : `at ${rate(rate_per_s)}/s `;
  switch (code) {
    case 'interrupted':
      return 'the load was stopped early; requests that were running then are in no figure';
    case 'machine_busy':
      return `this machine was busy before the load (load average ${value.toFixed(1)}, ${limit} cores): some of the latency comes from other work`;
    case 'generator_cpu':
      return `${at}the generator took ${percent(value)} of a core a thread: some of the latency may be its own; add --workers (not to a recording), or lower the rate`;
    case 'generator_late':
      return `${at}the generator was ${ms(value)} ms late for 1 request in 100: some of the latency is its own; leave it a core, or add --workers (not to a recording)`;
    case 'connections_busy':
      return `${at}${percent(value)} of the requests found all connections busy, or had to open one: with more than ${limit} at once the service would have felt more; see --connections`;
    case 'quota_low':
      return `the key had ${value} requests left today and the run makes ${limit}; issue one with a greater --quota`;
    case 'ip_limit':
      return `the per-IP limit refused ${value} requests; start the service with a greater IP_REQUESTS`;
    case 'few_samples':
      return `${at}there were only ${value} answers: the 99th percentile rests on fewer than ten; give a longer --duration`;
    case 'cached':
      return `${at}${percent(value)} of the answers came from the result cache: the figures show the cache more than the bases; add --unique`;
    case 'few_queries':
      return `the words of the bases made only ${value} different queries for ${limit} first pages: some were asked again; load more decisions, or ask less`;
  }
}

function headLines(run: Run): string[] {
  const { url, plan, knee, steps, requests } = run;
  const rates =
    plan.rates_per_s.length === 1
      ? `${rate(plan.rates_per_s[0] ?? 0)}/s`
      : `${rate(plan.rates_per_s[0] ?? 0)} to ${rate(plan.rates_per_s.at(-1) ?? 0)}/s in ${plan.rates_per_s.length} steps`;
  const over = plan.passes === 1 ? '' : `, ${plan.passes} times over`;
  const all = requests.before + requests.warm_up + requests.measured;
  const recording = run.recording === null ? [] : [recordingText(run.recording)];
  const lines = [
    `load of ${url}`,
    ...recording,
    `  ${rates}, ${plan.duration_s} s each after ${plan.warmup_s} s of warm-up${over}`,
    ...(run.recording === null
      ? [
          `  ${plan.arrivals}, seed ${plan.seed}; ${percent(plan.records)} records, of the searches ${percent(plan.follow)} follow a cursor; ${plan.ordem}, ${plan.limite} items`,
        ]
      : []),
    `  ${all} requests in all: ${requests.measured} measured, ${requests.warm_up} of the warm-up, ${requests.before} before it`,
  ];
  if (knee.found === 'single') return lines;
  const to = rate(steps.at(-1)?.rate_per_s ?? 0);
  const found: Record<Exclude<typeof knee.found, 'single'>, string> = {
    knee: `knee: the service kept up with ${rate(knee.rate_per_s ?? 0)}/s, and no more: ${kneeReason(run)}`,
    above: `no knee: the service kept up with every rate up to ${to}/s; try higher ones`,
    below: `no knee: the service did not keep up with the first rate; try lower ones: ${kneeReason(run)}`,
  };
  return [...lines, found[knee.found]];
}

const UNNAMED = 'a version that it did not name';

function recordingText({ speed, left_out, data, data_now }: NonNullable<Run['recording']>): string {
  const now = (data_now ?? '').split(', ');
  const isSame = data.length > 0 && data.every((one) => now.includes(one));
  const versions = isSame
    ? `the recorded data, ${data_now}`
    : `data ${data_now ?? UNNAMED}, recorded with ${data.join(', ') || UNNAMED}`;
  return `  a recording, at ${speed} times its speed; ${versions}; ${left_out} requests with faults of clients left out`;
}

function kneeReason(run: Run): string {
  const failed = failedStep(run);
  if (failed === null) return '';
  const { step, isSlow, isIncomplete, limitMs } = failed;
  const ended = step.due - step.interrupted - step.gone;
  const { count, p99 } = step.latency_ms.all ?? { count: 0, p99: 0 };
  const reasons = [
    isIncomplete ? `${ended - step.complete} of ${ended} requests had no complete answer` : '',
    isSlow
      ? `the 99th percentile of ${count} answers was ${ms(p99)} ms, above ${ms(limitMs)} ms (3 times the first rate's plus 10)`
      : '',
  ];
  return `at ${rate(step.rate_per_s)}/s ${reasons.filter(Boolean).join(', and ')}`;
}

function sweepLines({ steps, knee }: Run): string[] {
  const isKnee = ({ rate_per_s }: Step) => knee.found === 'knee' && rate_per_s === knee.rate_per_s;
  const columns: readonly Column<Step>[] = [
    ['   rate/s', (step) => `${isKnee(step) ? '>' : ' '}  ${rate(step.rate_per_s).padStart(6)}`],
    ['complete/s', (step) => written(roundedRate(step.complete, step.seconds))],
    ...times<Step>(['p50', 'p90', 'p99', 'max'], ({ latency_ms }) => latency_ms.all),
    ['incompl.', (step) => String(step.incomplete + step.rejected)],
    ['errors', (step) => String(errorCount(step))],
  ];
  const about = 'latency from when it was due, ms; > marks the knee, ~ too few answers to say more';
  return [...wrapped(about), ...table(columns, steps, 9)];
}

function stepLines(step: Step, isSweep: boolean): string[] {
  const kinds = [
    ['all', step.latency_ms.all],
    ['first pages', step.latency_ms.search],
    ['further pages', step.latency_ms.page],
    ['records', step.latency_ms.record],
    ['all, from the real start', step.service_ms],
  ] as const;
  const outcome = [
    `${step.due} due`,
    `${step.complete} complete`,
    `${step.incomplete} incomplete`,
    `${step.rejected} rejected`,
    ...(step.interrupted > 0 ? [`${step.interrupted} interrupted`] : []),
    ...(step.gone > 0 ? [`${step.gone} ids gone`] : []),
    ...step.errors.map(({ error, count }) => `${count} ${errorText(error)}`),
  ];
  const columns: readonly Column<(typeof kinds)[number]>[] = [
    ['latency, ms', ([name]) => name],
    ['count', ([, distribution]) => String(distribution?.count ?? 0)],
    ...times<(typeof kinds)[number]>(
      ['p50', 'p90', 'p99', 'p999', 'max'],
      ([, distribution]) => distribution,
    ),
  ];
  return [
    ...wrapped(`${isSweep ? `at ${rate(step.rate_per_s)}/s: ` : ''}${outcome.join(', ')}`),
    ...wrapped(cacheText(step)),
    ...table(columns, kinds, 24),
  ];
}

function cacheText(step: Step): string {
  const share = cachedShare(step);
  if (share === null) return 'result cache: not reported by the service';
  return `result cache: ${percent(share)} of ${step.cache_reported} answers came from it`;
}

/** The result of a condition of `--fail-if`, with the figure nearest to meeting it. */
export function verdictText({ condition, is_met, value, rate_per_s, is_noise }: Verdict): string {
  const whole = condition.startsWith('knee') || value === null ? '' : ' over all rates';
  const at = rate_per_s === null ? whole : ` at ${rate(rate_per_s)}/s`;
  const isDifference = /[<>]=?[+-]/u.test(condition);
  const sign = isDifference && value !== null && value > 0 ? '+' : '';
  const unit = condition.endsWith('%') ? '%' : '';
  const figure =
    value === null ? 'no answer to measure it by' : `${sign}${Number(value.toPrecision(3))}${unit}`;
  const noise = is_noise ? ', within noise' : '';
  return `fail-if ${condition}: ${is_met ? 'MET' : 'not met'} (${figure}${at}${noise})`;
}

function baseLines(step: Step): string[] {
  if (step.bases.length === 0) return [];
  const columns: readonly Column<BaseStep>[] = [
    ['base, ms', ({ base }) => base],
    ...times<BaseStep>(['p50', 'p99', 'max'], ({ latency_ms }) => latency_ms),
    ['relev.', (base) => String(latencyOfOrder(base, 'relevancia')?.count ?? 0)],
    ['recent', (base) => String(latencyOfOrder(base, 'recentes')?.count ?? 0)],
    ['fell b.', ({ fallbacks }) => String(fallbacks)],
    ['late', ({ timed_out }) => String(timed_out)],
    ['failed', ({ failed }) => String(failed)],
    ['no c.', ({ no_count }) => String(no_count)],
    ['hits', (base) => shareOrDash(cachedShare(base))],
    ['slow', (base) => percent(slowestShare(base, step))],
  ];
  const share = step.slowest_base_percent;
  const lines = table(columns, step.bases, 8);
  if (share === null) return lines;
  return [
    ...lines,
    ...wrapped(
      `fell b.: by recency although relevance was requested; late, failed: no answer; no c.: first page without a count; hits: from the result cache; slow: how often the slowest. ` +
        `The slowest base took ${Math.round(share.p50)}% of a search’s time (median; mean ${Math.round(share.mean)}%).`,
    ),
  ];
}

function generatorLines({ machine, plan }: Run, { generator }: Step): string[] {
  const late = generator.lateness_ms;
  const threads = plan.threads === 1 ? '' : ` a thread, ${plan.threads} threads`;
  return [
    `generator: ${percent(generator.cpu_share)} of a core${threads} (at most ${percent(generator.cpu_share_max)}); late by ${ms(late?.p50 ?? 0)} ms (median), ${ms(late?.p99 ?? 0)} ms (p99)`,
    `${machine.cores} cores (${machine.processor}), ${machine.memory_gib} GiB, ${machine.system}, Bun ${machine.bun}`,
  ].flatMap(wrapped);
}

function errorText(error: string): string {
  const texts: Readonly<Record<string, string>> = {
    timeout: 'timed out',
    unsent: 'never sent (no free connection)',
    connect: 'not connected',
    closed: 'cut off',
    unframed: 'not readable as HTTP',
    not_a_search: 'not readable as a search',
    '429': 'status 429 (per-IP limit)',
  };
  return texts[error] ?? `status ${error}`;
}

function times<T>(
  names: readonly (PercentileName | 'max')[],
  of: (row: T) => Distribution | null,
): readonly Column<T>[] {
  return names.map((name) => [name === 'p999' ? 'p99.9' : name, (row) => msOf(of(row), name)]);
}

function msOf(distribution: Distribution | null, name: PercentileName | 'max'): string {
  if (distribution === null) return '-';
  return written(name === 'max' ? roundedTime(distribution.max) : roundedPercentile(distribution, name));
}

function written({ value, decimals, isOpen }: Rounded): string {
  return `${isOpen ? '~' : ''}${value.toFixed(decimals)}`;
}

function shareOrDash(share: number | null): string {
  return share === null ? '-' : percent(share);
}
