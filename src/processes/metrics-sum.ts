import type { Metric as PromMetric } from 'prom-client';
import { PREFIX } from '../observe/tally-set.ts';
import type { Metric } from './messages.ts';

/** Of each process by itself, under a name of its own: where one name had both, a sum over it would count twice. */
const OF_EACH: ReadonlySet<string> = new Set([
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  `${PREFIX}anonymous_memory_bytes`,
  `${PREFIX}heap_bytes`,
  `${PREFIX}event_loop_delay_seconds`,
]);
/** And of each that serves. */
const OF_EACH_CHILD: ReadonlySet<string> = new Set([
  `${PREFIX}http_requests_total`,
  `${PREFIX}searches_rejected_total`,
  `${PREFIX}base_up`,
]);
export const PARENT = 'parent';

/** What one process tells, by the name that it goes by. */
export interface OfProcess {
  readonly process: string;
  readonly metrics: readonly Metric[];
}

/** Adds up the metrics of several processes; where adding makes no sense, a metric names what does. */
export async function summed(processes: readonly (readonly Metric[])[]): Promise<Metric[]> {
  const { AggregatorRegistry } = await import('prom-client');
  const all = processes.map((metrics) => metrics.map((metric) => ({ aggregator: 'sum', ...metric })));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as they came
  return (await AggregatorRegistry.aggregate(all).getMetricsAsJSON()) as unknown as Metric[];
}

/** What only rises, of a process that has ended: without it the sum would fall, which Prometheus takes for a new start. */
export function risingOf(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** The few metrics that are worth a look at each process, under names of their own. */
export function metricsOfEach(processes: readonly OfProcess[]): Metric[] {
  const chosen = processes.map(({ process, metrics }) => ({
    process,
    metrics: metrics.filter(
      ({ name }) => OF_EACH.has(name) || (process !== PARENT && OF_EACH_CHILD.has(name)),
    ),
  }));
  return labelled(chosen).map((metric) => {
    const name = renamed(metric.name);
    const values = metric.values.map((value) =>
      value.metricName === undefined ? value : { ...value, metricName: renamed(value.metricName) },
    );
    return withValues({ ...metric, help: `${metric.help}; of one process` }, name, values);
  });
}

function withValues(metric: Metric, name: string, values: Metric['values']): Metric {
  return { ...metric, name, values };
}

function renamed(name: string): string {
  return `${PREFIX}process_${name.replace(/^(?:process_|jurisprudencia_)/u, '')}`;
}

/** Metrics of several processes side by side, distinguished by the label `process`. */
export function labelled(processes: readonly OfProcess[]): Metric[] {
  const all = new Map<string, Metric>();
  for (const { process, metrics } of processes) {
    for (const metric of metrics) {
      const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }));
      const known = all.get(metric.name);
      all.set(metric.name, { ...metric, values: [...(known?.values ?? []), ...values] });
    }
  }
  return [...all.values()];
}

/** Prometheus's text of metrics. */
export async function textOf(metrics: readonly Metric[]): Promise<{ text: string; contentType: string }> {
  const { Registry } = await import('prom-client');
  const registry = new Registry();
  for (const metric of metrics) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a registry reads name, help, type and `get` only
    registry.registerMetric({ ...metric, get: () => metric } as unknown as PromMetric);
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}
