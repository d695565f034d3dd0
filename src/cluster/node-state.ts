import type { Logger } from 'pino';
import { NODE_STATE_MS_MAX } from '../config/limits.ts';
import type { Config } from '../config/config.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { forEachOf } from '../contract/records.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { systemClock } from '../engine/clock.ts';
import { within } from '../engine/within.ts';
import { openBucket } from './buckets.ts';
import type { Broker } from './connection.ts';
import { followPublished } from './data/node-data.ts';
import { DATA_BUCKET } from './data/registry.ts';
import { Nodes } from './nodes.ts';
import { SETTINGS_BUCKET, SharedSettings, followOnNode } from './settings.ts';
import { TakenSettings } from './taken-settings.ts';

type Bases = ReadonlyMap<
  Base,
  Pick<AskedBase, 'ask' | 'status' | 'changeThreads' | 'changeQueueMax' | 'changeResultCacheMb'>
>;

/** What a node has in common with the rest of its cluster: settings of bases, and their files. */
export interface NodeState {
  /** To start with: the cluster's over its own. */
  readonly settings: Pick<Config, 'bases' | 'expensive_at_once'>;
  /** What became of those of the cluster since. */
  readonly taken: TakenSettings;
  /** Live nodes, this one among them. */
  readonly nodeCount: () => number;
  /** @param onTaken called when a base answers from a new file, and when settings of the cluster were dealt with. */
  follow(
    bases: Bases,
    changeExpensive: (setting: number) => void,
    onTaken: () => void,
  ): { close(): Promise<void> };
  close(): void;
}

/** Opens it: from the broker, or where that does not answer soon, from the copies on disk. */
export async function openNodeState(config: Config, broker: Broker, log: Logger): Promise<NodeState> {
  const open = (name: string) => openBucket(broker, name, config.data_dir, log, false);
  const [settingsBucket, dataBucket] = [open(SETTINGS_BUCKET), open(DATA_BUCKET)];
  const settings = new SharedSettings(settingsBucket);
  const taken = new TakenSettings();
  const nodes = new Nodes({
    bus: broker,
    clock: systemClock,
    random: Math.random,
  });
  nodes.start();
  const replicas = (base: Base) => nodes.liveOf(base).length;
  await within(NODE_STATE_MS_MAX, settingsBucket.firstRead);
  const atStart = forEachOf(BASES, (base) => settings.over(base, config.bases[base]));
  const expensive_at_once = settings.expensiveAtOnce(config.expensive_at_once);
  return {
    settings: { bases: atStart, expensive_at_once },
    taken,
    nodeCount: () => nodes.liveCount,
    follow: (bases, changeExpensive, onTaken) => {
      followOnNode(settings, bases, atStart, { taken, changeExpensive, onTaken, log });
      return followPublished({ config, bucket: dataBucket, bases, replicas, onTaken, log });
    },
    close: () => {
      nodes.close();
      for (const bucket of [settingsBucket, dataBucket]) bucket.close();
    },
  };
}
