import Database from 'better-sqlite3';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { linkTo, linkedFile, linkBase } from '../../src/cluster/data/base-link.ts';
import { CHUNK_BYTES } from '../../src/cluster/data/chunks.ts';
import { serveFiles } from '../../src/cluster/data/file-server.ts';
import { chunkListOf, readManifest, type Manifest } from '../../src/cluster/data/manifest.ts';
import { publishFile, publishedFolder } from '../../src/cluster/data/published.ts';
import {
  CHECK_MS_MAX,
  CHECK_MS_MIN,
  PULL_BACK_OFF_MS_MAX,
  Replica,
  type ReplicaOptions,
  type RollOut,
} from '../../src/cluster/data/replica.ts';
import { HttpSource, NO_CERTIFICATES, type FileSource } from '../../src/cluster/data/source.ts';
import { baseFile, basesFolder } from '../../src/index/format/schema.ts';
import { Connector, snapshotOf } from '../../src/index/read/connection.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';
import { until } from '../tools/faults/support-poll.ts';
import { WATCH_EVERY_MS } from '../../src/engine/base-watch.ts';

const LINES = [...demoLines('stj', 2_600, DEMO_SEED_DEFAULT)];

/** A rest after a failure ends at once; an old file is never removed. */
const clock: Clock = {
  ...systemClock,
  after: (ms, action) => systemClock.after(ms >= 600_000 ? ms : Math.min(ms, 20), action),
};

const loaded = temporaryFolder();
beforeAll(() => {
  loadLines(loaded, 'stj', LINES.slice(0, 2_000));
});

/** A publisher with a base of 2,000 decisions, loaded once and copied, and its files on a port. */
function publisher() {
  const dataDir = temporaryFolder();
  cpSync(basesFolder(loaded), basesFolder(dataDir), { recursive: true });
  const server = serveFiles(publishedFolder(dataDir), { host: '127.0.0.1', port: 0 }, NO_CERTIFICATES);
  onTestFinished(() => server.stop(true));
  const url = `http://127.0.0.1:${server.port}`;
  return { dataDir, url, publish: () => publishFile(dataDir, 'stj', url, new Date()) };
}

interface Node {
  readonly dataDir: string;
  readonly replica: Replica;
  readonly events: { level: string; event: string; detail: Record<string, unknown> }[];
  readonly took: () => Record<string, unknown>[];
  readonly untilTaken: (times: number) => Promise<void>;
  /** Offers a manifest, and waits until its file is served. */
  readonly take: (manifest: Manifest) => Promise<void>;
}

const ALONE: RollOut = {
  enter: () => Promise.resolve(() => Promise.resolve()),
  announce: () => Promise.resolve(),
};

function node({ dataDir = temporaryFolder(), ...more }: Partial<ReplicaOptions> = {}): Node {
  const events: Node['events'] = [];
  const replica = new Replica({
    base: 'stj',
    dataDir,
    clock,
    source: new HttpSource(NO_CERTIFICATES),
    rollOut: ALONE,
    served: () => Promise.resolve(servedGeneration(dataDir)),
    isDown: () => existsSync(baseFile(dataDir, 'stj')) && servedGeneration(dataDir) === null,
    onTaken: () => undefined,
    log: (level, event, detail) => events.push({ level, event, detail }),
    ...more,
  });
  onTestFinished(() => replica.close());
  const took = () => events.filter(({ event }) => event === 'base file taken').map(({ detail }) => detail);
  const untilTaken = (times: number) => until('it is taken', () => took().length === times);
  const take = (manifest: Manifest) => {
    const before = took().length;
    replica.offer(manifest);
    return untilTaken(before + 1);
  };
  return { dataDir, replica, events, took, untilTaken, take };
}

/** As a thread of the base sees it. */
function servedGeneration(dataDir: string): number | null {
  const connector = new Connector(baseFile(dataDir, 'stj'), 'stj');
  try {
    return snapshotOf(connector.connection()).generation;
  } catch {
    return null;
  } finally {
    connector.close();
  }
}

