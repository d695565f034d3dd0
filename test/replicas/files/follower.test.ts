import {
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { followedMark } from '../../../src/index/format/schema.ts';
import { SWITCH_ASKS } from '../../../src/replicas/files/follower.ts';
import { stateIn } from '../../../src/replicas/files/fetch.ts';
import type { Manifest } from '../../../src/replicas/files/manifest.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { Copy, Publisher } from './support-published.ts';

type Answer = (request: Request, path: string) => Response | Promise<Response> | undefined;

/** An HTTP server of a folder, whose answers a test can change. */
function served(folder: string) {
  const state: { answer: Answer; asked: string[] } = { answer: () => undefined, asked: [] };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      state.asked.push(pathname);
      const other = await state.answer(request, pathname);
      if (other !== undefined) return other;
      const file = Bun.file(join(folder, pathname));
      if (!(await file.exists())) return new Response(null, { status: 404 });
      const etag = `"${Bun.hash(await file.bytes())}"`;
      if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 });
      return new Response(file, { headers: { etag } });
    },
  });
  onTestFinished(() => server.stop(true));
  return Object.assign(state, { url: server.url.href });
}

async function taken(copy: Copy, { version }: Manifest): Promise<void> {
  await copy.asks(SWITCH_ASKS + 1);
  expect(stateIn(copy.file, 'stj').version).toBe(version);
  expect(copy.follower.state()).toMatchObject({ state: 'current', fault: null });
}

/** The old file is served, nothing lies beside it, and the reason is named once. */
function keeps(copy: Copy, old: Manifest, reason: RegExp): void {
  expect(stateIn(copy.file, 'stj').version).toBe(old.version);
  expect(copy.follower.state()).toMatchObject({ fault: expect.stringMatching(reason) });
  expect(copy.said.filter((line) => reason.test(line))).toHaveLength(1);
  expect(readdirSync(dirname(copy.file)).toSorted()).toEqual(['stj.db', 'stj.json']);
}

async function nginx(place: string): Promise<string> {
  const { url, child } = await startNginx(place);
  onTestFinished(() => child.stop());
  return url;
}

describe.each([
  ['a folder', (place: string) => place],
  ['HTTP', (place: string) => served(place).url],
  ...(hasNginx() ? [['nginx with the shipped site', nginx] as const] : []),
] as const)('a copy that follows %s', (_, urlOf) => {
  test('serves newly published data from the third request after it learned of them, not before', async () => {
    const publisher = new Publisher();
    const first = await publisher.publish('a');
    const copy = new Copy(await urlOf(publisher.place));
    await taken(copy, first);
    const second = await publisher.publish('b');
    await copy.asks(SWITCH_ASKS);
    expect(stateIn(copy.file, 'stj').version).toBe(first.version);
    await copy.asks(1);
    expect(stateIn(copy.file, 'stj').version).toBe(second.version);
    expect(copy.served.at(-1)?.coverage).toEqual(second.coverage);
  });

  test('reports that newer data may exist, or that it cannot tell', async () => {
    const publisher = new Publisher();
    const first = await publisher.publish('a');
    const copy = new Copy(await urlOf(publisher.place));
    expect(copy.follower.mayLack(first)).toBe(true);
    await taken(copy, first);
    expect(copy.follower.mayLack(first)).toBe(false);
    const second = await publisher.publish('b');
    await copy.asks(1);
    expect(copy.follower.mayLack(first)).toBe(true);
    expect(copy.follower.mayLack(second)).toBe(false);
    await copy.asks(SWITCH_ASKS);
    // A reply that was read before the switch is still of the old data.
    expect(copy.follower.mayLack(first)).toBe(true);
    renameSync(publisher.place, `${publisher.place}.away`);
    await copy.asks(2);
    expect(copy.follower.mayLack(second)).toBe(false);
    await copy.asks(1);
    expect(copy.follower.mayLack(second)).toBe(true);
    renameSync(`${publisher.place}.away`, publisher.place);
    await copy.asks(1);
    expect(copy.follower.mayLack(second)).toBe(false);
  });
});

