import type { Logger } from 'pino';
import { within, type Clock } from '../clock.ts';
import type { Values } from '../shared/values.ts';
import { digestOfKey, isWellFormedKey } from './key.ts';
import { keysFolder, keysIn, openKeyFiles, type StoredKeys } from './store.ts';

/** Least time between two immediate checks; a regular check may have come just before the key was issued. */
const KEYS_READ_FOR_UNKNOWN_MS = 100;
/** Longest wait for a refresh over NATS that an unknown key asks for. */
const FIND_KEY_MS_MAX = 1_000;

const UNREADABLE = 'keys cannot be read';

/** A valid key: the counter's id, and an individual quota if set. */
export interface ValidKey {
  readonly id: string;
  readonly quotaPerDay: number | null;
}

/** Finds valid keys. A promise is resolved within a time limit. */
export interface Keys {
  /** The valid key for a credential, or null. */
  find(credential: string): ValidKey | null | Promise<ValidKey | null>;
}

export interface KeyRingOptions {
  /** Where the keys are stored. */
  readonly values: Pick<Values, 'entries' | 'refresh'>;
  readonly read: () => StoredKeys;
  readonly clock: Clock;
  /** Logs each damaged key once. */
  readonly log: Pick<Logger, 'error'>;
}

/** The valid keys in memory. For an unknown key, which may be new, the values are read at once, at most ten times a second. */
export class KeyRing implements Keys {
  readonly #options: KeyRingOptions;
  readonly #reported = new Set<string>();
  #entries: Values['entries'] | null = null;
  #known: ReadonlyMap<string, ValidKey> = new Map();
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<unknown> | null = null;

  constructor(options: KeyRingOptions) {
    this.#options = options;
    this.#take();
  }

  find(credential: string): ValidKey | null | Promise<ValidKey | null> {
    const id = digestOfKey(credential);
    // A malformed key never causes a read.
    if (!this.#known.has(id) && !isWellFormedKey(credential)) return null;
    const known = this.#find(id);
    if (known !== null) return known;
    const { clock, values } = this.#options;
    if (clock.now() - this.#refreshedAt >= KEYS_READ_FOR_UNKNOWN_MS) {
      this.#refreshedAt = clock.now();
      const refreshing = values.refresh();
      this.#refreshing = refreshing instanceof Promise ? within(FIND_KEY_MS_MAX, refreshing, clock) : null;
    }
    return this.#refreshing === null ? this.#find(id) : this.#refreshing.then(() => this.#find(id));
  }

  /** Searches by a digest, which the sender cannot choose, so its duration reveals nothing about other keys. */
  #find(id: string): ValidKey | null {
    if (this.#options.values.entries !== this.#entries) this.#take();
    return this.#known.get(id) ?? null;
  }

  #take(): void {
    const { values, read, log } = this.#options;
    this.#entries = values.entries;
    const { keys, damaged } = read();
    const valid = keys.filter(({ revoked_at }) => revoked_at === null);
    this.#known = new Map(
      valid.map(({ sha256, quota_per_day }) => [sha256, { id: sha256, quotaPerDay: quota_per_day }]),
    );
    if (damaged.length === 0) this.#reported.clear();
    for (const { file, reason } of damaged) {
      if (!this.#reported.has(file)) log.error({ file, reason }, UNREADABLE);
      this.#reported.add(file);
    }
  }
}

/** The keys of a data folder. They stay valid while the folder cannot be read. */
export function openKeyRing(dataDir: string, clock: Clock, log: KeyRingOptions['log']): KeyRing {
  const values = openKeyFiles(dataDir, clock, (reason) => {
    log.error({ file: keysFolder(dataDir), reason }, UNREADABLE);
  });
  return new KeyRing({ values, read: () => keysIn(dataDir, values), clock, log });
}
