import type { Logger } from 'pino';
import { PROBE_MS_MAX } from '../../config/limits.ts';
import type { Config } from '../../config/config.ts';
import type { Base } from '../../contract/vocabulary.ts';
import type { AskedBase } from '../../engine/base-actor.ts';
import { systemClock } from '../../engine/clock.ts';
import type { ReadRequest } from '../../engine/messages.ts';
import { probe } from '../../engine/requests.ts';
import type { Bucket } from '../bucket.ts';
import { linkBase } from './base-link.ts';
import { Registry } from './registry.ts';
import { Replica } from './replica.ts';
import { HttpSource } from './source.ts';

/** Before a node's bases are opened: has each base's path link to a whole file. @throws system errors. */
export async function linkBases(
  dataDir: string,
  bases: readonly Base[],
  log: Pick<Logger, 'error'>,
): Promise<void> {
  for (const base of bases) {
    const message = await linkBase(dataDir, base);
    if (message !== null) log.error({ base }, message);
  }
}

export interface NodeDataOptions {
  readonly config: Config;
  readonly bucket: Bucket;
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'ask' | 'status'>>;
  /** How many nodes serve a base now. */
  readonly replicas: (base: Base) => number;
  /** Called when a base answers from a new file. */
  readonly onTaken: () => void;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Has the bases of a node follow what is published. @throws system errors if a certificate cannot be read. */
export function followPublished(options: NodeDataOptions): { close(): Promise<void> } {
  const { config, bucket, bases, replicas, onTaken, log } = options;
  const { nats_ca: ca, nats_cert: cert, nats_key: key, data_dir: dataDir } = config;
  const source = new HttpSource({ ca, cert, key });
  const registry = new Registry({ bucket, clock: systemClock, node: config.node_name, replicas });
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
