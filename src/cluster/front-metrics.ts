import { addRead, lineOf, PREFIX, type AnyRegistry, type Line } from '../observe/tally-set.ts';
import type { SharedQuota } from '../shared/quota.ts';
import type { Registry } from './data/registry.ts';
import type { HedgeBudget } from './hedging.ts';
import type { Node, Nodes } from './nodes.ts';

interface Sources {
  readonly nodes: Nodes;
  readonly hedges: HedgeBudget;
  readonly isConnected: () => boolean;
  readonly quota: Pick<SharedQuota, 'fault' | 'owed'>;
  readonly clockSkewMs: () => number;
  readonly registry: Pick<Registry, 'manifests'>;
}

/** Adds the metrics that only fronts have: the broker, and the nodes as seen by this front. */
export function addFrontMetrics(
  { nodes, hedges, isConnected, quota, clockSkewMs, registry }: Sources,
  metrics: AnyRegistry,
): void {
  const add = (name: string, help: string, lines: () => readonly Line[]) => {
    addRead(metrics, PREFIX + name, help, lines);
  };
  const addOne = (name: string, help: string, read: () => number) => {
    add(name, help, () => lineOf({}, read()));
  };
  const addOfNodes = (name: string, help: string, read: (node: Node) => number) => {
    add(name, help, () => nodes.all.flatMap((node) => lineOf({ node: node.name }, read(node))));
  };
  addOne('broker_connected', 'Whether the front is connected to the broker: 1 or 0', () =>
    Number(isConnected()),
  );
  const hedged = 'Requests to bases that were sent to a second node, because the first took long';
  addOne('hedges_total', hedged, () => hedges.total);
  const counted = 'Whether charges are counted over all fronts: 1 or 0';
  addOne('quota_counted', counted, () => Number(quota.fault === ''));
  addOne(
    'quota_owed_charges',
    'Charges granted by this front that are still to be counted',
    () => quota.owed,
  );
  const skew = 'How far the clock of this host is ahead of that of NATS, which quotas go by';
  addOne('clock_skew_seconds', skew, () => clockSkewMs() / 1_000);
  add('published_generation', 'Data generation that was published of each base', () =>
    registry.manifests().flatMap(({ base, generation }) => lineOf({ base }, generation)),
  );
  addOfNodes('node_up', 'Whether the node is there: 1 or 0', ({ isLive }) => Number(isLive));
  addOfNodes('node_waiting', 'Requests of this front that the node has not answered', (node) => node.waiting);
  add('node_data_generation', 'Data generation of each base on each node', () =>
    nodes.all.flatMap(({ name, bases }) =>
      [...bases].flatMap(([base, { status }]) => lineOf({ node: name, base }, status.generation)),
    ),
  );
}
