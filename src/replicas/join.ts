import type { Logger } from 'pino';
import { TIMED_OUT, systemClock, within } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { KeyRing } from '../keys/ring.ts';
import { explain } from '../process/fail.ts';
import type { Replica } from '../admin/console/live-routes.ts';
import type { Shared } from '../serving.ts';
import { cursorSecret } from '../start/secret.ts';
import { Bucket, copyFile } from './bucket.ts';
import { Connection } from './connection.ts';
import { StreamCounters } from './counters.ts';
import { BucketKeyStore, KEYS } from './keys.ts';
import { SharedQuota } from './shared-quota.ts';
import { CLOCK_SKEW_MS_MAX, LiveReplicas } from './live.ts';
import { addMetrics } from './metrics.ts';
import { offerSecret, secretsOver } from './secrets.ts';
import { settingsOver } from './settings.ts';

const STARTING: Replica = { name: '', address: '', state: 'starting', bases: {} };
/** Longest wait of a start for NATS; then it starts from the copy on its disk. */
const JOIN_MS_MAX = 5_000;

/** Quotas, keys, settings and secrets of cursors in common with the other replicas, over NATS. @throws PlainError */
export async function joinReplicas(config: Config, log: Logger): Promise<Shared> {
  const clock = systemClock;
  const connection = new Connection(config, (reason) => {
    log.error({ reason }, 'NATS refuses, or is not reached');
  });
  connection.onChange((isConnected) => {
    if (isConnected) log.info('connected to NATS');
    else log.error('connection to NATS lost');
  });
  const bucket = new Bucket({ connection, clock, file: copyFile(config.data_dir), makes: true, log });
  const counters = new StreamCounters(connection);
  let describe: (() => Replica) | null = null;
  const live = new LiveReplicas({
    connection,
    clock,
    describe: () => ({ ...(describe?.() ?? STARTING), counts: quota.counts }),
    onSkew: skewLog(log),
  });
  const quota = new SharedQuota({
    clock: live.clock,
    counters,
    peers: () => live.peers,
    silent: () => live.silent,
    onBreak: (isBroken, reason) => {
      if (isBroken) log.error({ reason }, 'quotas are not counted: each replica grants its part');
      else log.info('quotas are counted again');
    },
  });
  const keyStore = new BucketKeyStore(bucket);
  const secret = cursorSecret(config.data_dir);
  // What NATS has lost is put back by hand alone: a replica that has a copy does not offer its own secret.
  const isNew = bucket.entries.size === 0;
  const read = async () => {
    await bucket.firstRead;
    await Promise.all([counters.make(), live.renew(), isNew && offerSecret(bucket, secret)]);
  };
  // Beyond that time it goes on: a new replica then offers its secret when NATS is there.
  const reading = read().catch((error: unknown) => {
    log.error({ reason: explain(error) }, 'the secret of cursors is not shared');
  });
  if ((await within(JOIN_MS_MAX, reading)) === TIMED_OUT)
    log.error('NATS does not answer: keys, secrets and settings are those on the disk');
  await quota.check();
  return {
    quota,
    keys: new KeyRing({ values: bucket.under(KEYS), read: () => keyStore.list(), clock, log }),
    keyStore,
    secrets: secretsOver(bucket, secret),
    settings: settingsOver(bucket, log),
    replicas: () => live.others,
    health: () => healthOf(bucket, quota, live.skewMs),
    registerMetrics: (registry) => {
      addMetrics({ connection, bucket, quota, live }, registry);
    },
    announce: (replica) => {
      describe = replica;
      void live.renew();
    },
    stop: async () => {
      quota.close();
      bucket.close();
      await live.close();
      await connection.close();
    },
  };
}

function healthOf(bucket: Bucket, { fault }: SharedQuota, skewMs: number) {
  const isSkewed = Math.abs(skewMs) > CLOCK_SKEW_MS_MAX;
  return {
    quotas: { counted: fault === '', reason: fault || null },
    shared: { lost: bucket.lost.length, reason: bucket.fault || null },
    clock: {
      skew_seconds: Math.round(skewMs / 1_000),
      reason: isSkewed
        ? 'the clock of this host differs from that of NATS, which quotas go by; set it'
        : null,
    },
  };
}

function skewLog(log: Logger) {
  return (isSkewed: boolean, skewMs: number) => {
    const skew_seconds = Math.round(skewMs / 1_000);
    if (isSkewed) log.error({ skew_seconds }, 'the clock of this host differs from that of NATS');
    else log.info({ skew_seconds }, 'the clock of this host is that of NATS again');
  };
}
