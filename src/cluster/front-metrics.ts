import type { Shared } from '../processes/serving.ts';
import type { Registry } from './data/registry.ts';
import type { HedgeBudget } from './hedging.ts';
import type { Node, Nodes } from './nodes.ts';
import type { SharedQuota } from '../shared/quota.ts';

const PREFIX = 'jurisprudencia_';

interface Sources {
  readonly nodes: Nodes;
  readonly hedges: HedgeBudget;
  readonly isConnected: () => boolean;
  readonly quota: Pick<SharedQuota, 'fault' | 'owed'>;
  readonly clockSkewMs: () => number;
  readonly registry: Pick<Registry, 'manifests'>;
}

type Shown = readonly (readonly [labels: Record<string, string>, value: number])[];

/** Metrics that fronts alone have: the broker, and the nodes as the front sees them. */
export function registerFrontMetrics(sources: Sources): Shared['registerMetrics'] {
  const { nodes, hedges, isConnected } = sources;
  return ({ Gauge, Counter }, registry) => {
    const shown = (
      Kind: typeof Gauge | typeof Counter,
      name: string,
      help: string,
      labelNames: readonly string[],
      values: () => Shown,
    ) => {
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
    };
    shown(Gauge, 'broker_connected', 'Whether the front is connected to the broker: 1 or 0', [], () => [
      [{}, isConnected() ? 1 : 0],
    ]);
    shown(
      Counter,
      'hedges_total',
      'Requests to bases that were sent to a second node, because the first took long',
      [],
      () => [[{}, hedges.total]],
    );
    for (const one of ofSharedState(sources)) shown(Gauge, ...one);
    shown(
      Gauge,
      'node_up',
      'Whether the node is there: 1 or 0',
      ['node'],
      ofNodes(nodes, ({ isLive }) => (isLive ? 1 : 0)),
    );
    shown(
      Gauge,
      'node_waiting',
      'Requests of this front that the node has not answered',
      ['node'],
      ofNodes(nodes, ({ waiting }) => waiting),
    );
    shown(
      Counter,
      'node_ejections_total',
      'How often the front has left the node alone until its next heartbeat, because it lost requests or was late',
      ['node'],
      ofNodes(nodes, ({ ejections }) => ejections),
    );
    shown(Gauge, 'node_data_generation', 'Data generation of each base on each node', ['node', 'base'], () =>
      nodes.all.flatMap(({ name, bases }) =>
        [...bases].flatMap(([base, { status }]) =>
          status.generation === null ? [] : [[{ node: name, base }, status.generation] as const],
        ),
      ),
    );
  };
}

type GaugeOf = [name: string, help: string, labels: readonly string[], values: () => Shown];

/** Quotas and published files. */
function ofSharedState({ quota, clockSkewMs, registry }: Sources): GaugeOf[] {
  const owed = 'Charges granted by this front that are still to be counted';
  const counted = 'Whether charges are counted over all fronts: 1 or 0';
  const skew = 'How far the clock of this host is ahead of that of NATS, which quotas go by';
  const published = 'Data generation that was published of each base';
  const generations = () =>
    registry.manifests().map(({ base, generation }) => [{ base }, generation] as const);
  return [
    ['quota_counted', counted, [], () => [[{}, quota.fault === '' ? 1 : 0]]],
    ['quota_owed_charges', owed, [], () => [[{}, quota.owed]]],
    ['clock_skew_seconds', skew, [], () => [[{}, clockSkewMs() / 1_000]]],
    ['published_generation', published, ['base'], generations],
  ];
}

function ofNodes(nodes: Nodes, value: (node: Node) => number): () => Shown {
  return () => nodes.all.map((node) => [{ node: node.name }, value(node)]);
}