test.skipIf(!hasNginx())(
  'the shipped nginx site serves published files alone, with manifests revalidated',
  async () => {
    const publisher = new Publisher();
    const { file } = await publisher.publish('a');
    const url = await nginx(publisher.place);
    const get = (name: string, headers: Record<string, string> = {}) => fetch(url + name, { headers });
    const manifest = await get('stj.json');
    expect(manifest.headers.get('cache-control')).toBe('no-cache');
    const tag = manifest.headers.get('etag') ?? '';
    expect((await get('stj.json', { 'if-none-match': tag })).status).toBe(304);
    expect((await get(file)).headers.get('cache-control')).toContain('immutable');
    writeFileSync(join(publisher.place, '.stj.publishing'), 'half');
    writeFileSync(join(publisher.place, 'notes.txt'), 'own');
    for (const name of ['', '.stj.publishing', 'notes.txt', '../users.conf', `${file}-wal`])
      expect((await get(name)).status, name).toBe(404);
    await publisher.publish('b');
    expect((await get('stj.json', { 'if-none-match': tag })).status).toBe(200);
  },
);

describe('a published file that cannot be fetched', () => {
  async function behind(
    change: (publisher: Publisher, server: ReturnType<typeof served>) => void,
    more = {},
  ) {
    const publisher = new Publisher();
    const old = await publisher.publish('a');
    const server = served(publisher.place);
    const copy = new Copy(server.url, more);
    await taken(copy, old);
    const next = await publisher.publish('b');
    change(publisher, server);
    return { copy, old, next, publisher, server };
  }
  const onFile =
    (answer: (bytes: Uint8Array) => Response): Parameters<typeof behind>[0] =>
    (publisher, server) => {
      server.answer = (_, path) =>
        path.endsWith('.db') ? answer(readFileSync(join(publisher.place, path))) : undefined;
    };

  const lies =
    (change: Record<string, unknown>): Parameters<typeof behind>[0] =>
    (publisher) => {
      publisher.lie(change);
    };

  test.each<[string, RegExp, Parameters<typeof behind>[0]]>([
    [
      'has another content of the same length',
      /another hash/u,
      onFile((bytes) => new Response(bytes.fill(7, bytes.length - 99))),
    ],
    ['ends early', /has 9000 and not/u, onFile((bytes) => new Response(bytes.subarray(0, 9_000)))],
    [
      'never ends',
      /has more and not/u,
      onFile(
        (bytes) =>
          new Response(
            new ReadableStream({
              pull: (to) => {
                to.enqueue(new Uint8Array(bytes));
              },
            }),
          ),
      ),
    ],
    ['is gone', /answers 404/u, onFile(() => new Response(null, { status: 404 }))],
    [
      'leads elsewhere',
      /redirect to http:\/\/example.com\/x/u,
      onFile(() => Response.redirect('http://example.com/x?token=1')),
    ],
    ['is said to be huge', /no room/u, lies({ bytes: 2 ** 50 })],
    ['is said to be short', /has more and not/u, lies({ bytes: 10 })],
    ['is of another schema version', /schema version 99/u, lies({ schema: 99 })],
    ['has a path for a name', /no manifest/u, lies({ file: '../../x.db' })],
    [
      'has a damaged manifest',
      /no manifest/u,
      (publisher) => {
        truncateSync(publisher.manifestFile(), 50);
      },
    ],
    [
      'has an endless manifest',
      /too long/u,
      (publisher, server) => {
        server.answer = () => new Response('x'.repeat(100_000));
        publisher.lie({});
      },
    ],
    ['is of another base', /no manifest/u, lies({ base: 'stf' })],
  ])('%s', async (_, reason, change) => {
    const { copy, old, next, publisher, server } = await behind(change);
    await copy.asks(SWITCH_ASKS + 1);
    keeps(copy, old, reason);
    // The mend: it is published as it should be.
    server.answer = () => undefined;
    writeFileSync(publisher.manifestFile(), JSON.stringify(next));
    await copy.asks(30);
    expect(stateIn(copy.file, 'stj').version).toBe(next.version);
    expect(copy.follower.state().fault).toBeNull();
  });

  test('is tried again with a growing wait', async () => {
    const { copy, server } = await behind(onFile(() => new Response(null, { status: 500 })));
    server.asked.length = 0;
    await copy.asks(30);
    const tries = server.asked.filter((path) => path.endsWith('.db')).length;
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(7);
    expect(copy.follower.state().failures).toBe(tries);
  });

  test('that stalls is abandoned, and the old one stays', async () => {
    const stuck = onFile(
      (bytes) =>
        new Response(
          new ReadableStream({
            start: (to) => {
              to.enqueue(bytes.subarray(0, 5_000));
            },
          }),
        ),
    );
    const { copy, old } = await behind(stuck, { stallMs: 200 });
    await copy.asks(2);
    keeps(copy, old, /no bytes of .* for 0\.2 s/u);
  });

  test('that is cut off leaves the old one', async () => {
    const { copy, old, next, publisher } = await behind(() => undefined);
    const cut = createServer((socket) => {
      socket.once('data', () => {
        const head = `HTTP/1.1 200 OK\r\ncontent-length: ${next.bytes}\r\n\r\n`;
        socket.write(head, () => socket.write(new Uint8Array(3_000), () => socket.destroy()));
      });
    });
    await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void cut.close());
    const { port } = cut.address() as { port: number };
    // Its manifest comes from the folder, its files from the server that cuts.
    const other = new Copy(`http://127.0.0.1:${port}`, {
      dataDir: copy.dataDir,
      store: {
        ask: () => Promise.resolve({ text: readFileSync(publisher.manifestFile(), 'utf8'), tag: '' }),
        read: () => Promise.reject(new Error('unused')),
      },
    });
    await other.asks(2);
    keeps(other, old, /closed|reset|and not|socket/iu);
  });

  test('is reported and retried while the server does not answer', async () => {
    const { copy, old, next, server } = await behind(() => undefined);
    server.answer = () => new Promise<Response>(() => undefined);
    await copy.asks(2, { hangs: true });
    expect(copy.follower.state().fault).toMatch(/no answer within 1\.5 s|timed out/u);
    expect(stateIn(copy.file, 'stj').version).toBe(old.version);
    server.answer = () => undefined;
    await copy.asks(SWITCH_ASKS + 2);
    expect(stateIn(copy.file, 'stj').version).toBe(next.version);
  });

  test('that is older is not fetched, with or without the newer manifest', async () => {
    const publisher = new Publisher();
    const old = await publisher.publish('a');
    const text = readFileSync(publisher.manifestFile());
    const next = await publisher.publish('b');
    const copy = new Copy(publisher.place);
    await taken(copy, next);
    writeFileSync(publisher.manifestFile(), text);
    await copy.asks(SWITCH_ASKS + 1);
    expect(copy.follower.state().fault).toMatch(
      new RegExp(`${old.version} is older than ${next.version}`, 'u'),
    );
    const again = new Copy(publisher.place, { dataDir: copy.dataDir });
    await again.asks(SWITCH_ASKS + 1);
    expect(again.follower.state().fault).toMatch(/older than those here/u);
    expect(stateIn(copy.file, 'stj').version).toBe(next.version);
  });
});

