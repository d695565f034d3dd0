import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newKey } from '../../src/keys/key.ts';
import { KeyRing } from '../../src/keys/ring.ts';
import { folderKeys, keysFolder, keysIn, openKeyFiles, type KeyStore } from '../../src/keys/store.ts';
import { FolderValues, type Values } from '../../src/shared/values.ts';
import { temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';

const now = new Date('2026-03-10T12:00:00Z');

/** The same values as each of two processes has them, with their keys. */
interface Place {
  readonly values: FolderValues;
  readonly store: KeyStore;
}

function places(): readonly [Place, Place] {
  const dataDir = temporaryFolder();
  mkdirSync(keysFolder(dataDir));
  const place = () => ({ values: openKeyFiles(dataDir), store: folderKeys(dataDir, 10_000) });
  return [place(), place()];
}

const textsOf = ({ entries }: Values) =>
  Object.fromEntries([...entries].map(([key, { text }]) => [key, text]));

describe('values of a data folder, between processes', () => {
  expectNoUnhandledRejection();

  test('reach another process at its next read, and are the same map until they change', () => {
    const [{ values: one }, { values: other }] = places();
    const before = other.entries;
    one.put('a', '1');
    one.put('b', '2');
    other.refresh();
    expect(textsOf(other)).toEqual({ a: '1', b: '2' });
    const known = other.entries;
    expect(known).not.toBe(before);
    other.refresh();
    expect(other.entries).toBe(known);
  });

  test('hold keys: one issued elsewhere is found at once, a revoked one is not', async () => {
    const [{ values, store: own }, { store }] = places();
    const clock = new SimulatedClock();
    let refreshes = 0;
    const counted = {
      get entries() {
        return values.entries;
      },
      refresh: () => {
        refreshes += 1;
        return values.refresh();
      },
    };
    const log = { error: () => undefined };
    const ring = new KeyRing({ values: counted, read: () => own.list(), clock, log });
    expect(ring.find('no key at all')).toBeNull();
    expect(refreshes).toBe(0);
    const key = await store.issue('ana', 7, now);
    const found = ring.find(key);
    // Together with others that nobody has, it is asked for once.
    const others = Array.from({ length: 1_000 }, () => ring.find(newKey()));
    expect(await found).toMatchObject({ quotaPerDay: 7 });
    expect(new Set(await Promise.all(others.map(async (other) => other)))).toEqual(new Set([null]));
    expect(refreshes).toBe(1);
    await clock.advance(100);
    expect(await ring.find(newKey())).toBeNull();
    expect(refreshes).toBe(2);
    expect(await store.revoke('ana', now)).toBe(true);
    await until('it is no longer valid', async () => (await ring.find(key)) === null);
    expect(own.list().keys).toMatchObject([{ name: 'ana', revoked_at: now.toISOString() }]);
  });
});

describe('values of a data folder', () => {
  test('are read again after a second, and an unreadable file is named', async () => {
    // The time of the files: a folder made and changed within the same moment of the file system would count as unchanged.
    const clock = new SimulatedClock(new Date().toISOString());
    const folder = temporaryFolder();
    const open = (isWhole = true) => new FolderValues({ folder, clock, isWhole: () => isWhole });
    const [one, other] = [open(), open()];
    one.put('a', '1');
    await clock.advance(999);
    expect(textsOf(other)).toEqual({});
    await clock.advance(1);
    expect(textsOf(other)).toEqual({ a: '1' });
    mkdirSync(`${folder}/b.json`);
    one.refresh();
    expect(one.entries.get('b')).toMatchObject({
      text: '',
      fault: expect.stringMatching(/^EISDIR/) as string,
    });
  });

  test('are empty while there is no folder', () => {
    const values = openKeyFiles(`${temporaryFolder()}/nowhere`);
    expect(keysIn('', values)).toEqual({ keys: [], damaged: [] });
  });
});
