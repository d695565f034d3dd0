import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Step } from '../../../src/tools/load/result.ts';
import { ownPort } from '../../support/own-port.ts';
import { runProgram } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';
import { fakeService, load, measured, searchBody } from './fake-service.ts';

const ends = new AsyncDisposableStack();
afterAll(async () => ends.disposeAsync());
const folder = temporaryFolder();

const SEARCHES = ['--rate', '60', '--duration', '1s', '--warmup', '0s', '--arrivals', 'constant'];
const BODY = searchBody();
const LENGTH = `Content-Length: ${Buffer.byteLength(BODY)}`;

/** A short load, which must end with its report. */
async function loaded(url: string, ...more: string[]): Promise<Step> {
  const trusted = { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') };
  const { run } = await measured(folder, [url, ...SEARCHES, ...more], trusted);
  return run.steps[0]!;
}

async function proxy(command: 'nginx' | 'haproxy', rules: string, upstream: string): Promise<string> {
  const port = ownPort();
  const file = join(folder, `${port}.conf`);
  writeFileSync(file, command === 'nginx' ? nginx(port, upstream, rules) : haproxy(port, upstream, rules));
  const args = command === 'nginx' ? ['-c', file, '-p', folder, '-e', 'stderr'] : ['-db', '-f', file];
  const child = spawn(`/usr/sbin/${command}`, args, { stdio: 'ignore' });
  ends.defer(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  await vi.waitFor(async () => once(connect(port, '127.0.0.1').unref(), 'connect'), { timeout: 60_000 });
  return `http://127.0.0.1:${port}`;
}

const nginx = (port: number, upstream: string, rules: string) => `
daemon off; master_process off; pid ${folder}/${port}.pid; events {}
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${port}; ${rules} location / { proxy_pass ${upstream}; } }
}`;

const haproxy = (port: number, upstream: string, rules: string) => `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen all
  bind 127.0.0.1:${port}
  ${rules}
  server one ${upstream.replace('http://', '')}
`;

/** A server of plain sockets. */
async function listening(take: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    take(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // The listener has the address by now.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** So slowly that the load needs more connections than speak. */
const answerSlowly = (socket: Duplex) =>
  socket.on('data', () => setTimeout(() => socket.write(`HTTP/1.1 200 OK\r\n${LENGTH}\r\n\r\n${BODY}`), 100));

/** Speaks on the first connections; later ones are taken, and stay silent. */
const silentAfter = (connections: number, speak: (socket: Socket) => void) => {
  let taken = 0;
  return (socket: Socket) => {
    taken += 1;
    if (taken <= connections) speak(socket);
  };
};

describe.concurrent('the load tester', () => {
  const service = fakeService();
  ends.defer(async () => service.stop());

  test.each([
    ['nginx', 'keepalive_timeout 0;'],
    ['nginx', 'keepalive_requests 3;'],
    ['haproxy', 'http-request early-hint Link "</a.css>; rel=preload"'],
    ['haproxy', 'option httpclose'],
  ] as const)('loses no request behind %s with %s', async (name, rules) => {
    expect(await loaded(await proxy(name, rules, service.url))).toMatchObject({
      due: 60,
      complete: 60,
      errors: [],
    });
  });

  test.each(['', `Connection: keep-alive, close\r\n${LENGTH}\r\n`])(
    'reads every answer with the headers %j whose connection closes',
    async (headers) => {
      const url = await listening((socket) => {
        socket.on('data', () => socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n${BODY}`));
      });
      const step = await loaded(url, '--records', '0');
      expect(step).toMatchObject({ due: 60, complete: 60, errors: [] });
    },
  );

  const few = ['--records', '0', '--connections', '6', '--timeout', '500ms'];

  test('counts time-outs, and ends, when a peer is silent from its third connection on', async () => {
    const { complete, errors } = await loaded(await listening(silentAfter(3, answerSlowly)), ...few);
    expect(complete).toBeGreaterThan(0);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter(({ error }) => !['timeout', 'unsent'].includes(error))).toEqual([]);
  });

  test('counts time-outs, and ends, when a peer is silent during the TLS handshake', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = `openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${cert}`;
    await runProgram(made.split(' '));
    const tls = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      answerSlowly(socket).on('error', () => undefined);
    });
    const url = await listening(silentAfter(3, (socket) => tls.emit('connection', socket)));
    const { complete, errors } = await loaded(url.replace('http:', 'https:'), ...few);
    expect(complete).toBeGreaterThan(0);
    expect(errors.map(({ error }) => error)).toContain('timeout');
  });

  const SILENT = 'no answer from URL within 0.3 s; see its log';
  const CLOSED = 'URL does not speak plain HTTP/1.1; is it https, or another port?';
  const saysOf = async (url: string) => {
    const { exitCode, err } = await load([url, '--timeout', '300ms']);
    return [exitCode, err.replace(url, 'URL')];
  };

  test.each([
    ['http:', SILENT, () => undefined],
    ['https:', SILENT, () => undefined],
    ['http:', CLOSED, (socket: Socket) => socket.end()],
  ])('says of a peer over %s: %s', async (protocol, message, take) => {
    const url = (await listening(take)).replace('http:', protocol);
    expect(await saysOf(url)).toEqual([1, `load: ${message}\n`]);
  });

  test('gives up on a peer that takes no connection, for which the system would wait two minutes', async () => {
    const full =
      'import socket, sys; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)\n' +
      'for c in [socket.socket() for _ in range(4)]: c.setblocking(False); c.connect_ex(s.getsockname()); c.detach()\n' +
      'print(s.getsockname()[1], flush=True); sys.stdin.read()';
    const child = spawn('python3', ['-c', full], { stdio: ['pipe', 'pipe', 'inherit'] });
    ends.defer(() => void child.stdin.end());
    const [port] = await once(child.stdout, 'data');
    const started = performance.now();
    expect(await saysOf(`http://127.0.0.1:${String(port).trim()}`)).toEqual([1, `load: ${SILENT}\n`]);
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
