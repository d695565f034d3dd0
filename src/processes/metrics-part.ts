import { Elysia } from 'elysia';
import type { AdminPart } from '../admin/app.ts';
import { PREFIX } from '../observe/tally-set.ts';
import type { Metrics } from '../observe/metrics/metrics.ts';
import type { Children } from './children.ts';
import type { Metric } from './messages.ts';
import { labelled, metricsOfEach, PARENT, summed, textOf, type OfProcess } from './metrics-sum.ts';

/**
 * `GET /metrics`: the service as a whole, by the names that one process has, and of each process a few under names of
 * their own. `GET /metrics/processes`: all that each of them counts.
 */
export function metricsPart(
  parent: Pick<Metrics, 'read'>,
  children: Pick<Children, 'metrics' | 'endedMetrics' | 'states'>,
): AdminPart {
  const readAll = async (): Promise<readonly OfProcess[]> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as prom-client has them
    const own = (await parent.read()) as unknown as Metric[];
    return [{ process: PARENT, metrics: own }, ...(await children.metrics())];
  };
  return new Elysia()
    .get('/metrics', async () => {
      const all = await readAll();
      const sum = await summed([...all.map(({ metrics }) => metrics), await children.endedMetrics()]);
      return answer([...sum, ...metricsOfEach(all), ...metricsOf(children.states())]);
    })
    .get('/metrics/processes', async () => answer(labelled(await readAll())));
}

async function answer(metrics: readonly Metric[]): Promise<Response> {
  const { text, contentType } = await textOf(metrics);
  return new Response(text, { headers: { 'content-type': contentType } });
}

function metricsOf(states: ReturnType<Children['states']>): Metric[] {
  const values = (of: (state: (typeof states)[number]) => number) =>
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
