import type Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { impact } from '../../../src/index/format/bm25f.ts';
import { ROW_BYTES_MAX } from '../../../src/index/format/posting-row.ts';
import { BLOCK_SIZE, baseFile } from '../../../src/index/format/schema.ts';
import { WRITE_STATE_SQL, writeState } from '../../../src/index/format/state.ts';
import { checkLists } from '../../../src/index/check/check-lists.ts';
import { Connector, snapshotOf } from '../../../src/index/read/connection.ts';
import { openForWriting } from '../../../src/index/write/base-file.ts';
import { Inverter } from '../../../src/index/write/inverter.ts';
import { NO_POSTINGS, PostingWriter } from '../../../src/index/write/posting-writer.ts';
import { Rng } from '../../../src/tools/demo/rng.ts';
import { listsIn, type Posting } from '../../support/index-content.ts';
import { temporaryFolder } from '../../support/service.ts';
import { SecondReader } from '../second-reader.ts';

const BLOCKS = 14;
/** The first stands in each decision, the last in a few. */
const WORDS = Array.from({ length: 60 }, (_, at) => `w${String(at).padStart(2, '0')}`);
/** Decisions of a block: few, enough for positions in rows of their own, and enough for a bitmap. */
const SIZES = [0, 1, 3, 40, 200, 5_000];

const EMPTY = { tese: '', dispositivo: '', temas: '', processo: '' };
const indexed = (words: readonly string[]) => ({ ementa: words.join(' '), ...EMPTY });

/** A base whose decisions lie in many blocks, of which each has a few: no load could make it as quickly. */
class Base {
  readonly #rng: Rng;
  readonly #db: Database.Database;
  readonly #writer: PostingWriter;
  readonly #inverter = new Inverter();
  readonly #texts = new Map<number, string[]>();

  constructor(folder: string, seed: number) {
    this.#rng = new Rng(seed);
    this.#db = openForWriting(folder, 'stj');
    this.#writer = new PostingWriter(this.#db);
  }

  fill(): void {
    this.#db.exec('BEGIN');
    for (let block = 0; block < BLOCKS; block += 1) {
      const size = this.#rng.pick(SIZES);
      const step = Math.max(1, Math.floor(BLOCK_SIZE / (size + 1)));
      for (let at = 1; at <= size; at += 1) {
        this.#append(block * BLOCK_SIZE + at * step);
        if (this.#rng.below(size) < 2) this.#writer.flush();
      }
      for (let changes = this.#rng.below(6); changes > 0 && this.#texts.size > 0; changes -= 1)
        this.#replace();
    }
    this.#append(BLOCKS * BLOCK_SIZE);
    this.#writer.flush();
    const docs = BLOCKS * BLOCK_SIZE;
    const state = {
      generation: 1,
      mark: '0badcafe',
      docs,
      withdrawn: 0,
      readmitted: 0,
      terms: this.#writer.lastTermId,
      removedTerms: this.#writer.removedTerms,
      replaced: [1, 1],
      sourceKeys: 0,
    } as const;
    this.#db.prepare(WRITE_STATE_SQL).run(writeState(state));
    this.#db.exec('COMMIT');
  }

  /** Takes some decisions out at once, or all. */
  withdraw(share: number): void {
    for (const [docId, words] of this.#texts) {
      if (!this.#rng.chance(share)) continue;
      this.#writer.replace(docId, this.#writer.invert(indexed(words)), NO_POSTINGS);
      this.#texts.delete(docId);
    }
    this.#writer.flush();
  }

  /** What each list must hold, by the texts alone. */
  expected(): Map<string, Posting[]> {
    const lists = new Map<string, Posting[]>();
    for (const [docId, words] of [...this.#texts].toSorted(([a], [b]) => a - b)) {
      for (const word of new Set(words)) {
        const positions = words.flatMap((one, at) => (one === word ? [at] : []));
        const list = lists.get(word) ?? [];
        lists.set(word, list);
        list.push([docId, impact(positions.length, words.length), ...positions]);
      }
    }
    return lists;
  }

  /** The length of each row of a posting list, and over how many blocks the longest goes. */
  rowLengths(): number[] {
    return this.#db.prepare<[], number>('SELECT length(data) FROM postings WHERE id % 2 = 0').pluck().all();
  }

  /** All rows of lists and positions. */
  rows(): number {
    const sql = 'SELECT (SELECT count(*) FROM postings) + (SELECT count(*) FROM positions)';
    return this.#db.prepare<[], number>(sql).pluck().get() ?? -1;
  }

  close(): void {
    this.#db.close();
  }

  #postings(): ReturnType<Inverter['invert']> & { readonly words: string[] } {
    const words = WORDS.filter((_, at) => this.#rng.below(at + 1) === 0);
    if (this.#rng.chance(0.2)) words.push(...words.slice(0, 3));
    const postings = this.#inverter.invert(indexed(words));
    this.#writer.addTerms({ words: this.#inverter.newWords(), restarts: false });
    return { ...postings, words };
  }

  #append(docId: number): void {
    const { words, ...postings } = this.#postings();
    this.#texts.set(docId, words);
    this.#writer.append(docId, postings);
  }

  #replace(): void {
    const docId = this.#rng.pick([...this.#texts.keys()]);
    const { words, ...postings } = this.#postings();
    const before = this.#texts.get(docId) ?? [];
    // As a decision whose texts are kept, and as one that was indexed by its full text.
    const old = this.#rng.chance(0.5)
      ? this.#writer.invert(indexed(before))
      : this.#writer.postingsOf(new Map(before.map((word) => [word, 1])));
    this.#writer.replace(docId, old, postings);
    if (this.#rng.chance(0.3)) this.#writer.flush();
    this.#texts.set(docId, words);
  }
}

describe('the rows of a list over many blocks', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  test.each(Array.from({ length: 4 }, (_, seed) => seed))(
    'hold the postings of its decisions after merges, replacements and withdrawals (%i)',
    (seed) => {
      const base = new Base(folder, seed);
      base.fill();
      const expected = base.expected();
      const file = baseFile(folder, 'stj');
      const held = listsIn(file, 'stj');
      for (const word of WORDS)
        expect({ word, held: held.get(word) }).toEqual({ word, held: expected.get(word) });
      const second = new SecondReader(file);
      for (const [word, postings] of expected) {
        const numbers = second.search({ kind: 'term', token: word, prefix: false }, [], 'recentes');
        expect({ word, numbers }).toEqual({ word, numbers: postings.map(([docId]) => docId).toReversed() });
        for (const [docId, weight] of postings.slice(-40)) expect(second.impactOf(word, docId)).toBe(weight);
      }
      second.close();
      const damages: string[] = [];
      const connector = new Connector(file, 'stj');
      const connection = connector.connection();
      const seen = { postings: 0, positions: 0 };
      checkLists(connection, snapshotOf(connection), (damage) => damages.push(damage), seen, new Set());
      connector.close();
      expect(damages).toEqual([]);
      const lengths = base.rowLengths();
      expect(lengths.length).toBeLessThan((WORDS.length * BLOCKS) / 2);
      // A bitmap is half of what a row may hold, and a replaced decision may add to a full one.
      expect(Math.max(...lengths)).toBeLessThan(ROW_BYTES_MAX + 1_000);
      for (const share of [0.3, 0.9, 0.9]) {
        base.withdraw(share);
        expect(listsIn(file, 'stj')).toEqual(base.expected());
      }
      base.withdraw(1);
      expect([listsIn(file, 'stj').size, base.rows()]).toEqual([0, 0]);
      base.close();
    },
  );
});
