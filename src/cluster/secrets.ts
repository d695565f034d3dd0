import { randomBytes } from 'node:crypto';
import type { CursorSecrets } from '../query/cursor.ts';
import type { Bucket } from './bucket.ts';

/** The bucket of the secrets that sign cursors. */
export const SECRETS_BUCKET = 'jur_secrets';
const PLACE = 'cursor';
const SECRET_BYTES = 32;
const TEXT = /^[0-9a-f]{64}(?: [0-9a-f]{64})?$/u;

/**
 * The secrets of a cluster: the first signs, and both are accepted. Until a front has read them, it signs with a local secret.
 */
export class BucketSecrets {
  readonly #bucket: Bucket;
  readonly #own: Buffer;
  #known: readonly Buffer[] = [];

  /** @param own the data folder's secret; it becomes the cluster's if there is none. */
  constructor(bucket: Bucket, own: Buffer) {
    this.#bucket = bucket;
    this.#own = own;
    this.#take();
    bucket.onChange(() => {
      this.#take();
    });
  }

  readonly current: CursorSecrets = () => {
    const [first = this.#own, ...others] = this.#known;
    return [first, ...others];
  };

  /** Stores this front's secret as the cluster's first, unless there is one. @throws unless the broker answers. */
  async propose(): Promise<void> {
    if (this.#known.length > 0) return;
    await this.#bucket.put(PLACE, this.#own.toString('hex'), 0);
    await this.#bucket.look();
  }

  #take(): void {
    const secrets = secretsIn(this.#bucket);
    // A damaged value changes nothing.
    if (secrets.length > 0) this.#known = secrets.map((hex) => Buffer.from(hex, 'hex'));
  }
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

function secretsIn(bucket: Bucket): string[] {
  const text = bucket.entries.get(PLACE)?.text ?? '';
  return TEXT.test(text) ? text.split(' ') : [];
}

async function write(bucket: Bucket, text: string): Promise<void> {
  if (await bucket.put(PLACE, text, bucket.entries.get(PLACE)?.revision ?? 0)) return;
  throw new Error('somebody else changes the secret; run the command again');
}
