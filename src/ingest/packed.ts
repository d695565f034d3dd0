import { bug } from '../bug.ts';
import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';

type Part = Uint8Array | Uint32Array;
/** A record with the length of each of its parts in place of it. */
type Unparted = { readonly [K in keyof NewRecord]: NewRecord[K] extends Part ? number : NewRecord[K] };

/**
 * A batch in transfer between threads. Cloning many small arrays is slow, so they are joined in two that are transferred: `unpack`
 * cuts them in the order in which `pack` joined them.
 */
export interface PackedBatch extends Omit<RecordBatch, 'items'> {
  /** The reason in place of a rejected line. */
  readonly records: readonly (Unparted | string)[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lists: Uint32Array<ArrayBuffer>;
}

export function pack({ items, ...rest }: RecordBatch): PackedBatch {
  const lists: Uint32Array[] = [];
  const bytes: Uint8Array[] = [];
  const records = items.map((item) =>
    typeof item === 'string'
      ? item
      : {
          ...item,
          lists: add(lists, item.lists),
          digest: add(bytes, item.digest),
          rest: add(bytes, item.rest),
          impacts: add(bytes, item.impacts),
          positions: add(bytes, item.positions),
        },
  );
  return {
    records,
    lists: joined(lists, new Uint32Array(lengthOf(lists))),
    bytes: joined(bytes, new Uint8Array(lengthOf(bytes))),
    ...rest,
  };
}

/** The transferred buffers; the sender's are empty afterwards. */
export function transferred({ bytes, lists }: PackedBatch): ArrayBuffer[] {
  return [bytes.buffer, lists.buffer];
}

export function unpack({ records, lists, bytes, ...rest }: PackedBatch): RecordBatch {
  let [list, byte] = [0, 0];
  const part = (length: number) => bytes.subarray(byte, (byte += length));
  const items = records.map((record) =>
    typeof record === 'string'
      ? record
      : {
          ...record,
          lists: lists.subarray(list, (list += record.lists)),
          digest: part(record.digest),
          rest: part(record.rest),
          impacts: part(record.impacts),
          positions: part(record.positions),
        },
  );
  if (byte !== bytes.length || list !== lists.length) bug('a batch of other lengths than its records say');
  return { items, ...rest };
}

function add<P extends Part>(parts: P[], part: P): number {
  parts.push(part);
  return part.length;
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function joined<Whole extends Part>(parts: readonly Part[], whole: Whole): Whole {
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
