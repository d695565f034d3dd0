import { bug } from '../bug.ts';
import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';

/**
 * A batch in transfer between threads. Cloning costs time for each object and hardly any for its bytes, so bytes are in two
 * arrays that are transferred. `unpack` reads everything in the order in which `pack` wrote it.
 */
export interface PackedBatch extends Omit<RecordBatch, 'items'> {
  /** The reason for each rejected line; else key, frame and own values. */
  readonly strings: readonly string[];
  /** `REJECTED`, or a decision's numbers and lengths. */
  readonly numbers: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lists: Uint32Array<ArrayBuffer>;
}

const REJECTED = -1;

export function pack({ items, ...rest }: RecordBatch): PackedBatch {
  const strings: string[] = [];
  const numbers: number[] = [];
  const bytes: Uint8Array[] = [];
  const lists: Uint32Array[] = [];
  for (const item of items) {
    if (typeof item === 'string') {
      strings.push(item);
      numbers.push(REJECTED);
      continue;
    }
    strings.push(item.chave, item.frame, item.own);
    numbers.push(item.tribunal, item.tipo, item.julgamento, item.publicacao);
    numbers.push(Number(item.indexesFullText), Number(item.isMadeUp), item.lists.length);
    lists.push(item.lists);
    for (const part of [item.digest, item.rest, item.impacts, item.positions]) {
      numbers.push(part.length);
      bytes.push(part);
    }
  }
  return {
    strings,
    numbers,
    bytes: joined(bytes, (length) => new Uint8Array(length)),
    lists: joined(lists, (length) => new Uint32Array(length)),
    ...rest,
  };
}

/** The transferred buffers; the sender's are empty afterwards. */
export function transferred({ bytes, lists }: PackedBatch): ArrayBuffer[] {
  return [bytes.buffer, lists.buffer];
}

export function unpack({ strings, numbers, bytes, lists, ...rest }: PackedBatch): RecordBatch {
  const items: (NewRecord | string)[] = [];
  let [string, number, byte, list] = [0, 0, 0, 0];
  const text = () => strings[string++] ?? bug('no text');
  const next = () => numbers[number++] ?? bug('no number');
  const part = () => bytes.subarray(byte, (byte += next()));
  while (number < numbers.length) {
    const tribunal = next();
    if (tribunal === REJECTED) items.push(text());
    else
      items.push({
        chave: text(),
        frame: text(),
        own: text(),
        tribunal,
        tipo: next(),
        julgamento: next(),
        publicacao: next(),
        indexesFullText: next() === 1,
        isMadeUp: next() === 1,
        lists: lists.subarray(list, (list += next())),
        digest: part(),
        rest: part(),
        impacts: part(),
        positions: part(),
      });
  }
  if (string !== strings.length || byte !== bytes.length || list !== lists.length)
    bug('a batch of other lengths than its numbers say');
  return { items, ...rest };
}

function joined<Whole extends Uint8Array | Uint32Array>(
  parts: readonly (Uint8Array | Uint32Array)[],
  make: (length: number) => Whole,
): Whole {
  const whole = make(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
