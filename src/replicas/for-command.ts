import { TIMED_OUT, systemClock, within } from '../clock.ts';
import { readConfig } from '../config/config.ts';
import { readKeys } from '../keys/store.ts';
import { PlainError } from '../process/fail.ts';
import { Bucket, WRITE_MS_MAX, copyFile, readCopy, under, VALUES_STREAM } from './bucket.ts';
import { Connection } from './connection.ts';
import { BucketKeyStore, KEYS, storedKeysIn } from './keys.ts';
import { rotateSecret } from './secrets.ts';

/** Longest wait of a command for a NATS server. */
const COMMAND_CONNECT_MS_MAX = 5_000;
/** Replicas have a new secret this long after its announcement: one whose watch is silent reads every 5 s. */
const SECRET_SPREAD_MS = 7_000;

/** Runs a command's work with the shared keys. @throws PlainError; errors of the work. */
export function withSharedKeys(work: (store: BucketKeyStore) => Promise<void> | void): Promise<void> {
  return withBucket((bucket) => Promise.resolve(work(new BucketKeyStore(bucket))));
}

/**
 * Puts into NATS what it lacks of a data folder's keys, and of the folder's copy of shared values. @returns how many values were
 * written. @throws PlainError
 */
export function restoreShared(dataDir: string): Promise<number> {
  const copy = readCopy(copyFile(dataDir));
  return withBucket(async (bucket) => {
    let count = 0;
    for (const [key, { text }] of copy)
      if (!key.startsWith(`${KEYS}.`))
        count += Number(await bucket.change(key, (known) => (known === null ? text : null)));
    const copied = storedKeysIn(under(KEYS, copy));
    return count + (await new BucketKeyStore(bucket).restore([...copied.keys, ...readKeys(dataDir).keys]));
  });
}

/** Replicas sign cursors with a new secret once all of them can read it. */
export function rotateCursorSecret(): Promise<void> {
  return withBucket((bucket) => rotateSecret(bucket, () => Bun.sleep(SECRET_SPREAD_MS)));
}

/** @throws PlainError if no server answers, or none has the values; errors of the work. */
async function withBucket<T>(work: (bucket: Bucket) => Promise<T>): Promise<T> {
  const config = readConfig();
  const connection = new Connection(config, () => undefined, true);
  const log = { error: () => undefined, info: () => undefined };
  const bucket = new Bucket({ connection, clock: systemClock, file: null, makes: false, log });
  try {
    if ((await within(COMMAND_CONNECT_MS_MAX, connection.ready)) === TIMED_OUT)
      throw new PlainError(
        `NATS_URL: no connection to ${config.nats_url.join(', ')}: ${connection.fault || 'no server answers'}`,
      );
    if ((await within(WRITE_MS_MAX, bucket.firstRead)) === TIMED_OUT)
      throw new PlainError(`NATS: ${bucket.fault || `${VALUES_STREAM} does not answer`}`);
    return await work(bucket);
  } finally {
    bucket.close();
    await connection.close();
  }
}
