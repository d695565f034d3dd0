/**
 * How a pool's owner tells a thread that nobody waits for a batch any more, while the thread is busy with it: the
 * only thing that a busy thread can look at is memory. It stays within the local port; messages share none.
 */
const SLOTS = 64;
export const CANCEL_BYTES = SLOTS * Int32Array.BYTES_PER_ELEMENT;
/** Serials go from 1 to this and round; of two batches in one slot, the later one is the one that counts. */
export const CANCEL_SERIALS = 2 ** 30;

export function cancelBatch(memory: SharedArrayBuffer, serial: number): void {
  Atomics.store(new Int32Array(memory), serial % SLOTS, serial);
}

/** @param serial above 0. */
export function isCancelled(memory: Int32Array, serial: number): boolean {
  return Atomics.load(memory, serial % SLOTS) === serial;
}
