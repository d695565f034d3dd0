import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { BUSCA, COBERTURA, decisaoPath, expectErroText } from '../../http/checks.ts';
import { exchange } from '../../http/wire.ts';
import { descriptorsMax } from '../measure/process.ts';
import { CRASH, startMain, type ChildService } from '../../support/run.ts';
import { COMUM } from './support-corpus.ts';
import { expectNoUnhandledRejection, until } from './support-poll.ts';
import { EACH, faultFolder, PATIENT, type Folder } from './support-service.ts';
import { Traffic } from './support-traffic.ts';

/** Two thousand, where the system lets a process have so many and others next to them. */
const IDLE = Math.min(2_000, Math.floor(descriptorsMax() / 2));
const ANSWERS = 40;
const SLOW_CLIENTS = 20;
const BYTE_MS = 10;
const SETTINGS = {
  ...PATIENT,
  // An idle connection is closed after this, but not before the longest windows are over.
  IDLE_TIMEOUT_S: '5',
  BASES_RELEVANCE_MS: '6000',
  BASES_RECENCY_MS: '4000',
  BASES_RECORD_MS: '10000',
};

expectNoUnhandledRejection();

const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

let folder: Folder;
let service: ChildService;
let traffic: Traffic;
let descriptorsBefore: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = faultFolder();
  service = await startMain(folder.dataDir, SETTINGS, 'ulimit -n $(ulimit -Hn)');
  // Every base is open before descriptors are counted.
  await exchange(service.url, request(SEARCH, 'close'));
  for (const base of BASES) await exchange(service.url, request(decisaoPath(`${base}:1`), 'close'));
  descriptorsBefore = descriptorsOf(service.pid);
  traffic = new Traffic({ ...folder, url: service.url, searchers: 2, readers: 1, keepsConnections: false });
  traffic.start();
});

/** Whatever a test did, nobody else noticed. */
afterEach(async () => {
  await traffic.more(ANSWERS);
  expect(traffic.takeProblems()).toEqual([]);
});

afterAll(async () => {
  expect(await traffic.stop()).toEqual([]);
  for (const socket of sockets) socket.destroy();
  await until('no descriptor was left', () => descriptorsOf(service.pid) <= descriptorsBefore);
  expect(service.err()).not.toMatch(CRASH);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

const SEARCH = `${BUSCA}?${new URLSearchParams({ q: COMUM }).toString()}`;

function request(path: string, connection: 'close' | 'keep-alive', extra = ''): string {
  const key = `Authorization: Bearer ${folder.key}`;
  return `GET ${path} HTTP/1.1\r\nHost: teste\r\n${key}\r\n${extra}Connection: ${connection}\r\n\r\n`;
}

interface Client {
  readonly socket: Socket;
  readonly text: () => string;
  readonly isOver: () => boolean;
}

/** A connection on which a test writes any bytes. */
function client(url = service.url): Promise<Client> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let text = '';
    let isOver = false;
    sockets.push(socket);
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => (isOver = true));
    socket.on('error', reject);
    socket.on('connect', () => {
      // From here on an error is the server's way to end the connection.
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve({ socket, text: () => text, isOver: () => isOver });
    });
  });
}

const clients = (count: number, url = service.url) =>
  Promise.all(Array.from({ length: count }, () => client(url)));

