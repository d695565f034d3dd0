import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { elementAt } from '../../../src/index/format/element-at.ts';
import { groupsOf } from '../../../src/index/format/positions.ts';
import {
  densePart,
  offsetsOf,
  openList,
  sparsePart,
  SPARSE_MAX,
} from '../../../src/index/format/posting-list.ts';
import { forEachPart, joinedRow, partOf, PART_HEAD_BYTES } from '../../../src/index/format/posting-row.ts';
import { recordsIn } from '../../../src/index/format/record-reader.ts';
import { newBits, setBit } from '../../../src/index/read/bitset.ts';
import { BlockCollector, addImpacts, forEachInBitmap } from '../../../src/index/read/block-collector.ts';
import { DamagedBase, u32At } from '../../../src/index/format/seal.ts';

const offsets = Uint16Array.from({ length: SPARSE_MAX + 1 }, (_, one) => 3 * one);
const sparse = sparsePart(4, offsets, Uint8Array.of(1, 2, 3), 3, Uint8Array.of(17, 17, 17));
const dense = densePart(7, offsets, offsets.length);

describe('inconsistent content with a right checksum', () => {
  test('is damage where a row ends early, at any byte', () => {
    const row = joinedRow([sparse, dense]);
    for (let length = 1; length < row.length; length += length < 100 || length > row.length - 40 ? 1 : 97) {
      const visited: number[] = [];
      const visit = () => {
        forEachPart(row.subarray(0, length), (block) => visited.push(block));
      };
      if (length === sparse.length) visit();
      else expect(visit, String(length)).toThrow(DamagedBase);
      // What lies before the cut is still there; a block that lies behind it is not taken for one that was never there.
      if (length !== sparse.length) expect(() => partOf(row.subarray(0, length), 99)).toThrow(DamagedBase);
    }
  });

  test('is damage where a number of four bytes ends early', () => {
    expect(u32At(Uint8Array.of(9, 1, 2, 0, 0), 1)).toBe(513);
    for (const start of [2, 5, 99])
      expect(() => u32At(Uint8Array.of(9, 1, 2, 0, 0), start)).toThrow(DamagedBase);
  });

  test('is damage where a bitmap has more or fewer decisions than its count', () => {
    const content = dense.slice(PART_HEAD_BYTES);
    expect(offsetsOf(openList(content))).toEqual(offsets);
    for (const bits of [0, 0b11]) {
      const other = content.slice();
      other[4] = bits;
      expect(() => offsetsOf(openList(other))).toThrow(DamagedBase);
    }
  });

  test('is damage where positions have fewer groups than decisions need', () => {
    expect(() => groupsOf(Uint8Array.of(5), 500)).toThrow(DamagedBase);
  });

  test('is damage, and no score, where a list has fewer impacts or bits than decisions', () => {
    const list = openList(dense.slice(PART_HEAD_BYTES));
    if (list.kind !== 'dense') throw new Error('not a bitmap');
    const impacts = new Uint8Array(list.count).fill(9);
    const collector = new BlockCollector();
    const scored = (one: typeof list, weights: Uint8Array) => {
      const bits = newBits();
      setBit(bits, offsets.at(-1) ?? 0);
      collector.reset(bits);
      addImpacts(one, weights, 2, collector);
      return collector.scores[0];
    };
    expect(scored(list, impacts)).toBe(18);
    expect(() => scored(list, impacts.subarray(1))).toThrow(DamagedBase);
    const fewer = { ...list, bitmap: list.bitmap.subarray(0, 8) };
    expect(() => scored(fewer, impacts)).toThrow(DamagedBase);
    // Otherwise it would look for the bits without an end.
    expect(() => {
      forEachInBitmap(fewer.bitmap, impacts, 1, () => undefined);
    }).toThrow(DamagedBase);
  });

  test('is damage where the file does not name its base', () => {
    const db = new Database(':memory:');
    db.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)');
    expect(() => recordsIn(db)).toThrow(DamagedBase);
    db.close();
  });

  test('is damage where an element is missing', () => {
    expect(elementAt(Uint8Array.of(4, 0), 1)).toBe(0);
    for (const index of [-1, 2, Number.NaN])
      expect(() => elementAt(Uint8Array.of(4, 0), index)).toThrow(DamagedBase);
  });
});
