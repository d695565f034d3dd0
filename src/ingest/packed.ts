import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';

/**
 * A batch of records as it goes from one thread to the other. Cloning takes its time for each object and hardly any
 * for what is in it, so keys and short texts are one row of strings, which are not copied, and all else is in a few
 * arrays that change hands. What `pack` makes, `unpack` reads, and nothing else.
 */
export interface PackedBatch {
  /** Of each decision its key, its frame and its own values; of a rejected line the reason alone. */
  readonly strings: readonly string[];
  /** `FIELDS` of each line; the first is `REJECTED` where it is no decision. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of each decision its digest and its rest. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lists: Uint32Array<ArrayBuffer>;
  readonly impacts: Uint8Array<ArrayBuffer>;
  readonly positions: Uint8Array<ArrayBuffer>;
  readonly texts: RecordBatch['texts'];
}

const FIELDS = 10;
const REJECTED = -1;

export function pack({ items, texts }: RecordBatch): PackedBatch {
  const strings: string[] = [];
  const numbers = new Float64Array(items.length * FIELDS);
  const decisions = items.filter((item) => typeof item !== 'string');
  const bytes = new Uint8Array(sum(decisions, bytesOf));
  const lists = new Uint32Array(sum(decisions, listsOf));
  const impacts = new Uint8Array(lists.length);
  const positions = new Uint8Array(sum(decisions, ({ positions: own }) => own.length));
  let place = 0;
  let byte = 0;
  let list = 0;
  let field = 0;
  for (const item of items) {
    if (typeof item === 'string') {
      strings.push(item);
      numbers[field] = REJECTED;
    } else {
      strings.push(item.chave, item.frame, item.own);
      numbers.set(numbersOf(item), field);
      bytes.set(item.digest, byte);
      bytes.set(item.rest, byte + item.digest.length);
      lists.set(item.lists, list);
      impacts.set(item.impacts, list);
      positions.set(item.positions, place);
      place += item.positions.length;
      byte += bytesOf(item);
      list += listsOf(item);
    }
    field += FIELDS;
  }
  return { strings, numbers, bytes, lists, impacts, positions, texts };
}

/** The buffers that go over as they are, and are gone from where they were. */
export function transferred({ numbers, bytes, lists, impacts, positions }: PackedBatch): ArrayBuffer[] {
  return [numbers.buffer, bytes.buffer, lists.buffer, impacts.buffer, positions.buffer];
}

export function unpack({
  strings,
  numbers,
  bytes,
  lists,
  impacts,
  positions,
  texts,
}: PackedBatch): RecordBatch {
  const items: (NewRecord | string)[] = [];
  let string = 0;
  let byte = 0;
  let list = 0;
  let place = 0;
  for (let field = 0; field < numbers.length; field += FIELDS) {
    const number = (at: number) => numbers[field + at] ?? 0;
    const text = () => strings[string++] ?? '';
    if (number(0) === REJECTED) {
      items.push(text());
      continue;
    }
    const digestEnd = byte + number(5);
    const end = digestEnd + number(9);
    const listsEnd = list + number(6);
    const positionsEnd = place + number(7);
    items.push({
      tribunal: number(0),
      tipo: number(1),
      julgamento: number(2),
      publicacao: number(3),
      indexesFullText: number(4) === 1,
      digest: bytes.subarray(byte, digestEnd),
      rest: bytes.subarray(digestEnd, end),
      lists: lists.subarray(list, listsEnd),
      impacts: impacts.subarray(list, listsEnd),
      positions: positions.subarray(place, positionsEnd),
      chave: text(),
      frame: text(),
      own: text(),
      isMadeUp: number(8) === 1,
    });
    byte = end;
    list = listsEnd;
    place = positionsEnd;
  }
  return { items, texts };
}

/** In the order in which `unpack` reads them. */
function numbersOf(item: NewRecord): number[] {
  const { tribunal, tipo, julgamento, publicacao, indexesFullText } = item;
  const lengths = [item.digest.length, item.lists.length, item.positions.length];
  const kind = item.isMadeUp ? 1 : 0;
  return [
    tribunal,
    tipo,
    julgamento,
    publicacao,
    indexesFullText ? 1 : 0,
    ...lengths,
    kind,
    item.rest.length,
  ];
}

function bytesOf({ digest, rest }: NewRecord): number {
  return digest.length + rest.length;
}

function listsOf({ lists }: NewRecord): number {
  return lists.length;
}

function sum(items: readonly NewRecord[], figureOf: (item: NewRecord) => number): number {
  return items.reduce((total, item) => total + figureOf(item), 0);
}
