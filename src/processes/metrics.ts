import { Elysia } from 'elysia';
import type { Registry } from 'prom-client';
import type { AdminPart } from '../admin/app.ts';
import type { ProcessState } from '../admin/console/part.ts';
import { readAll, textOf, type Metrics } from '../observe/metrics/metrics.ts';
import { PREFIX, type ReadMetric } from '../observe/tally-set.ts';

/** Also reported per process, under a separate name: under the same name, a sum would count twice. */
const OF_EACH: ReadonlySet<string> = new Set([
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_open_fds',
  `${PREFIX}anonymous_memory_bytes`,
  `${PREFIX}heap_bytes`,
  `${PREFIX}event_loop_delay_seconds`,
]);
/** Also reported per serving process. */
const OF_EACH_CHILD: ReadonlySet<string> = new Set([
  `${PREFIX}http_requests_total`,
  `${PREFIX}searches_rejected_total`,
  `${PREFIX}base_up`,
]);
const PARENT = 'parent';

export interface OfProcess {
  readonly process: string;
  readonly metrics: readonly ReadMetric[];
}

interface Processes {
  metrics(): Promise<readonly OfProcess[]>;
  /** The counts of processes that ended. */
  endedMetrics(): Promise<readonly ReadMetric[]>;
  states(): readonly ProcessState[];
}

/** `/metrics`: the sum, and a few metrics of each process under other names. `/metrics/processes`: all metrics of each. */
export function metricsPart(parent: Pick<Metrics, 'read'>, children: Processes): AdminPart {
  const readEach = async (): Promise<readonly OfProcess[]> => {
    return [{ process: PARENT, metrics: await parent.read() }, ...(await children.metrics())];
  };
  return new Elysia()
    .get('/metrics', async () => {
      const all = await readEach();
      const ended = await children.endedMetrics();
      const ofEach = [...all.map(renamedOf), metricsOf(children.states())];
      return textOf(await sumOf([...all.map(({ metrics }) => metrics), ended, ...ofEach]));
    })
    .get('/metrics/processes', async () => textOf(await sumOf((await readEach()).map(labelled))));
}

/** Adds up the metrics of several processes, or merges them by a metric's `aggregator`. */
export async function summed(processes: readonly (readonly ReadMetric[])[]): Promise<ReadMetric[]> {
  return readAll(await sumOf(processes));
}

async function sumOf(processes: readonly (readonly ReadMetric[])[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client');
  const all = processes.map((metrics) => metrics.map((metric) => ({ aggregator: 'sum', ...metric })));
  return AggregatorRegistry.aggregate(all);
}

/** The counters and histograms of an ended process: without them the sum would fall, which Prometheus takes for a restart. */
export function risingOf(metrics: readonly ReadMetric[]): ReadMetric[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** The metrics of a process with the label `process`. */
function labelled({ process, metrics }: OfProcess): ReadMetric[] {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
  }));
}

/** The few metrics that are useful per process, under separate names. */
function renamedOf({ process, metrics }: OfProcess): ReadMetric[] {
  const isChosen = ({ name }: ReadMetric) =>
    OF_EACH.has(name) || (process !== PARENT && OF_EACH_CHILD.has(name));
  return labelled({ process, metrics: metrics.filter(isChosen) }).map(renamed);
}

function renamed({ name, help, values, ...metric }: ReadMetric): ReadMetric {
  return {
    ...metric,
    name: rename(name),
    help: `${help}; of one process`,
    values: values.map((value) =>
      value.metricName === undefined ? value : { ...value, metricName: rename(value.metricName) },
    ),
  };
}

function rename(name: string): string {
  return `${PREFIX}process_${name.replace(/^(?:process_|jurisprudencia_)/u, '')}`;
}

function metricsOf(states: readonly ProcessState[]): ReadMetric[] {
  const values = (of: (state: ProcessState) => number) =>
    states.map((state) => ({ labels: { process: String(state.process) }, value: of(state) }));
  return [
    {
      name: `${PREFIX}process_up`,
      help: 'Whether the process serves: 1 or 0',
      type: 'gauge',
      values: values(({ state }) => (state === 'serving' ? 1 : 0)),
    },
    {
      name: `${PREFIX}process_restarts_total`,
      help: 'How often the process was started anew',
      type: 'counter',
      values: values(({ restarts }) => restarts),
    },
  ];
}
