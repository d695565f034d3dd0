import { statSync } from 'node:fs';
import type { Clock } from '../engine/clock.ts';
import { digestOfKey, isWellFormedKey } from './key.ts';
import { keysFolder, readKeys, type DamagedKey, type StoredKey } from './store.ts';
import { KEYS_LOOK_FOR_UNKNOWN_MS, KEYS_LOOK_MS, STAMP_DOUBT_MS } from '../config/limits.ts';

/** A valid key: the id that its quota is counted under, and its own quota if it has one. */
export interface ValidKey {
  readonly id: string;
  readonly quotaPerDay: number | null;
}

/** Finds valid keys. One that asks another process answers with a promise, within a time limit of its own. */
export interface Keys {
  /** The valid key for a credential, or null. */
  find(credential: string): ValidKey | null | Promise<ValidKey | null>;
}

/** The keys in force, in memory. They are read again when the keys folder changes, so no restart is needed. */
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

  /** The valid key for a credential, or null. */
  find(credential: string): ValidKey | null {
    const id = digestOfKey(credential);
    // A malformed key never causes a check of the folder.
    if (!this.#known.has(id) && !isWellFormedKey(credential)) return null;
    return this.findById(id);
  }

  /** The same for the digest of a well-formed credential. */
  findById(id: string): ValidKey | null {
    const isKnown = this.#known.has(id);
    const now = this.#clock.now();
    const isForUnknown = !isKnown && now - this.#lookedForUnknownAt >= KEYS_LOOK_FOR_UNKNOWN_MS;
    if (isForUnknown) this.#lookedForUnknownAt = now;
    if (isForUnknown || now - this.#lookedAt >= KEYS_LOOK_MS) this.#look();
    // The look-up uses a digest, which the sender cannot choose, so its duration reveals nothing about other keys.
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
      // Revoked keys stay in the folder, so a missing folder is a fault of the disk, and the keys stay valid.
      if (stat === undefined && this.#known.size > 0) throw new Error('the keys folder is gone');
      const changedMs = stat?.mtimeMs ?? 0;
      const stamp = `${stat?.ino ?? 0}:${changedMs}`;
      const isDoubtful = Math.abs(this.#clock.date().getTime() - changedMs) < STAMP_DOUBT_MS;
      if (stamp === this.#stamp && !isDoubtful && !this.#hasDamaged) return;
      this.#take(readKeys(this.#dataDir));
      this.#stamp = stamp;
    } catch (error) {
      // The keys stay in force, and the next check reads the folder again.
      this.#report({ file: keysFolder(this.#dataDir), reason: String(error) });
    }
  }

  #take({ keys, damaged }: ReturnType<typeof readKeys>): void {
    this.#known.clear();
    for (const key of keys) if (key.revoked_at === null) this.#known.set(key.sha256, validKeyOf(key));
    // Repairing a file in place does not change its folder, so with a damaged file every check reads all files.
    this.#hasDamaged = damaged.length > 0;
    if (!this.#hasDamaged) this.#reported.clear();
    for (const one of damaged) this.#report(one);
  }

  #report(damaged: DamagedKey): void {
    if (!this.#reported.has(damaged.file)) this.#onDamaged(damaged);
    this.#reported.add(damaged.file);
  }
}

/** A stored key as requests find it. */
export function validKeyOf({ sha256, quota_per_day }: StoredKey): ValidKey {
  return { id: sha256, quotaPerDay: quota_per_day };
}
