import { randomBytes } from 'node:crypto';
import type { CursorSecrets } from '../query/cursor.ts';
import type { Bucket } from './bucket.ts';

/** The secrets that sign cursors, in the bucket: the first one signs, and cursors of both are accepted. */
const PLACE = 'secrets.cursor';
const SECRET_BYTES = 32;
const TEXT = /^[0-9a-f]{64}(?: [0-9a-f]{64})?$/u;

/** The secrets in the bucket; before the first ones, `own`. A damaged value changes nothing. */
export function secretsOver(bucket: Pick<Bucket, 'entries'>, own: Uint8Array): CursorSecrets {
  let entries: Bucket['entries'] | null = null;
  let known: readonly Uint8Array[] = [own];
  return () => {
    if (bucket.entries !== entries) {
      ({ entries } = bucket);
      const secrets = secretsIn(bucket);
      if (secrets.length > 0) known = secrets.map((hex) => Buffer.from(hex, 'hex'));
    }
    const [first = own, ...others] = known;
    return [first, ...others];
  };
}

/** The secret of a single process becomes that of all replicas, unless they have one. @throws as `Bucket.change`. */
export function offerSecret(bucket: Bucket, own: Uint8Array): Promise<boolean> {
  return bucket.change(PLACE, (known) => (known === null ? Buffer.from(own).toString('hex') : null));
}

/**
 * Rotates the secret that signs cursors: first all replicas learn to read the new one, and `spread` resolves; then they sign with
 * it, and still accept the old one. @throws as `Bucket.change`.
 */
export async function rotateSecret(bucket: Bucket, spread: () => Promise<void>): Promise<void> {
  const next = randomBytes(SECRET_BYTES).toString('hex');
  let signing = '';
  await bucket.change(PLACE, () => {
    const [current] = secretsIn(bucket);
    if (current === undefined) throw new Error('there is no secret to replace: start a replica first');
    signing = current;
    return `${current} ${next}`;
  });
  await spread();
  await bucket.change(PLACE, (known) => {
    if (known === `${signing} ${next}`) return `${next} ${signing}`;
    throw new Error('somebody else changes the secret; run the command again');
  });
}

function secretsIn({ entries }: Pick<Bucket, 'entries'>): string[] {
  const text = entries.get(PLACE)?.text ?? '';
  return TEXT.test(text) ? text.split(' ') : [];
}
