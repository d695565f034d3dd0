import { statSync } from 'node:fs';
import type { Clock } from '../engine/clock.ts';
import { digestOfKey, isWellFormedKey } from './key.ts';
import { keysFolder, readKeys, type DamagedKey, type StoredKey } from './store.ts';

/**
 * The folder is looked at this often, and at once when a key is unknown, though not more often than this for unknown
 * ones: a look for another reason, as at the start, may have come just before the key was issued.
 */
const LOOK_MS = 1_000;
const LOOK_FOR_UNKNOWN_MS = 100;
/** A file system may stamp two changes alike: a folder changed this lately is read again. */
const STAMP_DOUBT_MS = 2_000;

/** A valid key: what its quota is counted under, and its own quota if it has one. */
export interface ValidKey {
  readonly id: string;
  readonly quotaPerDay: number | null;
}

/** Tells valid keys from others. Whoever has to ask elsewhere answers with a promise, within a bound of its own. */
export interface Keys {
  /** The valid key that a credential is, or null. */
  find(credential: string): ValidKey | null | Promise<ValidKey | null>;
}

/** The keys in force, kept in memory and read again when the keys folder changes: no restart is needed. */
export class KeyRing implements Keys {
  readonly #dataDir: string;
  readonly #clock: Clock;
  readonly #onDamaged: (damaged: DamagedKey) => void;
  readonly #known = new Map<string, ValidKey>();
  readonly #reported = new Set<string>();
  #stamp = '';
  #hasDamaged = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lookedForUnknownAt = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string, clock: Clock, onDamaged: (damaged: DamagedKey) => void) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.#onDamaged = onDamaged;
    this.#look();
  }

  /** The valid key that a credential is, or null. */
  find(credential: string): ValidKey | null {
    const id = digestOfKey(credential);
    // What cannot be a key is never worth a look at the folder.
    if (!this.#known.has(id) && !isWellFormedKey(credential)) return null;
    return this.findById(id);
  }

  /** The same for the digest of a credential that has a key's form. */
  findById(id: string): ValidKey | null {
    const isKnown = this.#known.has(id);
    const now = this.#clock.now();
    const isForUnknown = !isKnown && now - this.#lookedForUnknownAt >= LOOK_FOR_UNKNOWN_MS;
    if (isForUnknown) this.#lookedForUnknownAt = now;
    if (isForUnknown || now - this.#lookedAt >= LOOK_MS) this.#look();
    // Found by its digest, which its sender cannot steer: how long that takes tells nothing of the keys there are.
    return this.#known.get(id) ?? null;
  }

  /** Looks at the folder now. @returns the keys in force. */
  refresh(): readonly ValidKey[] {
    this.#look();
    return [...this.#known.values()];
  }

  #look(): void {
    this.#lookedAt = this.#clock.now();
    try {
      const stat = statSync(keysFolder(this.#dataDir), { throwIfNoEntry: false });
      // Revoking all keys leaves a folder; one that is gone is a fault of the disk, and no key has become bad.
      if (stat === undefined && this.#known.size > 0) throw new Error('the keys folder is gone');
      const changedMs = stat?.mtimeMs ?? 0;
      const stamp = `${stat?.ino ?? 0}:${changedMs}`;
      const isDoubtful = Math.abs(this.#clock.date().getTime() - changedMs) < STAMP_DOUBT_MS;
      if (stamp === this.#stamp && !isDoubtful && !this.#hasDamaged) return;
      this.#take(readKeys(this.#dataDir));
      this.#stamp = stamp;
    } catch (error) {
      // The keys that were in force stay so, and the folder is read again at the next look.
      this.#report({ file: keysFolder(this.#dataDir), reason: String(error) });
    }
  }

  #take({ keys, damaged }: ReturnType<typeof readKeys>): void {
    this.#known.clear();
    for (const key of keys) if (key.revoked_at === null) this.#known.set(key.sha256, valid(key));
    // A file mended in place does not change its folder: while one is damaged, all are read at each look.
    this.#hasDamaged = damaged.length > 0;
    if (!this.#hasDamaged) this.#reported.clear();
    for (const one of damaged) this.#report(one);
  }

  #report(damaged: DamagedKey): void {
    if (!this.#reported.has(damaged.file)) this.#onDamaged(damaged);
    this.#reported.add(damaged.file);
  }
}

function valid({ sha256, quota_per_day }: StoredKey): ValidKey {
  return { id: sha256, quotaPerDay: quota_per_day };
}
