import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { isWellFormedKey, mayHoldKey, newKey, withoutKeys } from '../../src/keys/key.ts';
import { openKeyRing } from '../../src/keys/ring.ts';
import { issueKey, keysFolder, readKeys, revokeKey, type DamagedKey } from '../../src/keys/store.ts';
import { LockBusy } from '../../src/process/lock.ts';
import { lockHolder, run } from '../support/run.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { temporaryFolder } from '../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
const keys = (...args: string[]) => run('keys/command.ts', args, { DATA_DIR: dataDir });
const NO_LOG = { error: () => undefined };
const now = new Date('2026-03-10T12:00:00Z');

describe('a key', () => {
  test('is jur_, at least 128 random bits and a checksum', () => {
    const key = newKey();
    expect(key).toMatch(/^jur_[a-z2-7]{38}$/);
    expect(isWellFormedKey(key)).toBe(true);
    expect(new Set(Array.from({ length: 100 }, newKey)).size).toBe(100);
    // Keys of earlier versions stay valid.
    expect(isWellFormedKey(`jur_${'a'.repeat(32)}i6kqzf`)).toBe(true);
  });

  test.each([
    ['after other text', (key: string) => `x${key}`],
    ['in capitals', (key: string) => key.toUpperCase()],
    ['without its prefix, amid others of its letters', (key: string) => `abc${key.slice(4)}xyz`],
    ['cut short', (key: string) => key.slice(0, 12)],
  ])('is masked in a text %s, except for its prefix', (_, written) => {
    const key = newKey();
    const text = `antes ${written(key)} depois ${'a'.repeat(64)}`;
    expect(mayHoldKey(text)).toBe(true);
    expect(withoutKeys(text)).toMatch(/^antes x?jur_… depois a{64}$/);
    expect(mayHoldKey(withoutKeys(text))).toBe(false);
  });

  test('with any one character mistyped fails its checksum', () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567');
    fc.assert(
      fc.property(fc.nat({ max: 37 }), letters, (at, character) => {
        const key = newKey();
        const place = at + 'jur_'.length;
        fc.pre(key[place] !== character);
        expect(isWellFormedKey(key.slice(0, place) + character + key.slice(place + 1))).toBe(false);
      }),
    );
  });
});

