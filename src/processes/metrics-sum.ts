import type { Metric as PromMetric } from 'prom-client';
import { PREFIX } from '../observe/metrics/naming.ts';
import type { Metric } from './messages.ts';

type Value = Metric['values'][number];

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

/** Adds up the metrics of several processes; where adding makes no sense, a metric says what does. */
export class MetricsSum {
  readonly #metrics = new Map<string, { of: Metric; values: Map<string, Value> }>();

  add(metrics: readonly Metric[]): void {
    for (const metric of metrics) {
      const { values } = this.#of(metric);
      for (const value of metric.values) {
        const place = placeOf(value);
        const known = values.get(place);
        const total = known === undefined ? value.value : combined(metric, known.value, value.value);
        values.set(place, { ...value, value: total });
      }
    }
  }

  /** What only rises, of a process that has ended: without it the sum would fall, which Prometheus takes for a new start. */
  addEnded(metrics: readonly Metric[]): void {
    this.add(metrics.filter(({ type }) => type !== 'gauge'));
  }

  get metrics(): Metric[] {
    return [...this.#metrics.values()].map(({ of, values }) => withValues(of, of.name, [...values.values()]));
  }

  #of(metric: Metric) {
    let known = this.#metrics.get(metric.name);
    if (known === undefined) {
      known = { of: metric, values: new Map() };
      this.#metrics.set(metric.name, known);
    }
    return known;
  }
}

function placeOf({ metricName = '', labels }: Value): string {
  return `${metricName} ${JSON.stringify(labels)}`;
}

function combined({ aggregator }: Metric, one: number, other: number): number {
  if (aggregator === 'max') return Math.max(one, other);
  return aggregator === 'min' ? Math.min(one, other) : one + other;
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

function withValues(metric: Metric, name: string, values: Value[]): Metric {
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
