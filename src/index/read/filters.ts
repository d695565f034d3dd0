import type { DocFilter } from '../../engine/messages.ts';
import {
  BLOCK_SIZE,
  DOC_VALUES,
  docValuesKey,
  tipoCode,
  tribunalCode,
  type DocValue,
} from '../format/schema.ts';
import { DamagedBase } from '../format/seal.ts';
import { isEmpty, type Bits } from './bitset.ts';
import type { Connection, Snapshot } from './connection.ts';

/**
 * A column's values in a block, by offset: court and type codes, or dates `yyyymmdd`, 0 for none.
 * @throws DamagedBase
 */
export function docValues(
  { row }: Connection,
  name: DocValue,
  block: number,
  { docs }: Snapshot,
): Uint8Array | Uint32Array {
  const decisions = Math.min(BLOCK_SIZE, docs + 1 - block * BLOCK_SIZE);
  if (docs === 0 || decisions <= 0) return new Uint8Array(0);
  const key = docValuesKey(name, block);
  const data = row('doc_values', key);
  if (data.length !== decisions * DOC_VALUES[name])
    throw new DamagedBase(`doc_values ${key} is not as long as it must be`);
  if (DOC_VALUES[name] === 1) return data;
  // Little endian, as every supported machine; the buffer may start anywhere.
  const aligned = data.byteOffset % 4 === 0 ? data : Uint8Array.from(data);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, decisions);
}

/** Removes the decisions of a block that the filter excludes. */
export type Keep = (bits: Bits, block: number) => void;

/** Null if the filter excludes nothing. */
export function filterOf(connection: Connection, filter: DocFilter, snapshot: Snapshot): Keep | null {
  const { tribunais, tipo, judged_from, judged_to } = filter;
  const keeps: Keep[] = [];
  if (tribunais !== null) {
    const mask = tribunais.reduce((bits, codigo) => bits | (1 << tribunalCode(codigo)), 0);
    keeps.push((bits, block) => {
      keepCodes(bits, docValues(connection, 'tribunal', block, snapshot), mask);
    });
  }
  if (tipo !== null) {
    const mask = 1 << tipoCode(tipo);
    keeps.push((bits, block) => {
      keepCodes(bits, docValues(connection, 'tipo', block, snapshot), mask);
    });
  }
  if (judged_from !== null || judged_to !== null) {
    // A missing date lies in no period.
    const from = Math.max(1, judged_from ?? 1);
    const to = judged_to ?? Number.POSITIVE_INFINITY;
    keeps.push((bits, block) => {
      keepDates(bits, docValues(connection, 'julgamento', block, snapshot), from, to);
    });
  }
  if (keeps.length === 0) return null;
  return (bits, block) => {
    for (const keep of keeps) if (!isEmpty(bits)) keep(bits, block);
  };
}

// Both functions visit all 32 decisions of a bitset word if any is in the set: that is faster than finding the members.

/** @param mask the bits of the accepted codes. */
function keepCodes(bits: Bits, codes: Uint8Array | Uint32Array, mask: number): void {
  for (let at = 0; at < bits.length; at += 1) {
    if (bits[at] === 0) continue;
    let kept = 0;
    for (let bit = 0; bit < 32; bit += 1) kept |= ((mask >>> (codes[at * 32 + bit] ?? 31)) & 1) << bit;
    bits[at] = (bits[at] ?? 0) & kept;
  }
}

function keepDates(bits: Bits, dates: Uint8Array | Uint32Array, from: number, to: number): void {
  for (let at = 0; at < bits.length; at += 1) {
    if (bits[at] === 0) continue;
    let kept = 0;
    for (let bit = 0; bit < 32; bit += 1) {
      const date = dates[at * 32 + bit] ?? 0;
      if (date >= from && date <= to) kept |= 1 << bit;
    }
    bits[at] = (bits[at] ?? 0) & kept;
  }
}
