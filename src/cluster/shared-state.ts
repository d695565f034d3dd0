import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { SERVICE } from '../config/settings.ts';
import type { Cobertura } from '../contract/cobertura.ts';
import { LATE, systemClock, within, type Clock } from '../clock.ts';
import { KeyRing } from '../keys/ring.ts';
import { readKeys } from '../keys/store.ts';
import type { Shared } from '../processes/serving.ts';
import type { CoverageActor } from '../search/coverage.ts';
import { SharedQuota } from '../shared/quota.ts';
import { cursorSecret } from '../start/secret.ts';
import { openBucket, type Bucket } from './bucket.ts';
import type { Broker } from './connection.ts';
import { CounterTime } from './counter-time.ts';
import { StreamCounters } from './counters.ts';
import { DATA_BUCKET, Registry } from './data/registry.ts';
import { FrontCount } from './front-count.ts';
import { BucketKeyStore, KEYS_BUCKET, storedKeysIn } from './keys.ts';
import type { Nodes } from './nodes.ts';
import { SECRETS_BUCKET, restoreSecrets, secretsOver } from './secrets.ts';
import { SETTINGS_BUCKET, followSettings, shareChanges, shareSetting } from './settings.ts';

/** Longest wait of a front's start for the broker; then it starts from the copies on its disk. */
const SHARED_START_MS_MAX = 5_000;

/**
 * From the broker, or from the copies on disk. Keys of the folder become the cluster’s.
 * @throws PlainError if the folder is read-only.
 */
export async function openSharedState(
  config: Config,
  broker: Broker,
  nodes: Nodes,
  log: Logger,
  clock: Clock = systemClock,
) {
  const open = (name: string) => openBucket(broker, name, config.data_dir, log);
  const keysBucket = open(KEYS_BUCKET);
  const secretsBucket = open(SECRETS_BUCKET);
  const settingsBucket = open(SETTINGS_BUCKET);
  const dataBucket = open(DATA_BUCKET);
  const buckets = [keysBucket, secretsBucket, settingsBucket, dataBucket];
  const counters = new StreamCounters(broker);
  const fronts = new FrontCount(broker, clock);
  const time = openTime(counters, clock, log);
  const quota = openQuota(counters, fronts, time.clock, log);
  const keyStore = new BucketKeyStore(keysBucket);
  const ownSecret = cursorSecret(config.data_dir);
  const registry = new Registry({ bucket: dataBucket, clock, node: broker.name });
  keysBucket.giveBack(async (lost) => {
    const keys = await keyStore.restore([...storedKeysIn(lost).keys, ...readKeys(config.data_dir).keys]);
    if (keys > 0) log.info({ keys }, 'keys of this folder are the cluster’s now');
  });
  secretsBucket.giveBack((lost) => restoreSecrets(secretsBucket, lost, ownSecret));
  settingsBucket.giveBack((lost) => settingsBucket.restore(lost));
  if (!(await areRead(buckets, counters, time)))
    log.error('the broker does not answer: keys, secrets and settings are those on the disk');
  await quota.check();
  const shared = {
    quota,
    clockSkewMs: () => time.skewMs,
    keys: new KeyRing({ values: keysBucket, read: () => keyStore.list(), clock, log }),
    keyStore,
    secrets: secretsOver(secretsBucket, ownSecret),
    coverage: (calculated) => coverageOf(registry, calculated),
    change: shareChanges(settingsBucket, nodes, clock),
    changeService: (key, value) => shareSetting(settingsBucket, { base: SERVICE, key, value }),
    follow: (tuning, here) => {
      followSettings(settingsBucket, tuning, here, log);
    },
  } satisfies Shared;
  return {
    ...shared,
    registry,
    close: () => {
      quota.close();
      time.close();
      fronts.close();
      for (const bucket of buckets) bucket.close();
    },
  };
}

/** Waits some seconds for the first read of all buckets. @returns false if they were not read. */
async function areRead(
  buckets: readonly Bucket[],
  counters: StreamCounters,
  time: CounterTime,
): Promise<boolean> {
  const ready = Promise.all(buckets.map(({ firstRead }) => firstRead));
  const counted = counters.untilMade(SHARED_START_MS_MAX).then(() => time.look());
  const [found] = await Promise.all([
    within(SHARED_START_MS_MAX, ready),
    within(SHARED_START_MS_MAX, counted),
  ]);
  return found !== LATE;
}

function openTime(counters: StreamCounters, clock: Clock, log: Logger): CounterTime {
  const read = () => counters.time();
  return new CounterTime(clock, read, (isSkewed, skewMs) => {
    const skew_seconds = Math.round(skewMs / 1_000);
    if (isSkewed) log.error({ skew_seconds }, 'the clock of this host differs from that of NATS');
    else log.info({ skew_seconds }, 'the clock of this host is that of NATS again');
  });
}

function openQuota(counters: StreamCounters, fronts: FrontCount, clock: Clock, log: Logger): SharedQuota {
  return new SharedQuota({
    clock,
    counters,
    peers: () => fronts.current,
    onBreak: (isBroken, reason) => {
      if (isBroken) log.error({ reason }, 'quotas are not counted: each front grants its part');
      else log.info('quotas are counted again');
    },
  });
}

/** The coverage of published bases from their manifests, and of other bases as calculated here. */
function coverageOf(
  registry: Pick<Registry, 'manifest' | 'onChange'>,
  calculated: Pick<CoverageActor, 'current' | 'years'>,
): Pick<CoverageActor, 'current' | 'years'> {
  let made: Cobertura | null = null;
  let madeOf: Cobertura | null = null;
  registry.onChange(() => {
    made = null;
  });
  return {
    /** A new object whenever it changes. */
    get current() {
      const { current } = calculated;
      if (made !== null && madeOf === current) return made;
      madeOf = current;
      const bases = current.bases.map((one) => registry.manifest(one.base)?.coverage ?? one);
      return (made = { ...current, bases });
    },
    get years() {
      return calculated.years;
    },
  };
}
