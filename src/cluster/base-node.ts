import { ExpensiveWork, expensiveAtOnce } from '../engine/expensive-work.ts';
import { dataFiles } from '../index/format/schema.ts';
import type { Logger } from 'pino';
import { createAdminApp } from '../admin/app.ts';
import { healthPart } from '../admin/health.ts';
import type { Config } from '../config/config.ts';
import { BASES, isOneOf, type Base } from '../contract/vocabulary.ts';
import type { BaseActor } from '../engine/base-actor.ts';
import { systemClock, within } from '../clock.ts';
import type { Step } from '../engine/steps.ts';
import { Metrics } from '../observe/metrics/metrics.ts';
import { authority, listenPlainly, reachable } from '../process/listen.ts';
import { Broker } from './connection.ts';
import { logConnection } from './front.ts';
import { linkBase } from './data/base-link.ts';
import { NodeListener } from './node-listener.ts';
import { openNodeState } from './node-state.ts';

/** A stopping node still serves for this long, until fronts know of it; and the interval at which it checks for open requests. */
const NODE_NEWS_MS = 100;
const NODE_DRAIN_POLL_MS = 10;

/** A process that serves bases to fronts, and health and metrics to its operator. */
export interface BaseNode {
  readonly adminUrl: string;
  readonly bases: readonly Base[];
  stop(): Promise<void>;
}

export type CreateBase = (
  base: Base,
  config: Config,
  parts: {
    readonly log: Logger;
    readonly onStep: (step: Step) => void;
    readonly expensive: ExpensiveWork;
  },
) => BaseActor;

/** The bases that a node serves: those named, or all. */
export function basesOf({ bases_served }: Pick<Config, 'bases_served'>): readonly Base[] {
  return bases_served.length === 0 ? BASES : BASES.filter((base) => isOneOf(bases_served, base));
}

/** Starts a node. @throws PlainError if it cannot listen, or a credential file of the broker is unreadable. */
export async function startBaseNode(start: Config, log: Logger, createBase: CreateBase): Promise<BaseNode> {
  const served = basesOf(start);
  await linkBases(start.data_dir, served, log);
  const broker = new Broker(start);
  logConnection(broker, log);
  const state = await openNodeState(start, broker, log);
  const config = { ...start, ...state.settings };
  const metrics = new Metrics(systemClock);
  const onStep = (step: Step) => {
    metrics.tallies.step(step);
  };
  const expensive = new ExpensiveWork(systemClock, expensiveAtOnce(config.expensive_at_once));
  const bases = new Map(served.map((base) => [base, createBase(base, config, { log, onStep, expensive })]));
  const listener = new NodeListener({
    bus: broker,
    clock: systemClock,
    bases,
    settings: state.taken,
    nodeCount: state.nodeCount,
    onFault: (event, detail) => {
      log.error(detail, event);
    },
  });
  let isStopping = false;
  metrics.registerStates({
    bases: () => Object.fromEntries([...bases].map(([base, actor]) => [base, actor.status()])),
    coverage: () => ({ bases: [], tipos_aceitos: [], tribunais: [] }),
    ...dataFiles(config.data_dir),
  });
  const admin = createAdminApp({
    host: config.admin_host,
    token: config.admin_token,
    parts: [healthPart({ bases, isStopping: () => isStopping }), metrics.part()],
    log,
  });
  const { admin_host: host, admin_port: port } = config;
  listenPlainly(() => admin.listen({ hostname: host, port }), {
    host,
    port,
    hostEnv: 'ADMIN_HOST',
    portEnv: 'ADMIN_PORT',
    freePort: 8081,
  });
  for (const [base, actor] of bases) void actor.open(config.bases[base].record_ms);
  listener.start();
  const changeExpensive = (setting: number) => {
    expensive.atOnce = expensiveAtOnce(setting);
  };
  const following = state.follow(bases, changeExpensive, listener.report);
  return {
    adminUrl: `http://${authority(reachable(host), admin.server?.port ?? port)}`,
    bases: served,
    stop: async () => {
      isStopping = true;
      listener.stop();
      // Fetching a file may take minutes; the next start removes an incomplete one.
      await Promise.all([
        drained(listener, config.shutdown_ms),
        within(config.shutdown_ms, following.close()),
      ]);
      listener.close();
      state.close();
      await broker.close();
      await admin.server?.stop(true);
      metrics.close();
      await Promise.all([...bases.values()].map((actor) => actor.close()));
    },
  };
}

/** Makes the path of each base a link to a complete file, before anything opens it. @throws system errors. */
async function linkBases(dataDir: string, bases: readonly Base[], log: Logger): Promise<void> {
  for (const base of bases) {
    const message = await linkBase(dataDir, base);
    if (message !== null) log.error({ base }, message);
  }
}

/** Waits until fronts know that the node stops, and until all requests are answered. */
async function drained(listener: NodeListener, msMax: number): Promise<void> {
  const until = systemClock.now() + msMax;
  await Bun.sleep(Math.min(NODE_NEWS_MS, msMax));
  while (listener.isBusy && systemClock.now() < until) await Bun.sleep(NODE_DRAIN_POLL_MS);
}
