import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_SPREAD_MS } from '../config/limits.ts';
import { readConfig } from '../config/config.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { readKeys, type StoredKey } from '../keys/store.ts';
import { copyIn } from './bucket.ts';
import { copiesFolder } from './buckets.ts';
import { withCluster } from './for-command.ts';
import { BucketKeyStore, KEYS_BUCKET, storedKeysIn } from './keys.ts';
import { SECRETS_BUCKET, rotateSecret } from './secrets.ts';

const NAME = 'operator';

/** Does a command's work with the keys of the cluster. @throws PlainError, and what the work throws. */
export function withClusterKeys(work: (store: KeyStore) => Promise<void> | void): Promise<void> {
  return withCluster(readConfig(), NAME, async (open) => {
    await work(new BucketKeyStore(await open(KEYS_BUCKET)));
  });
}

/** Puts the keys that a data folder knows into the cluster: those issued there, and its copy of the cluster's. */
export function restoreKeys(dataDir: string): Promise<number> {
  return withCluster(readConfig(), NAME, async (open) =>
    new BucketKeyStore(await open(KEYS_BUCKET)).restore([...copiedKeys(dataDir), ...readKeys(dataDir).keys]),
  );
}

/** Fronts sign cursors with a new secret when all of them can read it. */
export function rotateCursorSecret(): Promise<void> {
  return withCluster(readConfig(), NAME, async (open) =>
    rotateSecret(await open(SECRETS_BUCKET), () => Bun.sleep(SECRET_SPREAD_MS)),
  );
}

function copiedKeys(dataDir: string): StoredKey[] {
  const file = join(copiesFolder(dataDir), `${KEYS_BUCKET}.json`);
  return existsSync(file) ? storedKeysIn(copyIn(readFileSync(file, 'utf8'))).keys : [];
}