describe('a published base', () => {
  test('reaches a replica whole, and the next time only by what has changed', async () => {
    const { dataDir, publish } = publisher();
    const first = await publish();
    expect(first).toMatchObject({ decisions: 2_000, coverage: { total: 2_000, calculado: true } });
    const { took, dataDir: replicaDir, take } = node();
    await take(first);
    expect(servedGeneration(replicaDir)).toBe(first.generation);
    expect(took()[0]?.['bytes_moved']).toBeGreaterThan(first.bytes);

    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_001));
    const second = await publish();
    expect(second.generation).toBeGreaterThan(first.generation);
    await take(second);
    expect(servedGeneration(replicaDir)).toBe(second.generation);
    expect(took()[1]?.['bytes_moved']).toBeLessThan(second.bytes / 2);
    const { path = '' } = linkedFile(replicaDir, 'stj') ?? {};
    expect(readFileSync(path).equals(readFileSync(join(publishedFolder(dataDir), second.file)))).toBe(true);
    expect(readdirSync(basesFolder(replicaDir))).toContain(first.file);
  });

  test('that has not changed is published once', async () => {
    const { publish } = publisher();
    const first = await publish();
    expect(await publish()).toEqual(first);
  });

  test('is refused by the publisher when it is older than what was published', async () => {
    const { dataDir, publish } = publisher();
    const old = temporaryFolder();
    copyFileSync(baseFile(dataDir, 'stj'), join(old, 'stj.db'));
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_003));
    await publish();
    for (const suffix of ['-wal', '-shm']) rmSync(baseFile(dataDir, 'stj') + suffix, { force: true });
    copyFileSync(join(old, 'stj.db'), baseFile(dataDir, 'stj'));
    await expect(publish()).rejects.toThrow('replicas only go forward');
  });

  test('is byte by byte the base also where an older file is brought up to it, or a publication failed before', async () => {
    const { dataDir, publish, url } = publisher();
    const inodes: number[] = [];
    const expectSame = ({ file }: Manifest) => {
      const expected = readFileSync(baseFile(dataDir, 'stj'));
      // As SQLite leaves a file without a log.
      expected.fill(1, 18, 20);
      const path = join(publishedFolder(dataDir), file);
      expect(readFileSync(path).equals(expected)).toBe(true);
      inodes.push(statSync(path).ino);
    };
    expectSame(await publish());
    for (let load = 0; load < 4; load += 1) {
      loadLines(dataDir, 'stj', LINES.slice(2_000 + 100 * load, 2_100 + 100 * load));
      if (load === 2) {
        const fail = () => Promise.reject(new Error('nobody was told'));
        await expect(publishFile(dataDir, 'stj', url, new Date(), fail)).rejects.toThrow('nobody was told');
      }
      expectSame(await publish());
    }
    // The third is the first one's file; of the one that failed nothing is used again.
    expect(inodes[2]).toBe(inodes[0]);
    expect(readdirSync(publishedFolder(dataDir)).filter((name) => name.endsWith('.db'))).toHaveLength(2);
  });

  test('whose file was damaged is mended by publishing it again', async () => {
    const { dataDir, publish } = publisher();
    const first = await publish();
    const path = join(publishedFolder(dataDir), first.file);
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.from(bytes).fill(0, 100_000, 100_100));
    const again = await publish();
    expect([again.generation, again.sha256]).toEqual([first.generation, first.sha256]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('is copied whole while somebody reads it and somebody loads into it', async () => {
    const { dataDir, publish } = publisher();
    const reader = new Database(baseFile(dataDir, 'stj'), { readonly: true });
    onTestFinished(() => {
      reader.close();
    });
    // What it reads is in the log from now on, which cannot be folded in.
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM item').get();
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_010));
    const { decisions, file } = await publish();
    expect(decisions).toBe(2_010);
    const copy = new Database(join(publishedFolder(dataDir), file), { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
  });

  test('is copied as it was when the copy began, while a load commits', async () => {
    const { dataDir, publish } = publisher();
    const publishing = publish();
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_010));
    expect(await publishing).toMatchObject({ decisions: 2_000 });
    expect(await publish()).toMatchObject({ decisions: 2_010 });
  });

  test('is ignored by a replica that has a newer one', async () => {
    const { dataDir, publish } = publisher();
    const old = await publish();
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_003));
    const latest = await publish();
    const { replica, events, dataDir: replicaDir, take } = node();
    await take(latest);
    replica.offer(old);
    await replica.close();
    expect([servedGeneration(replicaDir), events.length]).toEqual([latest.generation, 1]);
  });
});

