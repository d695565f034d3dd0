import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { systemClock } from '../engine/clock.ts';
import type { Step } from '../engine/steps.ts';
import type { Serving, Shared } from '../processes/serving.ts';
import { Caller } from './caller.ts';
import { Broker } from './connection.ts';
import { registerFrontMetrics } from './front-metrics.ts';
import { HedgeBudget } from './hedging.ts';
import { Nodes } from './nodes.ts';
import { nodesPart } from './nodes-part.ts';
import { RemoteBase } from './remote-base.ts';

/** Settings of a base that a front has for itself; the others are its nodes'. */
const OF_FRONTS: ReadonlySet<string> = new Set(['relevance_ms', 'recency_ms', 'count_ms', 'record_ms']);

/** What a front takes from its cluster: bases on nodes, found by their heartbeats. */
export function joinCluster(config: Config, log: Logger): Shared {
  const broker = new Broker(config);
  logConnection(broker, log);
  const hedges = new HedgeBudget();
  const nodes: Nodes = new Nodes({
    bus: broker,
    clock: systemClock,
    random: Math.random,
    onLost: (node, why) => {
      if (why === 'ejected') log.warn({ node }, 'node ejected for a while');
      caller.lose(node, why);
    },
    onChange: (node, isLive) => {
      if (isLive) log.info({ node }, 'node is there');
      else log.error({ node }, 'node is gone');
    },
  });
  const caller: Caller = new Caller({
    bus: broker,
    clock: systemClock,
    instance: randomUUID().slice(0, 8),
    onAnswers: (node, late) => {
      nodes.noteLate(node, late);
    },
    onStrange: (subject) => {
      log.error({ subject }, 'message of a node not understood');
    },
  });
  nodes.start();
  caller.start();
  const parts = { clock: systemClock, nodes, caller, hedges };
  return {
    basesElsewhere: (onStep: (step: Step) => void): ReadonlyMap<Base, AskedBase> =>
      new Map(BASES.map((base) => [base, new RemoteBase({ base, onStep, ...parts })])),
    change: changeWindows,
    adminParts: [nodesPart(nodes)],
    registerMetrics: registerFrontMetrics({ nodes, hedges, isConnected: () => broker.isConnected }),
    stop: async () => {
      nodes.close();
      await broker.close();
    },
  };
}

/** A front's own settings change here; those of nodes stay as they are. */
function changeWindows(here: Serving['change']): Serving['change'] {
  return (base, settings, key) => (OF_FRONTS.has(key) ? here(base, settings, key) : Promise.resolve(0));
}

/** Logs when the connection comes and goes. */
export function logConnection(broker: Broker, log: Logger): void {
  broker.onChange((isConnected) => {
    if (isConnected) log.info('connected to the broker');
    else log.error('connection to the broker lost');
  });
}