// All at once: they mostly wait for the server's patience to end.
describe.concurrent('clients that are slow', () => {
  test('and send their headers byte by byte get their answers, and delay nobody', async () => {
    const slow = await clients(SLOW_CLIENTS);
    const bytes = request(decisaoPath('stj:9'), 'close');
    for (const byte of bytes) {
      for (const { socket } of slow) socket.write(byte);
      await Bun.sleep(BYTE_MS);
    }
    for (const { text, isOver } of slow) {
      await until('a slow client had its answer', isOver);
      expect(text()).toMatch(/^HTTP\/1\.1 200 /);
      expect(text()).toContain('"id":"stj:9"');
    }
  });

  test('and never end their headers, or send nothing, are disconnected', async () => {
    const halfOpen = await clients(SLOW_CLIENTS);
    const beginnings = ['', 'G', 'GET / HTTP/1.1\r\n', request(SEARCH, 'close').slice(0, -2), '\r\n\r\n'];
    for (const [at, { socket }] of halfOpen.entries()) socket.write(beginnings[at % beginnings.length] ?? '');
    await traffic.more(ANSWERS);
    await until('all were disconnected', () => halfOpen.every(({ isOver }) => isOver()));
  });

  test('and never send their announced body are answered or disconnected', async () => {
    const silent = await clients(SLOW_CLIENTS);
    for (const [at, { socket }] of silent.entries()) {
      const length = `Content-Length: ${at % 2 === 0 ? 10 : 100_000_000}\r\n`;
      if (at % 3 === 0) socket.write(request(SEARCH, 'keep-alive', length).replace('GET', 'POST'));
      else
        socket.write(request(SEARCH, 'keep-alive', at % 3 === 1 ? length : 'Transfer-Encoding: chunked\r\n'));
    }
    await until('all were disconnected', () => silent.every(({ isOver }) => isOver()));
    for (const { text } of silent) expect(text()).toMatch(/^(?:HTTP\/1\.1 (?:200|400|405|408|411|413) |$)/);
  });

  test('and leave their connection open after an answer are disconnected', async () => {
    const open = await clients(SLOW_CLIENTS);
    for (const { socket } of open) socket.write(request(SEARCH, 'keep-alive'));
    await until('all had their answers', () => open.every(({ text }) => text().endsWith('}')));
    await until('all were disconnected', () => open.every(({ isOver }) => isOver()));
    for (const { text } of open) expect(text()).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('and do not read their answers delay nobody', async () => {
    const deaf = await clients(SLOW_CLIENTS);
    for (const { socket } of deaf) {
      socket.pause();
      socket.write(request(`${SEARCH}&limite=50`, 'keep-alive').repeat(40));
    }
    await traffic.more(2 * ANSWERS);
  });
});

describe.concurrent('clients that send too much', () => {
  const KIB = 1_024;

  test.each([
    ['headers of 20 KiB', () => request(SEARCH, 'close', `X-Long: ${'x'.repeat(20 * KIB)}\r\n`)],
    ['headers of 5 MiB', () => request(SEARCH, 'close', `X-Long: ${'x'.repeat(5 * KIB * KIB)}\r\n`)],
    ['ten thousand headers', () => request(SEARCH, 'close', 'X-One: 1\r\n'.repeat(10_000))],
    ['a URL of 20 KiB', () => request(`${SEARCH}${'x'.repeat(20 * KIB)}`, 'close')],
    ['a URL of 5 MiB', () => request(`${SEARCH}${'x'.repeat(5 * KIB * KIB)}`, 'close')],
    ['noise', () => 'ÿ\u0000\u0001'.repeat(1_000)],
    ['another protocol', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ])('(%s) are refused and disconnected', async (_, bytes) => {
    const { socket, text, isOver } = await client();
    socket.write(bytes());
    await until('it was disconnected', isOver);
    expect(text()).toMatch(/^(?:HTTP\/1\.1 (?:400|414|431) |$)/);
    expect(text()).not.toMatch(/\bat |\.ts|node_modules/);
  });

  test('within the bounds of the server are refused by the API’s errors', async () => {
    const long = request(`${SEARCH}${'x'.repeat(8 * KIB)}`, 'close');
    const [answer] = await exchange(service.url, long);
    expectErroText(answer?.status ?? 0, answer?.body ?? '', 'PARAMETRO_INVALIDO');
  });

  test('pipelined requests get their answers in order, up to where the server closes', async () => {
    const places = Array.from({ length: 40 }, (_, at) => 1 + ((at * 7) % EACH));
    const bytes = places
      .map((place, at) =>
        request(decisaoPath(`tst:${place}`), at < places.length - 1 ? 'keep-alive' : 'close'),
      )
      .join('');
    for (const piece of [Number.POSITIVE_INFINITY, 1_000, 77]) {
      // Bun closes a connection on which a request comes while another is being answered: both may be sent again.
      const answers = await exchange(service.url, bytes, piece).catch(() => []);
      const ids = answers.map(({ status, body }) => [status, (JSON.parse(body) as { id: string }).id]);
      expect(ids).toEqual(places.slice(0, ids.length).map((place) => [200, `tst:${place}`]));
    }
    const cobertura = request(COBERTURA, 'keep-alive').repeat(39) + request(COBERTURA, 'close');
    const answers = await exchange(service.url, cobertura);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  });
});

describe.concurrent('clients that are many or go away', () => {
  test('with 2,000 idle connections, or the process’s limit, delay nobody and leave nothing behind', async () => {
    // One that keeps its connections for longer than this takes.
    await using patient = await startMain(
      folder.dataDir,
      { ...SETTINGS, IDLE_TIMEOUT_S: '120' },
      'ulimit -n $(ulimit -Hn)',
    );
    const before = descriptorsOf(patient.pid);
    const idle: Client[] = [];
    while (idle.length < IDLE) {
      // No more at once than the backlog of a listening socket takes. Each has asked once, so it was accepted.
      const some = await clients(100, patient.url);
      for (const { socket } of some) socket.write(request(COBERTURA, 'keep-alive'));
      await until('all had their answers', () => some.every(({ text }) => text().endsWith('}')));
      idle.push(...some);
    }
    expect(descriptorsOf(patient.pid)).toBeGreaterThanOrEqual(before + IDLE);
    const others = new Traffic({ ...folder, url: patient.url });
    others.start();
    await others.more(ANSWERS);
    const [answer] = await exchange(patient.url, request(SEARCH, 'close'));
    expect(answer?.status).toBe(200);
    expect(await others.stop()).toEqual([]);
    expect(idle.filter(({ isOver }) => isOver())).toEqual([]);
    for (const { socket } of idle) socket.destroy();
    // A little more than before: the bases are open now.
    await until('their descriptors were closed', () => descriptorsOf(patient.pid) < before + 100);
    patient.kill('SIGTERM');
    expect(await patient.ended).toBe(0);
  });

  test('that hang up during a search delay nobody and leave nothing behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const gone = await clients(30);
      for (const [at, { socket }] of gone.entries()) {
        socket.write(request(`${BUSCA}?q=p1*+OR+${COMUM}&limite=50`, 'keep-alive'));
        if (at % 3 === 0) socket.resetAndDestroy();
        else if (at % 3 === 1) socket.destroy();
        else socket.end();
      }
    }
  });
});
