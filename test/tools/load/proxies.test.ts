import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { readRun, type Run } from '../../../src/tools/load/result.ts';
import { ownPort } from '../../support/own-port.ts';
import { run as runScript } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';
import { fakeService, searchBody } from './fake-service.ts';

const ends = new AsyncDisposableStack();
afterAll(async () => ends.disposeAsync());
const folder = temporaryFolder();
let files = 0;

const LOAD = ['--rate', '60', '--duration', '1s', '--warmup', '0s', '--arrivals', 'constant'];

/** A short load with a short time-out, which must end with its report. */
async function load(url: string, ...more: string[]): Promise<Run> {
  files += 1;
  const json = join(folder, `${files}.json`);
  const env = { LOAD_KEY: 'jur_x', NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') };
  await runScript(
    'tools/load/command.ts',
    [url, ...LOAD, '--timeout', '500ms', ...more, '--json', json],
    env,
  );
  return readRun(json);
}

async function proxy(command: string, config: (port: number) => string): Promise<string> {
  const port = ownPort();
  const file = join(folder, `${command}-${port}.conf`);
  writeFileSync(file, config(port));
  const args = command === 'nginx' ? ['-c', file, '-p', folder, '-e', 'stderr'] : ['-db', '-f', file];
  const child = spawn(`/usr/sbin/${command}`, args, { stdio: 'ignore' });
  ends.defer(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => once(connect(port, '127.0.0.1').unref(), 'connect'), { timeout: 60_000 });
  return url;
}

const NGINX = (port: number, upstream: string, location: string) => `
daemon off; master_process off; pid ${folder}/${port}.pid; events {}
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server { listen 127.0.0.1:${port}; ${location} location / { proxy_pass ${upstream}; } }
}`;

const HAPROXY = (port: number, upstream: string, rules: string) => `
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

describe.concurrent('the load tester', () => {
  const service = fakeService();
  ends.defer(async () => service.stop());

  test.each([
    ['closing after each answer', 'nginx', 'keepalive_timeout 0;'],
    ['closing after three answers', 'nginx', 'keepalive_requests 3;'],
    ['with early hints', 'haproxy', 'http-request early-hint Link "</a.css>; rel=preload"'],
    ['closing after each answer', 'haproxy', 'option httpclose'],
  ])('loses no request behind a proxy %s (%s)', async (_, name, rules) => {
    const template = name === 'nginx' ? NGINX : HAPROXY;
    const url = await proxy(name, (port) => template(port, service.url, rules));
    const { steps } = await load(url, '--timeout', '10s');
    expect(steps[0]).toMatchObject({ due: 60, complete: 60, errors: [] });
  });

  /** Answers each request with these bytes, and closes. */
  async function raw(answer: string): Promise<string> {
    return listening(
      createServer((socket) => {
        socket.on('data', () => socket.end(answer));
        socket.on('error', () => undefined);
      }),
    );
  }

  const body = searchBody();
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  test.each([
    ['ended by the close', `HTTP/1.1 200 OK\r\n\r\n${body}`],
    [
      'with keep-alive, close',
      `HTTP/1.1 200 OK\r\nConnection: keep-alive, close\r\n${length}\r\n\r\n${body}`,
    ],
  ])('reads every answer %s', async (_, answer) => {
    const { steps } = await load(await raw(answer), '--records', '0', '--timeout', '10s');
    expect(steps[0]).toMatchObject({ due: 60, complete: 60, errors: [] });
  });

  async function listening(server: ReturnType<typeof createServer>): Promise<string> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
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
    socket.on('data', () =>
      setTimeout(() => socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n${body}`), 100),
    );

  /** Answers on the first connections; later ones are taken, and stay silent. */
  const speaking = (connections: number) => {
    let taken = 0;
    return createServer((socket) => {
      taken += 1;
      if (taken <= connections) answerSlowly(socket);
    });
  };

  test('counts time-outs, and ends, when a peer is silent from its third connection on', async () => {
    const { steps } = await load(await listening(speaking(3)), '--records', '0', '--connections', '6');
    const [step] = steps;
    const failed = step?.errors.map(({ error }) => error) ?? [];
    expect(step?.complete).toBeGreaterThan(0);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every((error) => ['timeout', 'unsent'].includes(error))).toBe(true);
  });

  test('counts time-outs, and ends, when a peer is silent during the TLS handshake', async () => {
    const made = spawn(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=127.0.0.1',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        join(folder, 'key.pem'),
        '-out',
        join(folder, 'cert.pem'),
      ],
      { stdio: 'ignore' },
    );
    await once(made, 'exit');
    const tls = createTlsServer(
      { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) },
      (socket) => {
        answerSlowly(socket);
        socket.on('error', () => undefined);
      },
    );
    let taken = 0;
    const front = createServer((socket) => {
      taken += 1;
      if (taken <= 3) tls.emit('connection', socket);
    });
    const url = (await listening(front)).replace('http:', 'https:');
    const { steps } = await load(url, '--records', '0', '--connections', '6');
    expect(steps[0]?.complete).toBeGreaterThan(0);
    expect(steps[0]?.errors.map(({ error }) => error)).toContain('timeout');
  });

  test.each(['http:', 'https:'])('says that a silent %s peer gives no answer in time', async (protocol) => {
    const url = (await listening(createServer(() => undefined))).replace('http:', protocol);
    const { exitCode, err } = await runScript('tools/load/command.ts', [url, '--timeout', '300ms'], {
      LOAD_KEY: 'jur_x',
    });
    expect([exitCode, err]).toEqual([1, `load: no answer from ${url} within 0.3 s; see its log\n`]);
  });

  test('gives up on a peer that takes no connection', async () => {
    const full =
      'import socket, sys\ns = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)\n' +
      'c = [socket.socket() for _ in range(4)]\n' +
      'for one in c: one.setblocking(False); one.connect_ex(s.getsockname())\n' +
      'print(s.getsockname()[1], flush=True); sys.stdin.read()';
    const child = spawn('python3', ['-c', full], { stdio: ['pipe', 'pipe', 'inherit'] });
    ends.defer(() => void child.stdin.end());
    const [port] = await once(child.stdout, 'data');
    const url = `http://127.0.0.1:${String(port).trim()}`;
    const started = performance.now();
    const { exitCode, err } = await runScript('tools/load/command.ts', [url, '--timeout', '300ms'], {
      LOAD_KEY: 'jur_x',
    });
    expect([exitCode, err]).toEqual([1, `load: no answer from ${url} within 0.3 s; see its log\n`]);
    // The system itself would try for two minutes.
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