describe('the file of a replica', () => {
  async function current() {
    const publisher = new Publisher();
    const manifest = await publisher.publish('a', 'b');
    const copy = new Copy(publisher.place);
    await taken(copy, manifest);
    return { publisher, manifest, copy };
  }

  test('is fetched again when it is damaged, missing or cut, once the base is down', async () => {
    const { manifest, copy } = await current();
    const whole = readFileSync(copy.file);
    const damaged = Buffer.from(whole).fill(3, whole.length - 5_000);
    for (const found of [damaged, null, whole.subarray(0, 4_096), 'not a base']) {
      rmSync(copy.file);
      if (found !== null) writeFileSync(copy.file, found);
      copy.isDown = true;
      await copy.asks(30);
      copy.isDown = false;
      expect(readFileSync(copy.file).equals(whole)).toBe(true);
      expect(stateIn(copy.file, 'stj').version).toBe(manifest.version);
    }
  });

  test('that was loaded here is replaced with its log, and cannot be loaded here again', async () => {
    const publisher = new Publisher();
    await publisher.publish('a');
    const dataDir = temporaryFolder();
    loadLines(dataDir, 'stj', [{ tipo: 'acordao', chave: 'daqui', ementa: 'Ementa.' }]);
    const next = await publisher.publish('b', 'c');
    const copy = new Copy(publisher.place, { dataDir });
    writeFileSync(`${copy.file}-wal`, '');
    await taken(copy, next);
    expect(readdirSync(dirname(copy.file)).toSorted()).toContain('stj.json');
    expect(existsSync(`${copy.file}-wal`)).toBe(false);
    expect(() => {
      loadLines(dataDir, 'stj', []);
    }).toThrow(/follows the files at BASES_URL here: change it in the DATA_DIR/u);
    rmSync(followedMark(dataDir, 'stj'));
    expect(() => {
      loadLines(dataDir, 'stj', []);
    }).not.toThrow();
  });

  test('is kept when a process is killed while it fetches the next one', async () => {
    const { publisher, copy } = await current();
    await copy.follower.close();
    const left = join(dirname(copy.file), '.stj.fetching');
    writeFileSync(left, 'a part');
    const again = new Copy(publisher.place, { dataDir: copy.dataDir });
    expect(existsSync(left)).toBe(false);
    await again.asks(1);
    expect(again.follower.state()).toMatchObject({ state: 'current', fault: null });
  });
});
