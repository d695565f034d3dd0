const SLOTS_MIN = 1 << 16;

/**
 * Which keys have come, by hashes of 64 bits: 16 to 32 bytes each, where a `Set` takes more than twice as many and
 * ends at 16.7 million.
 */
export class SeenKeys {
  /** Open addressing; 0 where the place is free. Twice as many as keys at the least. */
  #slots = new BigUint64Array(SLOTS_MIN);
  #size = 0;

  /** @returns false where it was there. */
  add(key: string): boolean {
    // No hash is 0, which stands for none.
    const hash = Bun.hash.wyhash(key) || 1n;
    if (!put(this.#slots, hash)) return false;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2);
    for (const hash of this.#slots) if (hash !== 0n) put(larger, hash);
    this.#slots = larger;
  }
}

function put(slots: BigUint64Array, hash: bigint): boolean {
  const mask = slots.length - 1;
  for (let at = Number(hash & BigInt(mask)); ; at = (at + 1) & mask) {
    if (slots[at] === hash) return false;
    if (slots[at] === 0n) {
      slots[at] = hash;
      return true;
    }
  }
}
