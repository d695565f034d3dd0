import type { Shared } from '../processes/serving.ts';
import type { SharedQuota } from '../shared/quota.ts';
import type { Registry } from './data/registry.ts';
import type { HedgeBudget } from './hedging.ts';
import type { Node, Nodes } from './nodes.ts';

const PREFIX = 'jurisprudencia_';

interface Sources {
  readonly nodes: Nodes;
  readonly hedges: HedgeBudget;
  readonly isConnected: () => boolean;
  readonly quota: Pick<SharedQuota, 'fault' | 'owed'>;
  readonly clockSkewMs: () => number;
  readonly registry: Pick<Registry, 'manifests'>;
}

type Labels = Record<string, string>;
/** A name that ends with `_total` is a counter, any other a gauge. */
type Row = [
  name: string,
  help: string,
  labels: readonly string[],
  values: () => (readonly [Labels, number])[],
];

/** Metrics that only fronts have: the broker, and the nodes as seen by this front. */
export function registerFrontMetrics(sources: Sources): NonNullable<Shared['registerMetrics']> {
  return ({ Gauge, Counter }, registry) => {
    for (const [name, help, labelNames, values] of rowsOf(sources)) {
      const Kind = name.endsWith('_total') ? Counter : Gauge;
      const made = new Kind({
        name: `${PREFIX}${name}`,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect: () => {
          made.reset();
          for (const [labels, value] of values()) made.inc(labels, value);
        },
      });
    }
  };
}

function one(value: () => number): Row[3] {
  return () => [[{}, value()]];
}

function rowsOf({ nodes, hedges, isConnected, quota, clockSkewMs, registry }: Sources): Row[] {
  const ofNodes =
    (value: (node: Node) => number): Row[3] =>
    () =>
      nodes.all.map((node) => [{ node: node.name }, value(node)]);
  const generations = () =>
    nodes.all.flatMap(({ name, bases }) =>
      [...bases].flatMap(([base, { status }]) =>
        status.generation === null ? [] : [[{ node: name, base }, status.generation] as const],
      ),
    );
  const published = () => registry.manifests().map(({ base, generation }) => [{ base }, generation] as const);
  const hedged = 'Requests to bases that were sent to a second node, because the first took long';
  const skew = 'How far the clock of this host is ahead of that of NATS, which quotas go by';
  const counted = 'Whether charges are counted over all fronts: 1 or 0';
  const owed = 'Charges granted by this front that are still to be counted';
  const waiting = 'Requests of this front that the node has not answered';
  return [
    [
      'broker_connected',
      'Whether the front is connected to the broker: 1 or 0',
      [],
      one(() => Number(isConnected())),
    ],
    ['hedges_total', hedged, [], one(() => hedges.total)],
    ['quota_counted', counted, [], one(() => Number(quota.fault === ''))],
    ['quota_owed_charges', owed, [], one(() => quota.owed)],
    ['clock_skew_seconds', skew, [], one(() => clockSkewMs() / 1_000)],
    ['published_generation', 'Data generation that was published of each base', ['base'], published],
    ['node_up', 'Whether the node is there: 1 or 0', ['node'], ofNodes(({ isLive }) => Number(isLive))],
    ['node_waiting', waiting, ['node'], ofNodes((node) => node.waiting)],
    ['node_data_generation', 'Data generation of each base on each node', ['node', 'base'], generations],
  ];
}