describe('a file that is not what its manifest says', () => {
  const broken: Record<string, (dataDir: string, manifest: Manifest) => void> = {
    'is cut': (dataDir, { file }) => {
      const path = join(publishedFolder(dataDir), file);
      writeFileSync(path, readFileSync(path).subarray(0, -3 * CHUNK_BYTES));
    },
    'has another byte': (dataDir, { file }) => {
      const path = join(publishedFolder(dataDir), file);
      const bytes = readFileSync(path);
      bytes[2 * CHUNK_BYTES + 5]! ^= 1;
      writeFileSync(path, bytes);
    },
    'has another chunk list': (dataDir, { file }) => {
      const path = join(publishedFolder(dataDir), chunkListOf(file));
      const bytes = readFileSync(path);
      bytes[7]! ^= 1;
      writeFileSync(path, bytes);
    },
    'is gone': (dataDir, { file }) => {
      rmSync(join(publishedFolder(dataDir), file));
    },
  };

  test.each(Object.keys(broken))('because it %s is refused: the old one stays until mended', async (how) => {
    const { dataDir, publish } = publisher();
    const { replica, events, dataDir: replicaDir, take, untilTaken } = node();
    const first = await publish();
    await take(first);
    loadLines(dataDir, 'stj', LINES.slice(2_000));
    const second = await publish();
    const whole = ['file', 'list'].map((kind) =>
      join(publishedFolder(dataDir), kind === 'file' ? second.file : chunkListOf(second.file)),
    );
    const bytes = whole.map((path) => readFileSync(path));
    broken[how]?.(dataDir, second);
    replica.offer(second);
    await until('it was refused', () => events.some(({ event }) => event === 'base file not taken'));
    expect(servedGeneration(replicaDir)).toBe(first.generation);
    for (const [at, path] of whole.entries()) writeFileSync(path, bytes[at] ?? '');
    await untilTaken(2);
    expect(servedGeneration(replicaDir)).toBe(second.generation);
    expect(readdirSync(join(replicaDir, 'incoming'))).toEqual([]);
  });

  test('cannot come from a wrong manifest either', async () => {
    const { publish } = publisher();
    const manifest = await publish();
    const { replica, events, dataDir } = node();
    replica.offer({ ...manifest, sha256: 'f'.repeat(64) });
    await until('it was refused', () => events.some(({ level }) => level === 'error'));
    await replica.close();
    expect(existsSync(baseFile(dataDir, 'stj'))).toBe(false);
    expect(readManifest(JSON.stringify({ ...manifest, sha256: 'f'.repeat(64) }))).toBeNull();
    expect(readManifest(JSON.stringify({ ...manifest, file: '../../etc/passwd' }))).toBeNull();
    expect(readManifest(JSON.stringify(manifest))).toEqual(manifest);
  });

  test('is made good when the node’s file has a damaged chunk', async () => {
    const { dataDir, publish } = publisher();
    const { dataDir: replicaDir, take } = node();
    await take(await publish());
    const { path = '' } = linkedFile(replicaDir, 'stj') ?? {};
    await until('it is on the disk', () => existsSync(chunkListOf(path)));
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_001));
    const second = await publish();
    const bytes = readFileSync(path);
    bytes.fill(0, bytes.length - 40_000);
    writeFileSync(path, bytes);
    await take(second);
    const taken = readFileSync(linkedFile(replicaDir, 'stj')?.path ?? '');
    expect(taken.equals(readFileSync(join(publishedFolder(dataDir), second.file)))).toBe(true);
  });
});

