import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { systemClock, within } from '../clock.ts';
import type { ReadRequest } from '../engine/messages.ts';
import { probe } from '../engine/requests.ts';
import { openBucket } from './bucket.ts';
import type { Broker } from './connection.ts';
import { DATA_BUCKET, Registry } from './data/registry.ts';
import { Replica } from './data/replica.ts';
import { HttpSource } from './data/source.ts';
import { Nodes } from './nodes.ts';
import { SETTINGS_BUCKET, TakenSettings, followOnNode, settingsOver } from './settings.ts';
import { PROBE_MS_MAX } from '../engine/base-watch.ts';

/** Longest wait of a node's start for the settings of its cluster. A new cluster has none until a front starts. */
const NODE_STATE_MS_MAX = 500;

type Bases = ReadonlyMap<
  Base,
  Pick<AskedBase, 'ask' | 'status' | 'changeThreads' | 'changeQueueMax' | 'changeResultCacheMb'>
>;

/** A node's settings and base files: from the broker, or if that does not reply soon, from the copies on disk. */
export async function openNodeState(config: Config, broker: Broker, log: Logger) {
  const open = (name: string) => openBucket(broker, name, config.data_dir, log, false);
  const [settingsBucket, dataBucket] = [open(SETTINGS_BUCKET), open(DATA_BUCKET)];
  const taken = new TakenSettings();
  const nodes = new Nodes({ bus: broker, clock: systemClock, random: Math.random });
  nodes.start();
  await within(NODE_STATE_MS_MAX, settingsBucket.firstRead);
  const settings = settingsOver(settingsBucket, config);
  return {
    /** Initial settings. */
    settings,
    /** Results of applying later settings. */
    taken,
    /** Live nodes, including this one. */
    nodeCount: () => nodes.liveCount,
    /**
     * Applies settings and publications to the bases. @param onTaken called when a base answers from a new file, and when
     * settings were handled. @throws system errors if a certificate cannot be read.
     */
    follow: (bases: Bases, changeExpensive: (setting: number) => void, onTaken: () => void) => {
      followOnNode(settingsBucket, bases, settings.bases, { taken, changeExpensive, onTaken, log });
      const registry = new Registry({
        bucket: dataBucket,
        clock: systemClock,
        node: config.node_name,
        replicas: (base) => nodes.liveOf(base).length,
      });
      return followPublished(config, registry, bases, onTaken, log);
    },
    close: () => {
      nodes.close();
      for (const bucket of [settingsBucket, dataBucket]) bucket.close();
    },
  };
}

function followPublished(
  { nats_ca: ca, nats_cert: cert, nats_key: key, data_dir: dataDir }: Config,
  registry: Registry,
  bases: Bases,
  onTaken: () => void,
  log: Logger,
): { close(): Promise<void> } {
  const source = new HttpSource({ ca, cert, key });
  const all = [...bases].map(
    ([base, actor]) =>
      new Replica({
        base,
        dataDir,
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
  return {
    close: async () => {
      await Promise.all(all.map((replica) => replica.close()));
    },
  };
}
