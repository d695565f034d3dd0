const SLOTS_MIN = 1 << 16;

/**
 * A set of keys by 64-bit hashes, with 16 to 32 bytes for each key. A `Set` takes more than twice as much and is limited
 * to 16.7 million entries.
 */
export class SeenKeys {
  /** Open addressing; 0 is a free slot. At most half of the slots are used. */
  #slots = new BigUint64Array(SLOTS_MIN);
  #size = 0;

  /** @returns false if the key was already in the set. */
  add(key: string): boolean {
    // 0 marks a free slot.
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
