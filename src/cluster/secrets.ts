import { randomBytes } from 'node:crypto';
import type { CursorSecrets } from '../query/cursor.ts';
import type { Values } from '../shared/values.ts';
import type { Bucket } from './bucket.ts';

/** The bucket of the secrets that sign cursors: one value, of which the first secret signs and both are accepted. */
export const SECRETS_BUCKET = 'jur_secrets';
const PLACE = 'cursor';
const SECRET_BYTES = 32;
const TEXT = /^[0-9a-f]{64}(?: [0-9a-f]{64})?$/u;

/** The secrets in the values; before the first ones, `own`. A damaged value changes nothing. */
export function secretsOver(values: Pick<Values, 'entries'>, own: Buffer): CursorSecrets {
  let entries: Values['entries'] | null = null;
  let known: readonly Buffer[] = [];
  return () => {
    if (values.entries !== entries) {
      ({ entries } = values);
      const secrets = secretsIn(values);
      if (secrets.length > 0) known = secrets.map((hex) => Buffer.from(hex, 'hex'));
    }
    const [first = own, ...others] = known;
    return [first, ...others];
  };
}

/** Restores lost secrets, or makes `own` the first one of the cluster. @throws unless the broker answers. */
export function restoreSecrets(bucket: Bucket, lost: Values['entries'], own: Buffer): Promise<void> {
  return bucket.restore(new Map([[PLACE, { text: own.toString('hex'), revision: 0 }], ...lost]));
}

/**
 * Rotates the secret that signs cursors: first all fronts learn to read the new one, and `spread` resolves; then they sign with
 * it, and still accept the old one. @throws unless the broker answers.
 */
export async function rotateSecret(bucket: Bucket, spread: () => Promise<void>): Promise<void> {
  await bucket.look();
  const [current] = secretsIn(bucket);
  if (current === undefined) throw new Error('there is no secret to replace: start a front first');
  const next = randomBytes(SECRET_BYTES).toString('hex');
  await write(bucket, `${current} ${next}`);
  await spread();
  await write(bucket, `${next} ${current}`);
}

function secretsIn({ entries }: Pick<Values, 'entries'>): string[] {
  const text = entries.get(PLACE)?.text ?? '';
  return TEXT.test(text) ? text.split(' ') : [];
}

async function write(bucket: Bucket, text: string): Promise<void> {
  if (await bucket.put(PLACE, text, bucket.entries.get(PLACE)?.revision ?? 0)) return;
  throw new Error('somebody else changes the secret; run the command again');
}
