import { afterAll } from 'vitest';
import { readConfig, type Environment } from '../../src/config/config.ts';
import type { Shared } from '../../src/serving.ts';
import { Connection } from '../../src/replicas/connection.ts';
import { joinReplicas } from '../../src/replicas/join.ts';
import { capturedLog, type LogLine } from '../support/captured-log.ts';
import { temporaryFolder } from '../support/service.ts';
import { settingsOf, startNats, type NatsServers } from './nats-server.ts';

export interface Joined {
  readonly shared: Shared;
  readonly dataDir: string;
  readonly log: readonly LogLine[];
}

/** NATS servers of tests, and replicas' shared state over them; all end after the tests of the file. */
export function replicasOfTests() {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return {
    ends,
    servers: async (...wish: Parameters<typeof startNats>): Promise<NatsServers> => {
      const nats = await startNats(...wish);
      ends.push(() => nats.stop());
      return nats;
    },
    connect: async (nats: Pick<NatsServers, 'url'>): Promise<Connection> => {
      const connection = new Connection(settingsOf(nats.url.split(',')), () => undefined);
      ends.unshift(() => connection.close());
      await connection.ready;
      return connection;
    },
    /** A replica without its half that serves. */
    join: async (nats: Pick<NatsServers, 'url'>, more: Environment = {}): Promise<Joined> => {
      const { lines, log } = capturedLog('info');
      const config = readConfig({ DATA_DIR: temporaryFolder(), NATS_URL: nats.url, ...more });
      const shared = await joinReplicas(config, log);
      ends.unshift(() => shared.stop());
      shared.announce(() => ({ name: config.data_dir, address: 'http://a', state: 'serving', bases: {} }));
      return { shared, dataDir: config.data_dir, log: lines };
    },
  };
}

export type Health = Record<'quotas' | 'shared' | 'clock', Record<string, unknown>>;

export function healthOf({ shared }: Joined): Health {
  return shared.health() as Health;
}

/** Grants of so many charges, spread over the replicas. */
export async function grants(replicas: readonly Joined[], key: string, limit: number, charges: number) {
  const states = await Promise.all(
    Array.from({ length: charges }, async (_, at) =>
      replicas[at % replicas.length]!.shared.quota.charge(key, limit),
    ),
  );
  return states.filter(({ granted }) => granted).length;
}
