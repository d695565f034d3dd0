import { readConfig } from '../config/config.ts';
import { readKeys, type KeyStore } from '../keys/store.ts';
import { copyIn, copyOf } from './bucket-copy.ts';
import { withCluster } from './for-command.ts';
import { BucketKeyStore, KEYS_BUCKET, storedKeysIn } from './keys.ts';
import { SECRETS_BUCKET, rotateSecret } from './secrets.ts';
import { SETTINGS_BUCKET } from './settings.ts';

/** Fronts have a new secret this long after its announcement; a front whose subscription is silent reads every 5 s. */
const SECRET_SPREAD_MS = 7_000;

const NAME = 'operator';

/** Runs a command's work with the cluster's keys. @throws PlainError; errors of the work. */
export function withClusterKeys(work: (store: KeyStore) => Promise<void> | void): Promise<void> {
  return withCluster(readConfig(), NAME, async (open) => {
    // A missing stream may be lost: a new empty one would mean that there are no keys.
    await work(new BucketKeyStore(await open(KEYS_BUCKET, false)));
  });
}

/** Restores the copies in a data folder, and the keys issued there, to the cluster. @returns how many keys were written. */
export function restoreShared(dataDir: string): Promise<number> {
  const copied = (bucket: string) => copyIn(copyOf(dataDir, bucket));
  return withCluster(readConfig(), NAME, async (open) => {
    for (const name of [SECRETS_BUCKET, SETTINGS_BUCKET]) await (await open(name)).restore(copied(name));
    const keys = [...storedKeysIn(copied(KEYS_BUCKET)).keys, ...readKeys(dataDir).keys];
    return new BucketKeyStore(await open(KEYS_BUCKET)).restore(keys);
  });
}

/** Fronts sign cursors with a new secret once all fronts can read it. */
export function rotateCursorSecret(): Promise<void> {
  return withCluster(readConfig(), NAME, async (open) =>
    rotateSecret(await open(SECRETS_BUCKET), () => Bun.sleep(SECRET_SPREAD_MS)),
  );
}