describe('bun run keys', () => {
  test('issue prints the key alone on the last line, and stores only its digest, for its owner alone', async () => {
    const { out, exitCode } = await keys('issue', 'acme', '--quota', '1');
    expect(exitCode).toBe(0);
    const key = out.trim().split('\n').at(-1) ?? '';
    expect(isWellFormedKey(key)).toBe(true);
    const file = join(keysFolder(dataDir), 'acme.json');
    expect(readFileSync(file, 'utf8')).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(keysFolder(dataDir)).mode & 0o777).toBe(0o700);
  });

  test('list shows names, quotas and dates, never a key, or that there is none', async () => {
    expect(await keys('list')).toMatchObject({ exitCode: 0, err: expect.stringContaining('there is none') });
    const key = issueKey(dataDir, 'acme', 5, now);
    issueKey(dataDir, 'outro', null, now);
    revokeKey(dataDir, 'outro', now);
    const { out } = await keys('list');
    expect(out).toMatch(/acme +5 +2026-03-10 +-\n/);
    expect(out).toMatch(/outro +default +2026-03-10 +2026-03-10\n/);
    expect(out).not.toContain(key);
  });

  test.each([
    [['issue', 'a/b'], /a name has/],
    [['issue', '../x'], /a name has/],
    [['issue', 'acme'], /there is a key named acme/],
    [['issue', `chave-${newKey()}`], /looks like a key/],
    [['issue', 'x', '--quota', '0'], /whole number/],
    [['issue', 'x', '--quota', '1e3'], /whole number/],
    [['issue'], /missing required argument/],
    [['revoke', 'ninguem'], /there is no key named ninguem; the names are acme/],
    [['revok', 'acme'], /revoke/],
  ])('%j is refused with a plain message', async (args, message) => {
    issueKey(dataDir, 'acme', null, now);
    const { exitCode, err } = await keys(...args);
    expect(exitCode).not.toBe(0);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('a revoked name can be issued again, and every key of it stays in the list', async () => {
    issueKey(dataDir, 'acme', 1, now);
    issueKey(dataDir, 'acme2', 9, now);
    expect((await keys('revoke', 'acme')).exitCode).toBe(0);
    expect((await keys('revoke', 'acme')).exitCode).toBe(1);
    expect((await keys('issue', 'acme', '--quota', '2')).exitCode).toBe(0);
    expect((await keys('issue', 'acme')).exitCode).toBe(1);
    expect((await keys('revoke', 'acme')).exitCode).toBe(0);
    expect((await keys('issue', 'acme', '--quota', '3')).exitCode).toBe(0);
    const { out, err } = await keys('list');
    expect(err).toBe('');
    const rows = [...out.matchAll(/^(\w+) +(\d+) /gmu)].map(([, name, quota]) => `${name} ${quota}`);
    expect(rows).toEqual(['acme 1', 'acme 2', 'acme 3', 'acme2 9']);
  });
});

describe('a change of keys', () => {
  test('of one revoked name by several commands at once issues one key, which can be revoked', async () => {
    const first = issueKey(dataDir, 'acme', null, now);
    revokeKey(dataDir, 'acme', now);
    const commands = await Promise.all(Array.from({ length: 4 }, () => keys('issue', 'acme')));
    const shown = commands.flatMap(({ out }) => /jur_\S+/.exec(out)?.[0] ?? []);
    expect(shown).toHaveLength(1);
    const inForce = () => {
      const ring = openKeyRing(dataDir, new SimulatedClock(), NO_LOG);
      return [first, ...shown].filter((key) => ring.find(key) !== null);
    };
    expect(inForce()).toEqual(shown);
    expect((await keys('revoke', 'acme')).exitCode).toBe(0);
    expect(inForce()).toEqual([]);
  });

  test('waits for another one, and continues when that is killed', async () => {
    const holder = await lockHolder(dataDir);
    expect(() => issueKey(dataDir, 'acme', null, now, 0)).toThrow(LockBusy);
    const busy = /another command is changing .* run this one again/;
    expect(() => revokeKey(dataDir, 'acme', now, 0)).toThrow(busy);
    const waiting = keys('issue', 'acme');
    holder.kill('SIGKILL');
    expect(await waiting).toMatchObject({ exitCode: 0, err: '' });
    expect(readKeys(dataDir).keys.map(({ name }) => name)).toEqual(['acme']);
  });

  test('is an error with the mend if the folder cannot be locked', async () => {
    mkdirSync(join(dataDir, 'lock'));
    const { exitCode, err } = await keys('issue', 'acme');
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^keys: \S+lock cannot be locked: [^\n]+\n$/);
  });

  test('revokes every valid key of its name, and no other', () => {
    const [one, two, other] = ['acme', 'x', 'acme2'].map((name) => issueKey(dataDir, name, null, now));
    // As two commands at once once left it: two keys in force of one name.
    const text = readFileSync(join(keysFolder(dataDir), 'x.json'), 'utf8').replace('"x"', '"acme"');
    rmSync(join(keysFolder(dataDir), 'x.json'));
    writeFileSync(join(keysFolder(dataDir), 'acme~1.json'), text);
    const before = readdirSync(keysFolder(dataDir)).toSorted();
    const ring = () => openKeyRing(dataDir, new SimulatedClock(), NO_LOG);
    expect(() => issueKey(dataDir, 'acme', null, now)).toThrow(/there is a key named acme/);
    for (const key of [one, two, other]) expect(ring().find(key ?? '')).not.toBeNull();
    expect(revokeKey(dataDir, 'acme', now)).toBe(true);
    expect(revokeKey(dataDir, 'acme', now)).toBe(false);
    expect([one, two].map((key) => ring().find(key ?? ''))).toEqual([null, null]);
    expect(ring().find(other ?? '')).not.toBeNull();
    expect(readdirSync(keysFolder(dataDir)).toSorted()).toEqual(before);
  });
});

