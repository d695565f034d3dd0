import { missing } from '../format/element-at.ts';
import type { DocFilter } from '../../engine/messages.ts';
import { known } from '../format/known.ts';
import {
  BLOCK_SIZE,
  DOC_VALUES,
  docValuesKey,
  tipoCode,
  tribunalCode,
  type DocValue,
} from '../format/schema.ts';
import { DamagedBase } from '../format/seal.ts';
import { EMPTY, intersect, type Bits } from './bitset.ts';
import type { Connection, Snapshot } from './connection.ts';
import { FILTERS_MAX, threadCacheAt, type Extent } from './thread-cache.ts';

type Values = Uint8Array | Uint32Array;

const ALL = 0xffffffff;

/**
 * A column's values in a block, by offset: court and type codes, or dates `yyyymmdd`, 0 for none.
 * @throws DamagedBase
 */
export function docValues({ row }: Connection, name: DocValue, block: number, { docs }: Snapshot): Values {
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

/** What a filter leaves of a block. */
export interface BlockFilter {
  /** All decisions that it accepts, never to be written; `EMPTY` if there are none. Null: not known, or all. */
  accepted(block: number): Bits | null;
  /** Removes those that it excludes. */
  keep(bits: Bits, block: number): void;
}

/** The values of one column from `from` to `to`, or some of them: a bit for each accepted value up to 31. */
interface Clause {
  readonly name: DocValue;
  readonly from: number;
  readonly to: number;
  readonly mask: number;
}

/**
 * Null if the filter excludes nothing. Its first use compares the values of the candidates; from its second use on it has the
 * sets of all decisions that it accepts, because searches repeat their filters. A thread keeps columns for a data generation,
 * and verifies them once.
 */
export function filterOf(connection: Connection, filter: DocFilter, snapshot: Snapshot): BlockFilter | null {
  const clauses = clausesOf(filter);
  if (clauses.length === 0) return null;
  const { columns, extents, filters, accepted } = threadCacheAt(connection, snapshot.generation);
  const name = clauses.map(({ name: column, from, to, mask }) => `${column} ${from} ${to} ${mask} `).join('');
  const isRepeated = filters.has(name);
  if (filters.size >= FILTERS_MAX) filters.clear();
  filters.add(name);
  const valuesOf = (column: DocValue, block: number) =>
    known(columns, docValuesKey(column, block), () => docValues(connection, column, block, snapshot));
  const extentIn = (column: DocValue, block: number) =>
    known(extents, docValuesKey(column, block), () => extentOf(valuesOf(column, block), block));
  /** The clauses that exclude some of the block's decisions; null if one excludes all. */
  const clausesIn = (block: number) => {
    if (clauses.some((clause) => isExcluded(extentIn(clause.name, block), clause))) return null;
    return clauses.filter((clause) => !isIncluded(extentIn(clause.name, block), clause));
  };
  return {
    accepted(block) {
      const left = clausesIn(block);
      if (left === null) return EMPTY;
      if (!isRepeated || left.length === 0) return null;
      return known(accepted, name + String(block), () => {
        const bits = new Uint32Array(EMPTY.length).fill(ALL);
        for (const clause of left) intersect(bits, acceptedIn(valuesOf(clause.name, block), clause));
        return bits;
      });
    },
    keep(bits, block) {
      for (const clause of clausesIn(block) ?? []) keepAccepted(bits, valuesOf(clause.name, block), clause);
    },
  };
}

function clausesOf({ tribunais, tipo, judged_from, judged_to }: DocFilter): Clause[] {
  const clauses: Clause[] = [];
  if (tribunais !== null) clauses.push(codeClause('tribunal', tribunais.map(tribunalCode)));
  if (tipo !== null) clauses.push(codeClause('tipo', [tipoCode(tipo)]));
  if (judged_from !== null || judged_to !== null) {
    // A missing date, 0, lies in no period.
    const from = Math.max(1, judged_from ?? 1);
    clauses.push({ name: 'julgamento', from, to: judged_to ?? Number.POSITIVE_INFINITY, mask: 0 });
  }
  return clauses;
}

function codeClause(name: DocValue, accepted: readonly number[]): Clause {
  // Without any code, nothing is accepted.
  return { name, from: 0, to: -1, mask: accepted.reduce((mask, code) => mask | (1 << code), 0) };
}

function extentOf(values: Values, block: number): Extent {
  let min = Number.POSITIVE_INFINITY;
  let minAboveZero = Number.POSITIVE_INFINITY;
  let max = 0;
  let codes = 0;
  // Doc ids begin with 1.
  for (let at = block === 0 ? 1 : 0; at < values.length; at += 1) {
    const value = values[at] ?? missing();
    if (value < min) min = value;
    if (value < minAboveZero && value > 0) minAboveZero = value;
    if (value > max) max = value;
    if (values instanceof Uint8Array) codes |= 1 << value;
  }
  return { min, minAboveZero, max, codes };
}

function isExcluded({ minAboveZero, max, codes }: Extent, { from, to, mask }: Clause): boolean {
  return mask === 0 ? max < from || minAboveZero > to : (codes & mask) === 0;
}

function isIncluded({ min, max, codes }: Extent, { from, to, mask }: Clause): boolean {
  return mask === 0 ? min >= from && max <= to : (codes & ~mask) === 0;
}

function isAccepted(value: number, { from, to, mask }: Clause): boolean {
  return mask === 0 ? value >= from && value <= to : ((mask >>> value) & 1) === 1;
}

function keepAccepted(bits: Bits, values: Values, clause: Clause): void {
  for (let word = 0; word < bits.length; word += 1) {
    let kept = bits[word] ?? missing();
    for (let left = kept; left !== 0; left &= left - 1) {
      const bit = left & -left;
      const value = values[word * 32 + 31 - Math.clz32(bit)] ?? missing();
      if (!isAccepted(value, clause)) kept &= ~bit;
    }
    bits[word] = kept;
  }
}

function acceptedIn(values: Values, clause: Clause): Bits {
  const bits = new Uint32Array(EMPTY.length);
  for (let start = 0; start < values.length; start += 32) {
    const end = Math.min(start + 32, values.length);
    let word = 0;
    for (let at = start; at < end; at += 1)
      word |= Number(isAccepted(values[at] ?? missing(), clause)) << (at & 31);
    bits[start >>> 5] = word;
  }
  return bits;
}
