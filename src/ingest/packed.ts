import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';

/**
 * A batch of records as it goes from one thread to the other. Cloning takes its time for each object and hardly any
 * for what is in it, so the decisions' texts are one row of strings, which are not copied, and all else is in a few
 * arrays that change hands. What `pack` makes, `unpack` reads, and nothing else.
 */
export interface PackedBatch {
  /** `TEXTS` of each decision, one after the other; of a rejected line the reason alone. */
  readonly strings: readonly string[];
  /** `FIELDS` of each line; the first is `REJECTED` where it is no decision. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Of each decision its digest. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lists: Uint32Array<ArrayBuffer>;
  readonly impacts: Uint8Array<ArrayBuffer>;
  readonly places: Uint8Array<ArrayBuffer>;
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
  const places = new Uint8Array(sum(decisions, ({ places: own }) => own.length));
  let place = 0;
  let byte = 0;
  let list = 0;
  let field = 0;
  for (const item of items) {
    if (typeof item === 'string') {
      strings.push(item);
      numbers[field] = REJECTED;
    } else {
      strings.push(item.chave, item.resumo, item.documento, ...item.indexed);
      numbers.set(numbersOf(item), field);
      bytes.set(item.digest, byte);
      lists.set(item.lists, list);
      impacts.set(item.impacts, list);
      places.set(item.places, place);
      place += item.places.length;
      byte += bytesOf(item);
      list += listsOf(item);
    }
    field += FIELDS;
  }
  return { strings, numbers, bytes, lists, impacts, places, texts };
}

/** The buffers that go over as they are, and are gone from where they were. */
export function transferred({ numbers, bytes, lists, impacts, places }: PackedBatch): ArrayBuffer[] {
  return [numbers.buffer, bytes.buffer, lists.buffer, impacts.buffer, places.buffer];
}

export function unpack({ strings, numbers, bytes, lists, impacts, places, texts }: PackedBatch): RecordBatch {
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
    const end = byte + number(5);
    const listsEnd = list + number(6);
    const placesEnd = place + number(8);
    items.push({
      tribunal: number(0),
      tipo: number(1),
      julgamento: number(2),
      publicacao: number(3),
      indexesFullText: number(4) === 1,
      digest: bytes.subarray(byte, end),
      lists: lists.subarray(list, listsEnd),
      impacts: impacts.subarray(list, listsEnd),
      places: places.subarray(place, placesEnd),
      chave: text(),
      resumo: text(),
      documento: text(),
      indexed: Array.from({ length: number(7) }, text),
      isMadeUp: number(9) === 1,
    });
    byte = end;
    list = listsEnd;
    place = placesEnd;
  }
  return { items, texts };
}

/** In the order in which `unpack` reads them. */
function numbersOf(item: NewRecord): number[] {
  const { tribunal, tipo, julgamento, publicacao, indexesFullText } = item;
  const lengths = [item.digest.length, item.lists.length, item.indexed.length, item.places.length];
  return [tribunal, tipo, julgamento, publicacao, indexesFullText ? 1 : 0, ...lengths, item.isMadeUp ? 1 : 0];
}

function bytesOf({ digest }: NewRecord): number {
  return digest.length;
}

function listsOf({ lists }: NewRecord): number {
  return lists.length;
}

function sum(items: readonly NewRecord[], figureOf: (item: NewRecord) => number): number {
  return items.reduce((total, item) => total + figureOf(item), 0);
}
