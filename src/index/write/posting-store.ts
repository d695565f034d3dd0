import type Database from 'better-sqlite3';
import { ByteWriter } from '../format/bytes.ts';
import { INLINE_MAX, PART_SIZE, groupsOf, skipPlaces, writePart } from '../format/places.ts';
import {
  NOTHING,
  NO_POSTINGS,
  SPARSE_MAX,
  countOf,
  denseRow,
  offsetsOf,
  openList,
  sparseRow,
  weightsRow,
  type PostingList,
  type Postings,
} from '../format/posting-list.ts';
import { listKey, placesKey, weightsKey } from '../format/schema.ts';
import { sealInPlace, unseal } from '../format/seal.ts';

/** A list in one block. */
export interface ListPart {
  readonly list: number;
  readonly block: number;
}

/** Postings with the positions of each, one after the other. */
export interface Added extends Postings {
  readonly places: Uint8Array;
}

/** Writes the rows of posting lists and of their positions. */
export class PostingStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database.Database) {
    this.#sql = prepare(db);
  }

  /**
   * Adds postings that come after all that a list has in a block.
   * @param before what it has: nothing, the postings to begin with, or null where there is a row.
   */
  append(part: ListPart, before: Uint8Array | null, added: Added): void {
    const content = before ?? this.#content(part);
    const had = content.length === 0 ? 0 : countOf(content);
    const count = had + added.to - added.from;
    const inline = had > 0 && had <= INLINE_MAX ? openList(content).places : NOTHING;
    const isInline = count <= INLINE_MAX;
    if (count <= SPARSE_MAX) {
      const places = isInline ? ([inline, added.places] as const) : ([NOTHING, NOTHING] as const);
      this.#putList(part, sparseRow(content, added, places));
    } else {
      this.#appendDense(part, content, added);
    }
    if (!isInline) this.#appendPlaces(part, had, inline, added.places, count);
  }

  /** Puts one decision of a list in the place of what it was there, or takes it out when `posting` is null. */
  edit(part: ListPart, offset: number, posting: { impact: number; places: Uint8Array } | null): void {
    const list = openList(this.#content(part));
    const before = offsetsOf(list);
    const impacts = this.#impactsOf(part, list);
    let rank = 0;
    while (rank < before.length && (before[rank] ?? 0) < offset) rank += 1;
    const gone = before[rank] === offset ? 1 : 0;
    const come = posting === null ? 0 : 1;
    const offsets = spliced(before, rank, gone, posting === null ? [] : [offset], Uint16Array);
    const weights = spliced(impacts, rank, gone, posting === null ? [] : [posting.impact], Uint8Array);
    const places = this.#editPlaces(part, list, rank, gone, come, posting?.places ?? NOTHING);
    this.#putWhole(part, list.count, offsets, weights, places);
  }

  #content(part: ListPart, keyOf = listKey): Uint8Array {
    const key = keyOf(part.list, part.block);
    return unseal('impacto', key, this.#sql.readList.get(key));
  }

  #impactsOf(part: ListPart, { impacts }: PostingList): Uint8Array {
    return impacts ?? this.#content(part, weightsKey);
  }

  #putList({ list, block }: ListPart, row: Uint8Array, keyOf = listKey): void {
    const key = keyOf(list, block);
    this.#sql.writeList.run(key, sealInPlace('impacto', key, row));
  }

  #putDense(part: ListPart, offsets: Uint16Array, impacts: Uint8Array): void {
    this.#putList(part, denseRow(offsets));
    this.#putList(part, weightsRow(impacts), weightsKey);
  }

  #appendDense(part: ListPart, before: Uint8Array, { offsets, impacts, from, to }: Added): void {
    const list = before.length === 0 ? NO_POSTINGS : openList(before);
    const after = spliced(offsetsOf(list), list.count, 0, offsets.subarray(from, to), Uint16Array);
    const had = this.#impactsOf(part, list);
    this.#putDense(part, after, spliced(had, list.count, 0, impacts.subarray(from, to), Uint8Array));
  }

  #putWhole(
    part: ListPart,
    had: number,
    offsets: Uint16Array,
    impacts: Uint8Array,
    places: Uint8Array,
  ): void {
    if (offsets.length > SPARSE_MAX) {
      this.#putDense(part, offsets, impacts);
      return;
    }
    if (had > SPARSE_MAX) this.#sql.deleteList.run(weightsKey(part.list, part.block));
    this.#putList(
      part,
      sparseRow(NOTHING, { offsets, impacts, from: 0, to: offsets.length }, [places, NOTHING]),
    );
  }

  #appendPlaces(part: ListPart, had: number, inline: Uint8Array, added: Uint8Array, count: number): void {
    const isApart = had > INLINE_MAX;
    const first = isApart ? Math.floor(had / PART_SIZE) : 0;
    const isCut = isApart && had % PART_SIZE > 0;
    const kept = isCut ? this.#placesOf(part, first, had) : inline;
    this.#putPlaces(part, first, joined(kept, added), count - first * PART_SIZE);
  }

  /** @returns the places that stand with the list itself. */
  #editPlaces(
    part: ListPart,
    { count, places }: PostingList,
    rank: number,
    gone: number,
    come: number,
    coming: Uint8Array,
  ): Uint8Array {
    const isApart = count > INLINE_MAX;
    const after = count - gone + come;
    const willBeApart = after > INLINE_MAX;
    const parts = isApart ? Math.ceil(count / PART_SIZE) : 0;
    // Where none goes and none comes, the parts after it stay as they are.
    const first = isApart && willBeApart ? Math.floor(rank / PART_SIZE) : 0;
    const end = gone === come && willBeApart ? Math.min(parts, first + 1) : parts;
    let bytes = places;
    for (let at = first; at < end; at += 1) bytes = joined(bytes, this.#placesOf(part, at, count));
    const from = skipPlaces(bytes, 0, rank - first * PART_SIZE);
    const to = skipPlaces(bytes, from, gone);
    const edited = joined(bytes.subarray(0, from), joined(coming, bytes.subarray(to)));
    const needed = willBeApart ? Math.ceil(after / PART_SIZE) : 0;
    for (let at = needed; at < parts; at += 1)
      this.#sql.deletePlaces.run(placesKey(part.list, part.block, at));
    if (!willBeApart) return edited;
    const left = after - first * PART_SIZE;
    this.#putPlaces(part, first, edited, gone === come ? Math.min(PART_SIZE, left) : left);
    return NOTHING;
  }

  /** The places in a part, without where its groups begin. */
  #placesOf({ list, block }: ListPart, part: number, count: number): Uint8Array {
    const key = placesKey(list, block, part);
    const content = unseal('posicao', key, this.#sql.readPlaces.get(key));
    const groups = groupsOf(content, Math.min(PART_SIZE, count - part * PART_SIZE));
    return content.subarray(groups[0]);
  }

  #putPlaces({ list, block }: ListPart, first: number, places: Uint8Array, decisions: number): void {
    let from = 0;
    for (let at = 0; at * PART_SIZE < decisions; at += 1) {
      const part = new ByteWriter(2_048);
      from = writePart(part, places, from, Math.min(PART_SIZE, decisions - at * PART_SIZE));
      const key = placesKey(list, block, first + at);
      this.#sql.writePlaces.run(key, sealInPlace('posicao', key, part.result(4)));
    }
  }
}

function spliced<Values extends Uint8Array | Uint16Array>(
  before: Values,
  at: number,
  gone: number,
  coming: ArrayLike<number>,
  make: new (length: number) => Values,
): Values {
  const after = new make(before.length - gone + coming.length);
  after.set(before.subarray(0, at));
  after.set(coming, at);
  after.set(before.subarray(at + gone), at + coming.length);
  return after;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function prepare(db: Database.Database) {
  return {
    readList: db.prepare<[number], Buffer>('SELECT dados FROM impacto WHERE lista = ?').pluck(),
    writeList: db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO impacto (lista, dados) VALUES (?, ?)',
    ),
    deleteList: db.prepare<[number]>('DELETE FROM impacto WHERE lista = ?'),
    readPlaces: db.prepare<[number], Buffer>('SELECT dados FROM posicao WHERE parte = ?').pluck(),
    writePlaces: db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO posicao (parte, dados) VALUES (?, ?)',
    ),
    deletePlaces: db.prepare<[number]>('DELETE FROM posicao WHERE parte = ?'),
  };
}
