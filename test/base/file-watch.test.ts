import { copyFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileWatch } from '../../src/base/file-watch.ts';
import { baseFile } from '../../src/base/schema.ts';
import { createBases } from '../../src/ingest/base-file.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

/** Longer than a file must have stood still to be believed. */
const SETTLED_MS = 200;
const LONG_MS = 5_000;

let folder: string;
let file: string;
let clock: SimulatedClock;
let watch: FileWatch;

beforeEach(async () => {
  folder = temporaryFolder();
  createBases(folder);
  file = baseFile(folder, 'stj');
  clock = new SimulatedClock();
  watch = new FileWatch(file, clock);
  watch.moment();
  await clock.advance(SETTLED_MS);
});
afterEach(() => {
  watch.close();
  rmSync(folder, { recursive: true, force: true });
});

function load(text: string): void {
  loadLines(folder, 'stj', [{ tipo: 'acordao', ementa: text }]);
}

async function settledMoment(): Promise<number | null> {
  watch.moment();
  await clock.advance(SETTLED_MS);
  return watch.moment();
}

describe('a watched base file', () => {
  test('is in the same state as long as nothing is written to it, however long that is', async () => {
    const before = watch.moment();
    expect(before).not.toBeNull();
    await clock.advance(LONG_MS);
    expect(watch.moment()).toBe(before);
  });

  test('is in a later one at once when another connection has committed to it', async () => {
    const moments = [watch.moment()];
    for (const text of ['um', 'dois', 'três']) {
      load(text);
      const now = watch.moment();
      // Where the write was seen in the file itself it counts as another one until it has stood still.
      moments.push(now ?? (await settledMoment()));
    }
    expect(moments).not.toContain(null);
    expect(moments).toEqual(moments.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(new Set(moments).size).toBe(4);
  });

  test('is never said to be as it was before a commit, at whatever moment it is looked at', async () => {
    const before = watch.moment();
    load('um');
    for (let ms = 0; ms < SETTLED_MS; ms += 1) {
      expect(watch.moment()).not.toBe(before);
      await clock.advance(1);
    }
  });

  test.each([
    ['is put in its place', (other: string) => renameSync(other, file)],
    ['is copied over it', (other: string) => copyFileSync(other, file)],
  ])('is not known for a while when another file %s, and then in a later state', async (_, put) => {
    const before = watch.moment();
    const elsewhere = temporaryFolder();
    createBases(elsewhere);
    loadLines(elsewhere, 'stj', [{ tipo: 'acordao', ementa: 'outra' }]);
    put(baseFile(elsewhere, 'stj'));
    // What is copied within the same tick of the system's clock differs in its size.
    await clock.advance(20);
    expect(watch.moment()).toBeNull();
    expect(await settledMoment()).toBeGreaterThan(before ?? 0);
    rmSync(elsewhere, { recursive: true, force: true });
  });

  test('is not known while it is gone, and in a later state when it is back', async () => {
    const before = watch.moment();
    renameSync(file, join(folder, 'aside'));
    await clock.advance(20);
    expect(watch.moment()).toBeNull();
    await clock.advance(LONG_MS);
    expect(watch.moment()).toBeNull();
    renameSync(join(folder, 'aside'), file);
    await clock.advance(20);
    expect(await settledMoment()).toBeGreaterThan(before ?? 0);
  });

  test.each([
    ['is cut', () => truncateSync(file, 50)],
    ['is no database', () => writeFileSync(file, 'x'.repeat(9_999))],
  ])('is not as it was before, and nothing is thrown, once it %s', async (_, spoil) => {
    const before = watch.moment();
    spoil();
    await clock.advance(20);
    for (let ms = 0; ms < LONG_MS; ms += 100) {
      expect(watch.moment()).not.toBe(before);
      await clock.advance(100);
    }
  });

  test('is in another state when only the time it was written at has changed', async () => {
    const before = watch.moment();
    utimesSync(file, new Date(0), new Date(0));
    await clock.advance(20);
    expect(await settledMoment()).toBeGreaterThan(before ?? 0);
  });

  test('is not known any more once the watch is closed', () => {
    watch.close();
    expect(watch.moment()).toBeNull();
  });
});
