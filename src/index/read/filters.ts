import { missing } from '../format/element-at.ts';
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
import { EMPTY, intersect, type Bits } from './bitset.ts';
import type { Connection, Snapshot } from './connection.ts';
import { threadCacheAt, type Extent } from './thread-cache.ts';

type Values = Uint8Array | Uint32Array;

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

/** Removes the decisions of a block that the filter excludes. */
export type BlockFilter = (bits: Bits, block: number) => void;

/** The values of one column from `from` to `to`, or some of them: a bit for each accepted value up to 31. */
interface Clause {
  readonly name: DocValue;
  readonly from: number;
  readonly to: number;
  readonly mask: number;
}

/** Null if the filter excludes nothing. */
export function filterOf(connection: Connection, filter: DocFilter, snapshot: Snapshot): BlockFilter | null {
  const clauses = clausesOf(filter);
  if (clauses.length === 0) return null;
  const columns = new Columns(connection, snapshot);
  return (bits, block) => {
    for (const clause of clauses) columns.keep(bits, block, clause);
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
  return { name, from: 0, to: 31, mask: accepted.reduce((mask, code) => mask | (1 << code), 0) };
}

/**
 * The columns that filters read. A thread keeps them for a data generation, with their checksums verified once. A clause
 * compares the values of the candidates; from its second use on it has the set of all decisions that it accepts in the block,
 * because searches repeat their filters.
 */
class Columns {
  readonly #connection: Connection;
  readonly #snapshot: Snapshot;

  constructor(connection: Connection, snapshot: Snapshot) {
    this.#connection = connection;
    this.#snapshot = snapshot;
  }

  keep(bits: Bits, block: number, clause: Clause): void {
    const { name, from, to, mask } = clause;
    const { min, minAboveZero, max, codes } = this.#extent(name, block);
    const isCode = DOC_VALUES[name] === 1;
    if (isCode ? (codes & ~mask) === 0 : min >= from && max <= to) return;
    if (isCode ? (codes & mask) === 0 : max < from || minAboveZero > to) {
      bits.fill(0);
      return;
    }
    const { accepted } = this.#cache;
    const key = `${name} ${from} ${to} ${mask} ${block}`;
    let set = accepted.get(key);
    if (set === undefined) {
      accepted.set(key, EMPTY);
      keepAccepted(bits, this.#values(name, block), clause);
      return;
    }
    if (set === EMPTY) {
      set = acceptedIn(this.#values(name, block), clause);
      accepted.set(key, set);
    }
    intersect(bits, set);
  }

  get #cache() {
    return threadCacheAt(this.#connection, this.#snapshot.generation);
  }

  #extent(name: DocValue, block: number): Extent {
    const key = docValuesKey(name, block);
    const { extents } = this.#cache;
    let found = extents.get(key);
    if (found === undefined) {
      found = extentOf(this.#values(name, block), DOC_VALUES[name] === 1, block === 0 ? 1 : 0);
      extents.set(key, found);
    }
    return found;
  }

  #values(name: DocValue, block: number): Values {
    const key = docValuesKey(name, block);
    const { columns } = this.#cache;
    let values = columns.get(key);
    if (values === undefined) {
      values = docValues(this.#connection, name, block, this.#snapshot);
      columns.set(key, values);
    }
    return values;
  }
}

function extentOf(values: Values, areCodes: boolean, first: number): Extent {
  let min = Number.POSITIVE_INFINITY;
  let minAboveZero = Number.POSITIVE_INFINITY;
  let max = 0;
  let codes = 0;
  for (let at = first; at < values.length; at += 1) {
    const value = values[at] ?? missing();
    if (value < min) min = value;
    if (value < minAboveZero && value > 0) minAboveZero = value;
    if (value > max) max = value;
    if (areCodes) codes |= 1 << value;
  }
  return { min, minAboveZero, max, codes };
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

function acceptedIn(values: Values, { from, to, mask }: Clause): Bits {
  const bits = new Uint32Array(EMPTY.length);
  const { length } = values;
  for (let at = 0; at < length; at += 1) {
    const value = values[at] ?? missing();
    const accepted = mask === 0 ? Number(value >= from && value <= to) : (mask >>> value) & 1;
    bits[at >>> 5] = (bits[at >>> 5] ?? missing()) | (accepted << (at & 31));
  }
  return bits;
}
