import { addRead, lineOf, PREFIX, type Registry } from '../observe/tally-set.ts';
import type { SharedQuota } from './shared-quota.ts';
import type { Bucket } from './bucket.ts';
import type { Connection } from './connection.ts';
import type { LiveReplicas } from './live.ts';

interface Sources {
  readonly connection: Pick<Connection, 'isConnected'>;
  readonly bucket: Pick<Bucket, 'lost' | 'fault'>;
  readonly quota: Pick<SharedQuota, 'fault' | 'owed'>;
  readonly live: Pick<LiveReplicas, 'others' | 'skewMs'>;
}

/** Adds the metrics of what replicas have in common. */
export function addMetrics({ connection, bucket, quota, live }: Sources, registry: Registry): void {
  const add = (name: string, help: string, read: () => number) => {
    addRead(registry, PREFIX + name, help, () => lineOf({}, read()));
  };
  add('nats_connected', 'Whether the replica is connected to NATS: 1 or 0', () =>
    Number(connection.isConnected),
  );
  add('live_replicas', 'Live replicas as this one sees them, itself included', () => 1 + live.others.length);
  add('quota_counted', 'Whether charges are counted over all replicas: 1 or 0', () =>
    Number(quota.fault === ''),
  );
  add('quota_owed_charges', 'Charges granted here that are still to be counted', () => quota.owed);
  add('shared_values_lost', 'Keys, settings and secrets that NATS has lost', () => bucket.lost.length);
  const skew = 'How far the clock of this host is ahead of that of NATS, which quotas go by';
  add('clock_skew_seconds', skew, () => live.skewMs / 1_000);
}
