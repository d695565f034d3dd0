import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { Clock } from '../../clock.ts';
import type { Value } from '../../shared/values.ts';
import type { Bucket } from '../bucket.ts';
import type { Published } from '../nodes.ts';
import { readManifest, type Manifest } from './manifest.ts';
import type { RollOut } from './replica.ts';

/** Lease of a replica's position in the roll-out; a dead node blocks other nodes no longer than this. */
export const ROLL_OUT_LEASE_MS = 20_000;
/** A waiting replica renews the lease at this interval, so that enough time is left when it switches. */
const ROLL_OUT_WAIT_MS = 5_000;
/** Interval at which a replica tries again to switch, if no change is announced. */
export const ROLL_OUT_TRY_MS = 200;

/** The bucket with the cluster's state of base files. */
export const DATA_BUCKET = 'jur_data';

export interface RegistryOptions {
  readonly bucket: Bucket;
  readonly clock: Clock;
  readonly node: string;
  /** How many nodes serve a base now; half may switch at a time. Only for a node. */
  readonly replicas?: (base: Base) => number;
}

export function manifestKey(base: Base): string {
  return `manifest.${base}`;
}

/** The latest generation of a base that a node may have shown. */
export function shownKey(base: Base, node: string): string {
  return `shown.${base}.${node}`;
}

/** A node that switches files of a base, or waits to. */
export function switchingKey(base: Base, node: string): string {
  return `switching.${base}.${node}`;
}

/** State of base files, shared by publishers, nodes and fronts. Each node writes separate keys, and counts once. */
export class Registry implements RollOut {
  readonly #options: RegistryOptions;
  readonly #waiting = new Set<() => void>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    options.bucket.onChange(() => {
      for (const wake of this.#waiting) wake();
    });
  }

  /** The manifest to serve; null if nothing was published. */
  manifest(base: Base): Manifest | null {
    const entry = this.#options.bucket.entries.get(manifestKey(base));
    const manifest = entry === undefined ? null : readManifest(entry.text);
    return manifest?.base === base ? manifest : null;
  }

  manifests(): Manifest[] {
    return BASES.flatMap((base) => this.manifest(base) ?? []);
  }

  /**
   * The latest that users may have seen; null if nothing was published. A node announces one once it has the manifest, so this
   * process has read that too.
   */
  shownGeneration(base: Base): number | null {
    const manifest = this.manifest(base);
    if (manifest === null) return null;
    const shown = this.#valuesOf(shownKey(base, ''), ({ text }) =>
      /^\d{1,15}$/u.test(text) ? Number(text) : 0,
    );
    return Math.min(manifest.generation, Math.max(0, ...shown));
  }

  /** The generation to serve, and when it was read; null if not published or not yet read. */
  published(base: Base): Published | null {
    const { readAt } = this.#options.bucket;
    const manifest = readAt === null ? null : this.manifest(base);
    return manifest === null || readAt === null ? null : { generation: manifest.generation, readAt };
  }

  look(): Promise<void> {
    return this.#options.bucket.look();
  }

  onChange(listener: () => void): void {
    this.#options.bucket.onChange(listener);
  }

  /** Publishes a manifest. @returns false if a newer one is published. @throws unless the broker answers. */
  async publish(manifest: Manifest): Promise<boolean> {
    const text = JSON.stringify(manifest);
    const isNewest = () => (this.manifest(manifest.base)?.generation ?? 0) <= manifest.generation;
    return this.#options.bucket.change(manifestKey(manifest.base), () => (isNewest() ? text : null));
  }

  /** @throws as `publish`. */
  async announce(base: Base, generation: number): Promise<void> {
    const { bucket, node } = this.#options;
    await bucket.change(shownKey(base, node), (known) =>
      Number(known ?? -1) < generation ? String(generation) : null,
    );
  }

  /** @throws unless the broker answers. */
  async enter(base: Base): Promise<() => Promise<void>> {
    const { bucket, node } = this.#options;
    const key = switchingKey(base, node);
    for (;;) {
      const place = await this.#takePlace(key);
      if (this.#isAmongFirst(base, place)) return () => this.#leavePlace(key);
      await this.#pause(ROLL_OUT_TRY_MS);
      await bucket.look();
    }
  }

  /** @returns this node's position in the queue; it expires after some seconds, and the next one is at the end. */
  async #takePlace(key: string): Promise<number> {
    const { bucket, clock } = this.#options;
    const now = clock.date().getTime();
    const left = untilOf(bucket.entries.get(key)?.text ?? '') - now;
    if (left < ROLL_OUT_LEASE_MS - ROLL_OUT_WAIT_MS || left > ROLL_OUT_LEASE_MS)
      await bucket.change(key, () => JSON.stringify({ until: now + ROLL_OUT_LEASE_MS }));
    return bucket.entries.get(key)?.revision ?? 0;
  }

  /** True if fewer than half of the replicas have an earlier position that has not expired, and all earlier ones were read. */
  #isAmongFirst(base: Base, place: number): boolean {
    const { bucket, clock, replicas = () => 1 } = this.#options;
    const now = clock.date().getTime();
    const before = this.#valuesOf(switchingKey(base, ''), ({ text, revision }) => {
      const left = untilOf(text) - now;
      return revision < place && left > 0 && left <= 2 * ROLL_OUT_LEASE_MS;
    });
    const places = Math.max(1, Math.floor(replicas(base) / 2));
    return bucket.readTo >= place && before.filter(Boolean).length < places;
  }

  /** If it cannot be given back, it expires. */
  async #leavePlace(key: string): Promise<void> {
    await this.#options.bucket.change(key, () => '').catch(() => undefined);
  }

  #valuesOf<T>(prefix: string, of: (entry: Value) => T): T[] {
    return [...this.#options.bucket.entries].flatMap(([key, entry]) =>
      key.startsWith(prefix) ? [of(entry)] : [],
    );
  }

  /** Waits `ms`, or until a change. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = () => {
      resolve(undefined);
    };
    const cancelTimer = this.#options.clock.after(ms, wake);
    this.#waiting.add(wake);
    await promise;
    cancelTimer();
    this.#waiting.delete(wake);
  }
}

function untilOf(text: string): number {
  const found = /"until":(\d{1,15})/u.exec(text);
  return Number(found?.[1] ?? 0);
}
