import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../src/index/format/bytes.ts';
import {
  COLUMN_SPAN,
  INLINE_MAX,
  PART_SIZE,
  Positions,
  writePositions,
} from '../../../src/index/format/positions.ts';
import { SPARSE_MAX, offsetsOf } from '../../../src/index/format/posting-list.ts';
import { BLOCK_SIZE, SCHEMA_SQL } from '../../../src/index/format/schema.ts';
import { rowsOf } from '../../../src/index/format/seal.ts';
import { ListRows } from '../../../src/index/read/list-rows.ts';
import { WordPositions } from '../../../src/index/read/term-positions.ts';
import { threadCacheAt } from '../../../src/index/read/thread-cache.ts';
import { PostingStore } from '../../../src/index/write/posting-store.ts';

interface Posting {
  readonly impact: number;
  readonly positions: readonly number[];
}
type Model = Map<number, Posting>;
/** By offset; null takes a decision out. */
type Changes = ReadonlyMap<number, Posting | null>;

const BLOCK = 3;
const LIST = 7;
const ENTRY = { kind: 'list', id: LIST, rows: [BLOCK, 1] } as const;

function bytesOf(postings: readonly Posting[]): Uint8Array {
  const bytes = new ByteWriter();
  for (const { positions } of postings)
    writePositions(bytes, Int32Array.from(positions), 0, positions.length);
  return bytes.result();
}

/** So many decisions, spread evenly over the block, with from one to four positions in changing columns. */
function spread(count: number): Model {
  const step = BLOCK_SIZE / count;
  return new Map(
    Array.from({ length: count }, (_, at) => [
      Math.floor(at * step),
      {
        impact: 1 + (at % 255),
        positions: Array.from(
          { length: 1 + (at % 4) },
          (_unused, more) => Math.min(4, more + (at % 3)) * COLUMN_SPAN + ((at * 37) % 300) + more * 90,
        ),
      },
    ]),
  );
}

class Store {
  readonly db = new Database(':memory:');
  readonly store: PostingStore;
  #generation = 0;

  constructor() {
    this.db.exec(SCHEMA_SQL);
    this.store = new PostingStore(this.db);
  }

  append(entries: readonly (readonly [number, Posting])[], isNew: boolean): void {
    const postings = entries.map(([, posting]) => posting);
    this.store.change(LIST, BLOCK, isNew, {
      docIds: Uint32Array.from([1, ...entries.map(([offset]) => BLOCK * BLOCK_SIZE + offset), 1]),
      impacts: Uint8Array.from([1, ...postings.map(({ impact }) => impact), 1]),
      positions: bytesOf(postings),
      from: 1,
      to: entries.length + 1,
    });
  }

  change(changes: Changes): void {
    const entries = [...changes].toSorted(([a], [b]) => a - b);
    this.store.change(LIST, BLOCK, false, {
      docIds: Uint32Array.from(entries, ([offset]) => BLOCK * BLOCK_SIZE + offset),
      impacts: Uint8Array.from(entries, ([, posting]) => posting?.impact ?? 0),
      positions: Buffer.concat(
        entries.map(([, posting]) => (posting === null ? Uint8Array.of(1) : bytesOf([posting]))),
      ),
      from: 0,
      to: entries.length,
    });
  }

  /** What it holds, as a search reads it. */
  content(): Model {
    this.#generation += 1;
    const rows = new ListRows(rowsOf(this.db), threadCacheAt(this.db, this.#generation));
    const list = rows.list(ENTRY, BLOCK);
    const impacts = rows.impacts(ENTRY, BLOCK, list);
    const word = new WordPositions(rows, ENTRY);
    word.open(BLOCK);
    return new Map(
      [...offsetsOf(list)].map((offset, rank) => {
        const positions = new Positions();
        word.readAt(rank, 0b11111, positions);
        return [
          offset,
          { impact: impacts[rank] ?? 0, positions: [...positions.values.subarray(0, positions.count)] },
        ];
      }),
    );
  }

  rows(): unknown[] {
    return ['postings', 'positions'].map((table) => this.db.prepare(`SELECT * FROM ${table}`).all());
  }
}

const sizes = [1, INLINE_MAX, INLINE_MAX + 1, PART_SIZE, PART_SIZE + 1, 1_100, SPARSE_MAX, SPARSE_MAX + 1];
const size = fc.oneof(fc.constantFrom(...sizes), fc.integer({ min: 1, max: 5_000 }));

function expected(model: Model): Model {
  return new Map([...model].toSorted(([a], [b]) => a - b));
}

describe('the rows of a word', () => {
  test('hold the postings written, and are the same whether written at once or in parts', () => {
    fc.assert(
      fc.property(size, fc.double({ min: 0, max: 1, noNaN: true }), (count, share) => {
        const entries = [...spread(count)];
        const whole = new Store();
        whole.append(entries, true);
        expect(whole.content()).toEqual(expected(new Map(entries)));
        const cut = Math.floor(count * share);
        const parts = new Store();
        parts.append(entries.slice(0, cut), true);
        parts.append(entries.slice(cut), false);
        expect(parts.rows()).toEqual(whole.rows());
      }),
      { numRuns: 25 },
    );
  });

  test('accept changes of several decisions at once, even if the form changes', () => {
    const change = fc.tuple(
      fc.integer({ min: 0, max: BLOCK_SIZE - 1 }),
      fc.option(fc.integer({ min: 1, max: 255 }), { nil: null }),
    );
    fc.assert(
      fc.property(
        size,
        fc.array(fc.array(change, { minLength: 1, maxLength: 700 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (count, rounds, isOld) => {
          const model = spread(count);
          const store = new Store();
          store.append([...model], true);
          for (const round of rounds) {
            const changes = new Map<number, Posting | null>();
            for (const [place, impact] of round) {
              // Of decisions that are there and of others.
              const offset = isOld ? ([...model.keys()][place % model.size] ?? place) : place;
              const positions = [place % 7, (place % 7) + 2, COLUMN_SPAN + (impact ?? 0)];
              changes.set(offset, impact === null ? null : { impact, positions });
            }
            store.change(changes);
            for (const [offset, posting] of changes) {
              if (posting === null) model.delete(offset);
              else model.set(offset, posting);
            }
            expect(store.content()).toEqual(expected(model));
          }
          const whole = new Store();
          whole.append([...expected(model)], true);
          expect(store.rows()).toEqual(whole.rows());
        },
      ),
      { numRuns: 40 },
    );
  });
});
