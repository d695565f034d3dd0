import { existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { hashOf, stateIn } from '../../../src/replicas/files/fetch.ts';
import { readManifest } from '../../../src/replicas/files/manifest.ts';
import { publish } from '../../../src/replicas/files/publish.ts';
import { storeAt, writableStoreAt } from '../../../src/replicas/files/store.ts';
import { run } from '../../support/run.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { Copy, Publisher } from './support-published.ts';

const files = (place: string) => readdirSync(place).filter((name) => name.endsWith('.db'));

describe('publish', () => {
  test('puts a whole copy under a name of generation and hash, and names it in the manifest', async () => {
    const publisher = new Publisher();
    const manifest = await publisher.publish('a', 'b');
    const path = join(publisher.place, manifest.file);
    const [sha256, bytes] = await hashOf(path);
    expect(manifest).toMatchObject({ base: 'stj', sha256, bytes, decisions: 2, file: `stj-1-${sha256}.db` });
    expect(manifest.coverage).toMatchObject({ base: 'stj', calculado: true, total: 2 });
    expect(readManifest(readFileSync(publisher.manifestFile(), 'utf8'), 'stj')).toEqual(manifest);
    expect(stateIn(path, 'stj')).toEqual(stateIn(baseFile(publisher.dataDir, 'stj'), 'stj'));
    // A file server is another user, and a copy needs no log beside it.
    for (const name of [path, publisher.manifestFile()]) expect(statSync(name).mode & 0o777).toBe(0o644);
    expect(readFileSync(path).subarray(18, 20)).toEqual(Buffer.from([1, 1]));
    expect(readdirSync(publisher.place)).toHaveLength(2);
  });

  test('makes its folder so that a file server of another user may read it, whatever the umask', async () => {
    const publisher = new Publisher();
    await publisher.publish('a');
    const place = join(publisher.place, 'new');
    const { exitCode } = await run('replicas/files/command.ts', ['stj', '--to', place], {
      DATA_DIR: publisher.dataDir,
    });
    expect([exitCode, statSync(place).mode & 0o777]).toEqual([0, 0o755]);
  });

  test('writes nothing for the same data, and writes a missing file again', async () => {
    const publisher = new Publisher();
    const first = await publisher.publish('a');
    const written = () => {
      const { ino, mtimeMs } = statSync(publisher.manifestFile());
      return [ino, mtimeMs];
    };
    const before = written();
    expect(await publisher.publish()).toEqual(first);
    expect(written()).toEqual(before);
    truncateSync(join(publisher.place, first.file), 10);
    const again = await publisher.publish();
    expect(again.version).toBe(first.version);
    expect((await hashOf(join(publisher.place, again.file)))[0]).toBe(again.sha256);
  });

  test('keeps the two newest files, and with --purge only the newest', async () => {
    const publisher = new Publisher();
    const [, second, third] = [
      await publisher.publish('a'),
      await publisher.publish('b'),
      await publisher.publish('c'),
    ];
    expect(files(publisher.place).toSorted()).toEqual([second.file, third.file].toSorted());
    await publisher.publish();
    expect(files(publisher.place)).toHaveLength(2);
    await publish(publisher.dataDir, 'stj', writableStoreAt(publisher.place), true);
    expect(files(publisher.place)).toEqual([third.file]);
  });

  test('refuses an older generation, and other data of the same generation', async () => {
    const publisher = new Publisher();
    await publisher.publish('a');
    await publisher.publish('b');
    const text = readFileSync(publisher.manifestFile(), 'utf8');
    const other = temporaryFolder();
    const publishOther = () => publish(other, 'stj', writableStoreAt(publisher.place), false);
    await expect(publishOther()).rejects.toThrow(/no base file at .*: load it first/u);
    loadLines(other, 'stj', [{ tipo: 'acordao', chave: 'x', ementa: 'Outra.' }]);
    await expect(publishOther()).rejects.toThrow(/generation 1, and newer data .* are published/u);
    loadLines(other, 'stj', [{ tipo: 'acordao', chave: 'y', ementa: 'Outra.' }]);
    await expect(publishOther()).rejects.toThrow(/other data of the same generation/u);
    expect(readFileSync(publisher.manifestFile(), 'utf8')).toBe(text);
    writeFileSync(publisher.manifestFile(), '{}');
    await expect(publishOther()).rejects.toThrow(/is damaged: look at it/u);
  });

  test('never gives two manifests the same size and second, of which nginx makes an ETag', async () => {
    const publisher = new Publisher();
    const seconds: number[] = [];
    for (const key of ['a', 'b', 'c']) {
      await publisher.publish(key);
      seconds.push(Math.floor(statSync(publisher.manifestFile()).mtimeMs / 1_000));
    }
    expect(new Set(seconds).size).toBe(3);
  });

  test('is a command that reports its work, and names a place that cannot be written', async () => {
    const publisher = new Publisher();
    await publisher.publish('a');
    const place = join(temporaryFolder(), 'new');
    const command = (...args: string[]) =>
      run('replicas/files/command.ts', args, { DATA_DIR: publisher.dataDir, BASES_URL: place });
    expect((await command('stj')).out).toMatch(/^Published stj-1-[0-9a-f]{64}\.db: 1 decisions, /u);
    expect((await command('stj')).out).toMatch(/^Nothing new: stj-1-/u);
    expect(await command('stj', '--to', 'https://user:secret@files.example/b')).toMatchObject({
      exitCode: 1,
      err: 'publish: https://files.example/b cannot be published to: name a folder or s3://BUCKET/PATH\n',
    });
  });
});

test('a base is published to S3, and followed there', async () => {
  const s3 = fakeS3();
  const publisher = new Publisher();
  loadLines(publisher.dataDir, 'stj', [{ tipo: 'acordao', chave: 'a', ementa: 'Ementa.' }]);
  const place = 's3://bucket/bases';
  const { manifest } = await publish(publisher.dataDir, 'stj', writableStoreAt(place), false);
  expect([...s3.keys()]).toEqual([`bases/${manifest.file}`, 'bases/stj.json']);
  expect((await publish(publisher.dataDir, 'stj', writableStoreAt(place), false)).isNew).toBe(false);
  const copy = new Copy(place, { store: storeAt(place) });
  await copy.asks(4);
  expect(copy.follower.state()).toMatchObject({ state: 'current', fault: null });
  for (const chave of ['b', 'c']) {
    loadLines(publisher.dataDir, 'stj', [{ tipo: 'acordao', chave, ementa: 'Ementa.' }]);
    await publish(publisher.dataDir, 'stj', writableStoreAt(place), chave === 'c');
  }
  await copy.asks(5);
  expect(stateIn(copy.file, 'stj').generation).toBe(3);
  expect(s3.size).toBe(2);
  expect(existsSync(join(publisher.dataDir, '.stj.publishing'))).toBe(false);
});

/** As much of S3 as one bucket needs, without checking signatures. */
function fakeS3(): Map<string, Uint8Array> {
  const objects = new Map<string, Uint8Array>();
  const none = '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>';
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const url = new URL(request.url);
      const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/u, '');
      if (request.method === 'PUT') objects.set(key, await request.bytes());
      if (request.method === 'DELETE') objects.delete(key);
      if (url.searchParams.has('list-type')) {
        const entries = [...objects].map(
          ([name, { length }]) => `<Contents><Key>${name}</Key><Size>${length}</Size></Contents>`,
        );
        return new Response(
          `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name>${entries.join('')}</ListBucketResult>`,
        );
      }
      const bytes = objects.get(key);
      if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null);
      if (bytes === undefined) return new Response(none, { status: 404 });
      return new Response(bytes, { headers: { etag: `"${Bun.hash(bytes)}"` } });
    },
  });
  const settings = { S3_ENDPOINT: server.url.origin, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  Object.assign(process.env, settings);
  onTestFinished(async () => {
    for (const name of Object.keys(settings)) delete process.env[name];
    await server.stop(true);
  });
  return objects;
}