describe('the keys in force', () => {
  test.each([0, 2, -3, 9_600, -19_200])(
    'take effect and end without a restart, even if the clock is set by %i hours',
    async (hours) => {
      const clock = new SimulatedClock(new Date().toISOString());
      const ring = openKeyRing(dataDir, clock, NO_LOG);
      clock.stepWall(hours * 3_600_000);
      const key = issueKey(dataDir, 'acme', 7, now);
      await clock.advance(100);
      expect(ring.find(key)).toMatchObject({ quotaPerDay: 7 });
      revokeKey(dataDir, 'acme', now);
      await clock.advance(1000);
      expect(ring.find(key)).toBeNull();
    },
  );

  test('are valid at once if issued just after a start, without reading the folder at every request', () => {
    const clock = new SimulatedClock();
    const ring = openKeyRing(dataDir, clock, NO_LOG);
    const key = issueKey(dataDir, 'acme', null, now);
    expect(ring.find(key)).not.toBeNull();
    expect(ring.find(newKey())).toBeNull();
    const later = issueKey(dataDir, 'outro', null, now);
    expect(ring.find(later)).toBeNull();
  });

  test('omit a damaged file, which is reported once, and keep the others', async () => {
    const damaged: DamagedKey[] = [];
    const key = issueKey(dataDir, 'acme', null, now);
    const other = issueKey(dataDir, 'outra', null, now);
    writeFileSync(join(keysFolder(dataDir), 'acme.json'), '{"name":"acme"');
    cpSync(join(keysFolder(dataDir), 'outra.json'), join(keysFolder(dataDir), 'ruim.json'));
    const clock = new SimulatedClock(new Date().toISOString());
    const ring = openKeyRing(dataDir, clock, { error: (one: DamagedKey) => damaged.push(one) });
    await clock.advance(1000);
    expect(ring.find(key)).toBeNull();
    expect(ring.find(other)).not.toBeNull();
    issueKey(dataDir, 'nova', null, now);
    await clock.advance(1000);
    expect(ring.find(other)).not.toBeNull();
    expect(damaged.map(({ file }) => file.split('/').at(-1))).toEqual(['acme.json', 'ruim.json']);
    expect(await keys('list')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/acme\.json is damaged[^]*ruim\.json is damaged/u),
    });
  });

  test.each([
    ['name', ['../acme', '', 7, undefined]],
    ['sha256', ['0'.repeat(63), 'G'.repeat(64), null, undefined]],
    ['quota_per_day', [0, -1, 1.5, '5', undefined]],
    ['issued_at', [null, 1, undefined]],
    ['revoked_at', [false, 0, undefined]],
  ] as const)('omit a file whose %s is invalid', (field, values) => {
    issueKey(dataDir, 'acme', 5, now);
    const file = join(keysFolder(dataDir), 'acme.json');
    const stored = JSON.parse(readFileSync(file, 'utf8')) as object;
    for (const value of values) {
      writeFileSync(file, JSON.stringify({ ...stored, [field]: value }));
      const damaged = [{ file, reason: 'not of the expected shape' }];
      expect(readKeys(dataDir)).toEqual({ keys: [], damaged });
    }
  });

  test('include a damaged file once it is repaired', async () => {
    const key = issueKey(dataDir, 'acme', null, now);
    const file = join(keysFolder(dataDir), 'acme.json');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, good.slice(0, 20));
    const clock = new SimulatedClock('2031-01-01T00:00:00Z');
    const ring = openKeyRing(dataDir, clock, NO_LOG);
    expect(ring.find(key)).toBeNull();
    writeFileSync(file, good);
    await clock.advance(1000);
    expect(ring.find(key)).not.toBeNull();
  });

  test('stay in force while their folder is missing, which is reported once', async () => {
    const key = issueKey(dataDir, 'acme', null, now);
    const clock = new SimulatedClock('2031-01-01T00:00:00Z');
    const reported: DamagedKey[] = [];
    const ring = openKeyRing(dataDir, clock, { error: (one: DamagedKey) => reported.push(one) });
    renameSync(keysFolder(dataDir), `${keysFolder(dataDir)}.away`);
    for (let second = 0; second < 3; second += 1) {
      await clock.advance(1000);
      expect(ring.find(key)).not.toBeNull();
    }
    expect(reported).toHaveLength(1);
  });
});
