import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { systemClock } from '../clock.ts';
import type { Step } from '../engine/steps.ts';
import type { Shared } from '../processes/serving.ts';
import { Caller } from './caller.ts';
import { Broker } from './connection.ts';
import { consoleNodesPart, nodesPart } from './console-nodes.ts';
import { addFrontMetrics } from './front-metrics.ts';
import type { Registry } from './data/registry.ts';
import { HedgeBudget } from './hedging.ts';
import { Nodes } from './nodes.ts';
import { RemoteBase } from './remote-base.ts';
import { openSharedState } from './shared-state.ts';

/** Connects a front to the cluster: to the nodes' bases, found by heartbeats, and to the fronts' shared state. */
export async function joinCluster(config: Config, log: Logger): Promise<Shared> {
  const broker = new Broker(config);
  logConnection(broker, log);
  const hedges = new HedgeBudget();
  let registry: Registry | null = null;
  const nodes = new Nodes({
    bus: broker,
    clock: systemClock,
    random: Math.random,
    published: (base) => registry?.published(base) ?? null,
    onNewer: () => void registry?.look(),
    onChange: (node, now) => {
      if (now === 'live') log.info({ node }, 'node is there');
      else if (now === 'gone') log.error({ node }, 'node is gone');
      else log.warn({ node }, 'node does not answer');
    },
  });
  const caller = new Caller({
    bus: broker,
    clock: systemClock,
    instance: randomUUID().slice(0, 8),
    nodes,
    onStrange: (subject) => {
      log.error({ subject }, 'message of a node not understood');
    },
  });
  nodes.start();
  caller.start();
  const state = await openSharedState(config, broker, nodes, log);
  ({ registry } = state);
  const shown = (base: Base) => state.registry.shownGeneration(base) ?? 0;
  const parts = { clock: systemClock, nodes, caller, hedges, shown };
  const isConnected = () => broker.isConnected;
  return {
    ...state,
    basesElsewhere: (onStep: (step: Step) => void): ReadonlyMap<Base, AskedBase> =>
      new Map(BASES.map((base) => [base, new RemoteBase({ base, onStep, ...parts })])),
    adminParts: [nodesPart(nodes), consoleNodesPart({ ...parts, isConnected, log })],
    registerMetrics: (metrics) => {
      addFrontMetrics({ nodes, hedges, isConnected, ...state }, metrics);
    },
    stop: async () => {
      nodes.close();
      state.close();
      await broker.close();
    },
  };
}

export function logConnection(broker: Broker, log: Logger): void {
  broker.onChange((isConnected) => {
    if (isConnected) log.info('connected to the broker');
    else log.error('connection to the broker lost');
  });
  broker.onFault((reason) => {
    log.error({ reason }, 'refused by the broker, or not reached');
  });
}
