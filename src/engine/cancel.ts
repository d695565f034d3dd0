/**
 * Cancels a batch while a thread runs it. A busy thread reads no messages, so owner and thread share memory: the owner
 * writes the batch's serial number there. Only the local port uses this; messages carry no shared memory.
 */
const SLOTS = 64;
export const CANCEL_BYTES = SLOTS * Int32Array.BYTES_PER_ELEMENT;
/** Serials run from 1 to this and start again. When two batches share a slot, the later one counts. */
export const CANCEL_SERIALS = 2 ** 30;

export function cancelBatch(memory: SharedArrayBuffer, serial: number): void {
  Atomics.store(new Int32Array(memory), serial % SLOTS, serial);
}

/** @param serial above 0. */
export function isCancelled(memory: Int32Array, serial: number): boolean {
  return Atomics.load(memory, serial % SLOTS) === serial;
}
