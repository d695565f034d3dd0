import { ExpensiveWork, expensiveAtOnce } from '../engine/expensive-work.ts';
import { dataFiles } from '../index/format/schema.ts';
import type { Logger } from 'pino';
import { createAdminApp } from '../admin/app.ts';
import { healthPart } from '../admin/health.ts';
import type { Config } from '../config/config.ts';
import { BASES, isOneOf, type Base } from '../contract/vocabulary.ts';
import type { BaseActor } from '../engine/base-actor.ts';
import { PROBE_MS_MAX } from '../engine/base-watch.ts';
import { systemClock, within } from '../clock.ts';
import type { ReadRequest } from '../engine/messages.ts';
import { probe } from '../engine/requests.ts';
import type { Step } from '../engine/steps.ts';
import { Metrics } from '../observe/metrics/metrics.ts';
import { authority, listenPlainly, reachable } from '../process/listen.ts';
import { openBucket } from './bucket.ts';
import { Broker } from './connection.ts';
import { logConnection } from './front.ts';
import { linkBase } from './data/base-link.ts';
import { DATA_BUCKET, Registry } from './data/registry.ts';
import { Replica } from './data/replica.ts';
import { HttpSource } from './data/source.ts';
import { NodeListener } from './node-listener.ts';
import { Nodes } from './nodes.ts';
import { SETTINGS_BUCKET, TakenSettings, followOnNode, settingsOver } from './settings.ts';

/** Longest wait of a node's start for the settings of its cluster. A new cluster has none until a front starts. */
const NODE_STATE_MS_MAX = 500;
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
  const open = (name: string) => openBucket(broker, name, start.data_dir, log, false);
  const [settings, data] = [open(SETTINGS_BUCKET), open(DATA_BUCKET)];
  const nodes = new Nodes({ bus: broker, clock: systemClock, random: Math.random });
  nodes.start();
  // If the broker does not reply soon, the copy on disk counts.
  await within(NODE_STATE_MS_MAX, settings.firstRead);
  const config = { ...start, ...settingsOver(settings, start) };
  const metrics = new Metrics(systemClock);
  const onStep = (step: Step) => {
    metrics.tallies.step(step);
  };
  const expensive = new ExpensiveWork(systemClock, expensiveAtOnce(config.expensive_at_once));
  const bases = new Map(served.map((base) => [base, createBase(base, config, { log, onStep, expensive })]));
  const taken = new TakenSettings();
  const listener = new NodeListener({
    bus: broker,
    clock: systemClock,
    bases,
    settings: taken,
    nodeCount: () => nodes.liveCount,
    onFault: (event, detail) => {
      log.error(detail, event);
    },
  });
  let isStopping = false;
  const admin = openAdmin(config, bases, metrics, () => isStopping, log);
  for (const [base, actor] of bases) void actor.open(config.bases[base].record_ms);
  listener.start();
  const changeExpensive = (setting: number) => {
    expensive.atOnce = expensiveAtOnce(setting);
  };
  followOnNode(settings, bases, config.bases, { taken, changeExpensive, onTaken: listener.report, log });
  const replicas = (base: Base) => nodes.liveOf(base).length;
  const registry = new Registry({ bucket: data, clock: systemClock, node: config.node_name, replicas });
  const followers = followPublished(config, registry, bases, listener.report, log);
  return {
    adminUrl: admin.url,
    bases: served,
    stop: async () => {
      isStopping = true;
      listener.stop();
      // Fetching a file may take minutes; the next start removes an incomplete one.
      const closing = Promise.all(followers.map((replica) => replica.close()));
      await Promise.all([drained(listener, config.shutdown_ms), within(config.shutdown_ms, closing)]);
      listener.close();
      nodes.close();
      for (const bucket of [settings, data]) bucket.close();
      await broker.close();
      await admin.stop();
      metrics.close();
      await Promise.all([...bases.values()].map((actor) => actor.close()));
    },
  };
}

/** Health and metrics. @throws PlainError if it cannot listen. */
function openAdmin(
  config: Config,
  bases: ReadonlyMap<Base, BaseActor>,
  metrics: Metrics,
  isStopping: () => boolean,
  log: Logger,
) {
  metrics.registerStates({
    bases: () => Object.fromEntries([...bases].map(([base, actor]) => [base, actor.status()])),
    coverage: () => ({ bases: [], tipos_aceitos: [], tribunais: [] }),
    ...dataFiles(config.data_dir),
  });
  const { admin_host: host, admin_port: port, admin_token: token } = config;
  const parts = [healthPart({ bases, isStopping }), metrics.part()];
  const admin = createAdminApp({ host, token, parts, log });
  listenPlainly(() => admin.listen({ hostname: host, port }), {
    host,
    port,
    hostEnv: 'ADMIN_HOST',
    portEnv: 'ADMIN_PORT',
    freePort: 8081,
  });
  return {
    url: `http://${authority(reachable(host), admin.server?.port ?? port)}`,
    stop: async () => admin.server?.stop(true),
  };
}

/** Serves what is published of each base. @throws system errors if a certificate cannot be read. */
function followPublished(
  config: Config,
  registry: Registry,
  bases: ReadonlyMap<Base, BaseActor>,
  onTaken: () => void,
  log: Logger,
): readonly Replica[] {
  const source = new HttpSource(config);
  const all = [...bases].map(
    ([base, actor]) =>
      new Replica({
        base,
        dataDir: config.data_dir,
        clock: systemClock,
        source,
        rollOut: registry,
        served: async () => {
          const outcome = await actor.ask<ReadRequest>(probe(), PROBE_MS_MAX);
          return outcome.ok ? outcome.value.generation : null;
        },
        isDown: () => actor.status().state === 'down',
        onTaken,
        log: (level, event, detail) => {
          log[level](detail, event);
        },
      }),
  );
  const offer = () => {
    for (const manifest of registry.manifests()) for (const replica of all) replica.offer(manifest);
  };
  offer();
  registry.onChange(offer);
  return all;
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