describe('a base that is down on a node', () => {
  /** A node with a published base whose beginning is overwritten then. */
  async function damagedNode() {
    const { dataDir: from, publish } = publisher();
    const manifest = await publish();
    // A file is verified again only 10 s later.
    const made = node({ clock: { ...clock, now: () => 20 * clock.now() } });
    await made.take(manifest);
    const { path = '' } = linkedFile(made.dataDir, 'stj') ?? {};
    await until('it is on the disk', () => existsSync(chunkListOf(path)));
    const whole = readFileSync(path);
    const damage = () => {
      writeFileSync(path, Buffer.from(whole).fill(0, 0, 100));
    };
    const refused = () => made.events.filter(({ event }) => event === 'base file not taken');
    return {
      ...made,
      manifest,
      path,
      whole,
      damage,
      refused,
      published: join(publishedFolder(from), manifest.file),
    };
  }

  test('is made good by the damaged chunks alone, each time, and nothing has to be published', async () => {
    const { damage, took, path, whole, manifest, untilTaken } = await damagedNode();
    const bytes_moved = readFileSync(chunkListOf(path)).length + CHUNK_BYTES;
    for (const times of [2, 3]) {
      damage();
      await untilTaken(times);
      expect(readFileSync(path).equals(whole)).toBe(true);
      expect(took().at(-1)).toMatchObject({ generation: manifest.generation, bytes_moved });
    }
  });

  test('is made good after a restart too, which takes the file for whole', async () => {
    const { damage, dataDir, replica, whole, path, manifest } = await damagedNode();
    await replica.close();
    damage();
    expect(await linkBase(dataDir, 'stj')).toBeNull();
    const again = node({ dataDir });
    await again.take(manifest);
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test('waits longer and longer for a publisher whose own file is damaged, and is made good when that is', async () => {
    const { damage, refused, took, published, whole, path, untilTaken } = await damagedNode();
    writeFileSync(published, Buffer.from(whole).fill(1, 0, 100));
    damage();
    await until('it was refused', () => refused().length === 4);
    expect(refused().map(({ detail }) => detail['again_in_ms'])).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(took()).toHaveLength(1);
    writeFileSync(published, whole);
    await untilTaken(2);
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  test('is not fetched if its file is whole, which is verified ever more seldom until it is up again', async () => {
    const { publish } = publisher();
    const manifest = await publish();
    const simulated = new SimulatedClock();
    let isDown = true;
    let asked = 0;
    const { replica, events, dataDir } = node({
      clock: simulated,
      served: () => Promise.resolve(manifest.generation),
      isDown: () => {
        asked += 1;
        return isDown;
      },
    });
    replica.offer(manifest);
    await until('it is taken', () => events.length === 1);
    const verified = () =>
      until('the file is verified', () => {
        asked = 0;
        replica.offer(manifest);
        return asked > 0;
      });
    for (let checks = 0; checks < 4; checks += 1) {
      await simulated.advance(PULL_BACK_OFF_MS_MAX);
      await verified();
    }
    expect(events.map(({ event }) => event)).toEqual(['base file taken']);
    isDown = false;
    await simulated.advance(CHECK_MS_MAX);
    isDown = true;
    await simulated.advance(WATCH_EVERY_MS);
    await verified();
    const { path = '' } = linkedFile(dataDir, 'stj') ?? {};
    writeFileSync(path, readFileSync(path).fill(0, 0, 100));
    await simulated.advance(CHECK_MS_MIN + WATCH_EVERY_MS);
    await until('the damage is found', () => events.length > 1);
  });
});

describe('a node', () => {
  test('that starts on a base loaded there serves it, and takes the published one in its place', async () => {
    const { publish } = publisher();
    const manifest = await publish();
    const dataDir = temporaryFolder();
    loadLines(dataDir, 'stj', LINES.slice(0, 500));
    // Of the same generation: a busy machine commits a load in parts.
    for (let at = 500; (servedGeneration(dataDir) ?? 0) < manifest.generation; at += 1)
      loadLines(dataDir, 'stj', LINES.slice(at, at + 1));
    expect(await linkBase(dataDir, 'stj')).toBeNull();
    const own = linkedFile(dataDir, 'stj');
    expect([servedGeneration(dataDir), own?.generation]).toEqual([own?.generation, manifest.generation]);
    const { take } = node({ dataDir });
    await take(manifest);
    expect(linkedFile(dataDir, 'stj')?.name).toBe(manifest.file);
  });

  test('that was killed before it had linked its file serves the newest one that is whole', async () => {
    const { dataDir, publish } = publisher();
    const files = [await publish()];
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_003));
    files.push(await publish());
    const nodeDir = temporaryFolder();
    mkdirSync(basesFolder(nodeDir));
    for (const { file } of files)
      copyFileSync(join(publishedFolder(dataDir), file), join(basesFolder(nodeDir), file));
    expect(await linkBase(nodeDir, 'stj')).toBeNull();
    expect(servedGeneration(nodeDir)).toBe(files[1]?.generation);
    const { path = '' } = linkedFile(nodeDir, 'stj') ?? {};
    rmSync(chunkListOf(path));
    writeFileSync(path, readFileSync(path).fill(0, 100_000, 200_000));
    rmSync(baseFile(nodeDir, 'stj'));
    expect(await linkBase(nodeDir, 'stj')).toBeNull();
    expect(servedGeneration(nodeDir)).toBe(files[0]?.generation);
    linkTo(nodeDir, 'stj', basename(path));
    expect(await linkBase(nodeDir, 'stj')).toContain('not what was sent');
    expect(servedGeneration(nodeDir)).toBe(files[0]?.generation);
  });

  test('does not serve a file that the disk did not keep whole', async () => {
    const { publish } = publisher();
    const { replica, dataDir, take } = node();
    await take(await publish());
    await replica.close();
    const { path = '' } = linkedFile(dataDir, 'stj') ?? {};
    await until('it is on the disk', () => existsSync(chunkListOf(path)));
    rmSync(chunkListOf(path));
    writeFileSync(path, readFileSync(path).fill(0, 100_000, 200_000));
    expect(await linkBase(dataDir, 'stj')).toContain('not what was sent');
    expect(linkedFile(dataDir, 'stj')).toBeNull();
  });

  test('switches only when the others let it, and tells of the generation before', async () => {
    const { dataDir, publish } = publisher();
    const order: string[] = [];
    const entered = Promise.withResolvers<undefined>();
    const waiting: RollOut = {
      enter: async () => {
        order.push('waits');
        await entered.promise;
        return () => {
          order.push('left');
          return Promise.resolve();
        };
      },
      announce: (_, generation) => {
        order.push(`${generation}`);
        return Promise.resolve();
      },
    };
    const { replica, dataDir: replicaDir, take, untilTaken } = node({ rollOut: waiting });
    const first = await publish();
    await take(first);
    loadLines(dataDir, 'stj', LINES.slice(2_000, 2_001));
    const second = await publish();
    replica.offer(second);
    await until('it waits', () => order.includes('waits'));
    expect(servedGeneration(replicaDir)).toBe(first.generation);
    entered.resolve(undefined);
    await untilTaken(2);
    await until('it left', () => order.includes('left'));
    expect(order).toEqual([`${first.generation}`, 'waits', `${second.generation}`, 'left']);
  });

  test('that cannot ask or tell the others keeps what it has fetched, and removes what it serves no more', async () => {
    const { dataDir, publish } = publisher();
    const incoming = (nodeDir: string) => readdirSync(join(nodeDir, 'incoming'));
    let isAway = false;
    const answer = <T>(value: T) =>
      isAway ? Promise.reject(new Error('no broker')) : Promise.resolve(value);
    const rollOut: RollOut = {
      enter: () => answer(() => Promise.resolve()),
      announce: () => answer(undefined),
    };
    const ranges: string[] = [];
    const http = new HttpSource(NO_CERTIFICATES);
    const source: FileSource = {
      chunkList: (manifest, bytes) => http.chunkList(manifest, bytes),
      range: (manifest, from, to) => {
        ranges.push(`${manifest.file} ${from}`);
        return http.range(manifest, from, to);
      },
    };
    const { replica, took, events, dataDir: nodeDir } = node({ source, rollOut });
    const failures = () => events.filter(({ level }) => level === 'error').length;
    // The first one is only told of, the next ones also need a place.
    isAway = true;
    const files = [];
    for (let load = 0; load < 3; load += 1) {
      loadLines(dataDir, 'stj', LINES.slice(2_000 + load, 2_001 + load));
      const manifest = await publish();
      files.push(manifest.file);
      const before = failures();
      replica.offer(manifest);
      await until('it has tried often', () => failures() > before + 2);
      expect(incoming(nodeDir)).toEqual([manifest.file]);
      if (load === 1) continue;
      isAway = false;
      await until('it is taken', () => linkedFile(nodeDir, 'stj')?.name === manifest.file);
      isAway = true;
    }
    await until('the last is taken', () => took().length === 2);
    expect(new Set(ranges).size).toBe(ranges.length);
    expect(new Set(ranges.map((range) => range.split(' ')[0]))).toEqual(new Set(files));
    expect(incoming(nodeDir)).toEqual([]);
  });
});
