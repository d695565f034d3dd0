import { Elysia } from 'elysia';
import type { Registry } from 'prom-client';
import type { AdminPart } from '../admin/app.ts';
import type { ProcessState } from '../admin/console/part.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';
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
const PARENT = 'parent';

export interface OfProcess {
  readonly process: string;
  readonly metrics: readonly Metric[];
}

interface Processes {
  metrics(): Promise<readonly OfProcess[]>;
  /** What processes that have ended had counted. */
  endedMetrics(): Promise<readonly Metric[]>;
  states(): readonly ProcessState[];
}

/**
 * `GET /metrics`: the service as a whole, by the names that one process has, and of each process a few under names of
 * their own. `GET /metrics/processes`: all that each of them counts.
 */
export function metricsPart(parent: Pick<Metrics, 'read'>, children: Processes): AdminPart {
  const readAll = async (): Promise<readonly OfProcess[]> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as prom-client has them
    const own = (await parent.read()) as unknown as Metric[];
    return [{ process: PARENT, metrics: own }, ...(await children.metrics())];
  };
  return new Elysia()
    .get('/metrics', async () => {
      const all = await readAll();
      const ended = await children.endedMetrics();
      const ofEach = [...all.map(renamedOf), metricsOf(children.states())];
      return answer([...all.map(({ metrics }) => metrics), ended, ...ofEach]);
    })
    .get('/metrics/processes', async () => answer((await readAll()).map(labelled)));
}

async function answer(processes: readonly (readonly Metric[])[]): Promise<Response> {
  const registry = await sumOf(processes);
  return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
}

/** Adds up the metrics of several processes; where adding makes no sense, a metric names what does. */
export async function summed(processes: readonly (readonly Metric[])[]): Promise<Metric[]> {
  const registry = await sumOf(processes);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as they came
  return (await registry.getMetricsAsJSON()) as unknown as Metric[];
}

async function sumOf(processes: readonly (readonly Metric[])[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client');
  const all = processes.map((metrics) => metrics.map((metric) => ({ aggregator: 'sum', ...metric })));
  return AggregatorRegistry.aggregate(all);
}

/** What only rises, of a process that has ended: without it the sum would fall, which Prometheus takes for a new start. */
export function risingOf(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** The metrics of a process with the label `process`. */
function labelled({ process, metrics }: OfProcess): Metric[] {
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } })),
  }));
}

/** The few metrics that are worth a look at each process, under names of their own. */
function renamedOf({ process, metrics }: OfProcess): Metric[] {
  const isChosen = ({ name }: Metric) => OF_EACH.has(name) || (process !== PARENT && OF_EACH_CHILD.has(name));
  return labelled({ process, metrics: metrics.filter(isChosen) }).map(renamed);
}

function renamed({ name, help, values, ...metric }: Metric): Metric {
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

function metricsOf(states: readonly ProcessState[]): Metric[] {
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
