import type Database from 'better-sqlite3';
import { ByteWriter } from '../format/bytes.ts';
import { INLINE_MAX, PART_SIZE, groupsOf, skipPositions, writePart } from '../format/positions.ts';
import {
  NOTHING,
  NO_POSTINGS,
  SPARSE_MAX,
  countOf,
  denseRow,
  offsetsOf,
  openList,
  sparseRow,
  impactsRow,
  type PostingList,
  type Postings,
} from '../format/posting-list.ts';
import { ROW_BYTES_MAX, aligned, joinedRow, partOf, withPart } from '../format/posting-row.ts';
import { postingsKey, positionsKey, impactsKey } from '../format/schema.ts';
import { SEAL_BYTES, sealInPlace, unseal } from '../format/seal.ts';

/** A list in one block. */
export interface ListPart {
  readonly termId: number;
  readonly block: number;
  /** The first block of the row that goes over it. */
  readonly row: number;
}

/** Postings with the positions of each, one after the other. */
export interface Added extends Postings {
  readonly positions: Uint8Array;
}

/** Writes the rows of posting lists and of their positions. */
export class PostingStore {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database.Database) {
    this.#sql = prepare(db);
  }

  /**
   * Adds postings that come after all that a list has. Its last block has a row by itself.
   * @param before what it has: nothing, the postings to begin with, or null where there is a row.
   */
  append(part: ListPart, before: Uint8Array | null, added: Added): void {
    const key = postingsKey(part.termId, part.block);
    const content = before ?? partOf(this.#row(key), part.block) ?? NOTHING;
    const had = content.length === 0 ? 0 : countOf(content);
    const count = had + added.to - added.from;
    const inline = had > 0 && had <= INLINE_MAX ? openList(content).positions : NOTHING;
    const isInline = count <= INLINE_MAX;
    if (count <= SPARSE_MAX) {
      const positions = isInline ? ([inline, added.positions] as const) : ([NOTHING, NOTHING] as const);
      this.#putRow(key, sparseRow(part.block, content, added, positions));
    } else {
      this.#putRow(key, this.#appendDense(part, content, added));
    }
    if (!isInline) this.#appendPositions(part, had, inline, added.positions, count);
  }

  /** Puts one decision of a list in the place of what it was there, or takes it out when `posting` is null. */
  edit(part: ListPart, offset: number, posting: { impact: number; positions: Uint8Array } | null): void {
    const key = postingsKey(part.termId, part.row);
    const row = this.#row(key);
    const content = partOf(row, part.block);
    const list = content === null ? NO_POSTINGS : openList(content);
    const before = offsetsOf(list);
    const impacts = this.#impactsOf(part, list);
    let rank = 0;
    while (rank < before.length && (before[rank] ?? 0) < offset) rank += 1;
    const gone = before[rank] === offset ? 1 : 0;
    const come = posting === null ? 0 : 1;
    const offsets = spliced(before, rank, gone, posting === null ? [] : [offset], Uint16Array);
    const weights = spliced(impacts, rank, gone, posting === null ? [] : [posting.impact], Uint8Array);
    const positions = this.#editPositions(part, list, rank, gone, come, posting?.positions ?? NOTHING);
    const edited = this.#whole(part, list.count, offsets, weights, positions);
    this.#putRow(key, withPart(row, edited.subarray(0, -SEAL_BYTES)));
  }

  /**
   * Joins two rows of a list that follow each other, unless they are too long for one.
   * @param first and @param second the first blocks of both. @returns whether they are one row now.
   */
  join(termId: number, first: number, second: number): boolean {
    const [one, other] = [this.#row(postingsKey(termId, first)), this.#row(postingsKey(termId, second))];
    if (one.length + other.length > ROW_BYTES_MAX) return false;
    this.#putRow(postingsKey(termId, first), joinedRow([one, other]));
    this.#sql.deleteList.run(postingsKey(termId, second));
    return true;
  }

  #impactsOf({ termId, block }: ListPart, { impacts }: PostingList): Uint8Array {
    return impacts ?? this.#row(impactsKey(termId, block));
  }

  #row(key: number): Uint8Array {
    return aligned(unseal('postings', key, this.#sql.readList.get(key)));
  }

  #putRow(key: number, row: Uint8Array): void {
    this.#sql.writeList.run(key, sealInPlace('postings', key, row));
  }

  #putDense({ termId, block }: ListPart, offsets: Uint16Array, impacts: Uint8Array): Uint8Array {
    this.#putRow(impactsKey(termId, block), impactsRow(impacts));
    return denseRow(block, offsets);
  }

  #appendDense(part: ListPart, before: Uint8Array, { offsets, impacts, from, to }: Added): Uint8Array {
    const list = before.length === 0 ? NO_POSTINGS : openList(before);
    const after = spliced(offsetsOf(list), list.count, 0, offsets.subarray(from, to), Uint16Array);
    const had = this.#impactsOf(part, list);
    return this.#putDense(part, after, spliced(had, list.count, 0, impacts.subarray(from, to), Uint8Array));
  }

  #whole(
    part: ListPart,
    had: number,
    offsets: Uint16Array,
    impacts: Uint8Array,
    positions: Uint8Array,
  ): Uint8Array {
    if (offsets.length > SPARSE_MAX) return this.#putDense(part, offsets, impacts);
    if (had > SPARSE_MAX) this.#sql.deleteList.run(impactsKey(part.termId, part.block));
    const all = { offsets, impacts, from: 0, to: offsets.length };
    return sparseRow(part.block, NOTHING, all, [positions, NOTHING]);
  }

  #appendPositions(part: ListPart, had: number, inline: Uint8Array, added: Uint8Array, count: number): void {
    const isApart = had > INLINE_MAX;
    const first = isApart ? Math.floor(had / PART_SIZE) : 0;
    const isCut = isApart && had % PART_SIZE > 0;
    const kept = isCut ? this.#positionsOf(part, first, had) : inline;
    this.#putPositions(part, first, joined(kept, added), count - first * PART_SIZE);
  }

  /** @returns the positions that stand with the list itself. */
  #editPositions(
    part: ListPart,
    { count, positions }: PostingList,
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
    let bytes = positions;
    for (let at = first; at < end; at += 1) bytes = joined(bytes, this.#positionsOf(part, at, count));
    const from = skipPositions(bytes, 0, rank - first * PART_SIZE);
    const to = skipPositions(bytes, from, gone);
    const edited = joined(bytes.subarray(0, from), joined(coming, bytes.subarray(to)));
    const needed = willBeApart ? Math.ceil(after / PART_SIZE) : 0;
    for (let at = needed; at < parts; at += 1)
      this.#sql.deletePositions.run(positionsKey(part.termId, part.block, at));
    if (!willBeApart) return edited;
    const left = after - first * PART_SIZE;
    this.#putPositions(part, first, edited, gone === come ? Math.min(PART_SIZE, left) : left);
    return NOTHING;
  }

  /** The positions in a part, without where its groups begin. */
  #positionsOf({ termId, block }: ListPart, part: number, count: number): Uint8Array {
    const key = positionsKey(termId, block, part);
    const content = unseal('positions', key, this.#sql.readPositions.get(key));
    const groups = groupsOf(content, Math.min(PART_SIZE, count - part * PART_SIZE));
    return content.subarray(groups[0]);
  }

  #putPositions({ termId, block }: ListPart, first: number, positions: Uint8Array, decisions: number): void {
    let from = 0;
    for (let at = 0; at * PART_SIZE < decisions; at += 1) {
      const part = new ByteWriter(2_048);
      from = writePart(part, positions, from, Math.min(PART_SIZE, decisions - at * PART_SIZE));
      const key = positionsKey(termId, block, first + at);
      this.#sql.writePositions.run(key, sealInPlace('positions', key, part.result(4)));
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
    readList: db.prepare<[number], Buffer>('SELECT data FROM postings WHERE id = ?').pluck(),
    writeList: db.prepare<[number, Uint8Array]>('INSERT OR REPLACE INTO postings (id, data) VALUES (?, ?)'),
    deleteList: db.prepare<[number]>('DELETE FROM postings WHERE id = ?'),
    readPositions: db.prepare<[number], Buffer>('SELECT data FROM positions WHERE id = ?').pluck(),
    writePositions: db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO positions (id, data) VALUES (?, ?)',
    ),
    deletePositions: db.prepare<[number]>('DELETE FROM positions WHERE id = ?'),
  };
}
