import { ROLL_OUT_LEASE_MS, ROLL_OUT_TRY_MS } from '../../config/limits.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Bucket } from '../bucket.ts';
import { readManifest, type Manifest } from './manifest.ts';
import type { RollOut } from './replica.ts';

/** The name of the bucket with all that the cluster knows of base files. */
export const DATA_BUCKET = 'jur_data';
const WRITES_MAX = 20;

export interface RegistryOptions {
  readonly bucket: Bucket;
  readonly clock: Clock;
  /** Of this process. */
  readonly node: string;
  /** How many nodes serve a base now; half of them may switch at a time. */
  readonly replicas: (base: Base) => number;
}

/**
 * What publishers, nodes and fronts know of base files: `manifest.BASE`, the file to serve; `shown.BASE`, the highest
 * generation that anybody may have seen; `switching.BASE.N`, the places of those that switch.
 */
export class Registry implements RollOut {
  readonly #options: RegistryOptions;
  readonly #waiting = new Set<() => void>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    options.bucket.onChange(() => {
      for (const wake of this.#waiting) wake();
    });
  }

  /** What is to be served of a base; null where nothing was published. */
  manifest(base: Base): Manifest | null {
    const entry = this.#options.bucket.entries.get(`manifest.${base}`);
    return entry === undefined ? null : readManifest(entry.text);
  }

  /** All manifests. */
  manifests(): Manifest[] {
    return BASES.flatMap((base) => this.manifest(base) ?? []);
  }

  /** The highest generation of a base that anybody may have seen; null where nothing was published. */
  shownGeneration(base: Base): number | null {
    const text = this.#options.bucket.entries.get(`shown.${base}`)?.text;
    return text === undefined || !/^\d{1,15}$/u.test(text) ? null : Number(text);
  }

  /** Calls whenever something may have changed. */
  onChange(listener: () => void): void {
    this.#options.bucket.onChange(listener);
  }

  /** Publishes a manifest, unless a newer one was. @returns false then. @throws where the broker does not answer. */
  publish(manifest: Manifest): Promise<boolean> {
    return this.#raise(`manifest.${manifest.base}`, JSON.stringify(manifest), () => {
      const known = this.manifest(manifest.base);
      return known === null || known.generation <= manifest.generation;
    });
  }

  /** @throws as `publish`. */
  async announce(base: Base, generation: number): Promise<void> {
    const isNew = () => (this.shownGeneration(base) ?? -1) < generation;
    await this.#raise(`shown.${base}`, String(generation), isNew);
  }

  /** @throws where the broker does not answer. */
  async enter(base: Base): Promise<() => Promise<void>> {
    const { replicas } = this.#options;
    for (;;) {
      const places = Math.max(1, Math.floor(replicas(base) / 2));
      for (let place = 0; place < places; place += 1) {
        const key = `switching.${base}.${place}`;
        if (await this.#takePlace(key)) return () => this.#leavePlace(key);
      }
      await this.#pause(ROLL_OUT_TRY_MS);
      await this.#options.bucket.look();
    }
  }

  async #takePlace(key: string): Promise<boolean> {
    const { bucket, node, clock } = this.#options;
    const held = bucket.entries.get(key);
    const now = clock.date().getTime();
    if (held !== undefined && held.text !== '' && untilOf(held.text) > now) return false;
    const text = JSON.stringify({ node, until: now + ROLL_OUT_LEASE_MS });
    const isTaken = await bucket.put(key, text, held?.revision ?? 0);
    if (!isTaken) await bucket.look();
    return isTaken;
  }

  /** Where it cannot be given back, it runs out. */
  async #leavePlace(key: string): Promise<void> {
    const { bucket, node } = this.#options;
    const held = bucket.entries.get(key);
    if (held === undefined || !held.text.includes(JSON.stringify(node))) return;
    await bucket.put(key, '', held.revision).catch(() => undefined);
  }

  /** Writes a value as long as `isHigher` holds of what is there. @returns whether it was written. */
  async #raise(key: string, text: string, isHigher: () => boolean): Promise<boolean> {
    const { bucket } = this.#options;
    for (let writes = 0; writes < WRITES_MAX; writes += 1) {
      if (!isHigher()) return false;
      if (await bucket.put(key, text, bucket.entries.get(key)?.revision ?? 0)) return true;
      await bucket.look();
    }
    throw new Error(`${key} could not be written: others write to it all the time`);
  }

  /** Until then, or until something has changed. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = () => {
      resolve(undefined);
    };
    const takeBack = this.#options.clock.after(ms, wake);
    this.#waiting.add(wake);
    await promise;
    takeBack();
    this.#waiting.delete(wake);
  }
}

function untilOf(text: string): number {
  const found = /"until":(\d{1,15})/u.exec(text);
  return Number(found?.[1] ?? 0);
}
