import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { until } from '../tools/faults/support-poll.ts';
import { served } from '../support/served.ts';
import type { Service } from '../support/service.ts';

const TOKEN = 'a-token-of-some-length';
const open = served();
const closed = served({}, { ADMIN_TOKEN: TOKEN });

/** What the listener answers to a request written by hand: fetch sets Host and Origin by itself. */
async function ask(service: Service, head: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(service.adminUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += (chunk as Buffer).toString();
  return text;
}
async function statusOf(service: Service, ...head: readonly string[]): Promise<number> {
  return Number((await ask(service, head)).split(' ')[1]);
}
function basic(user: string, password: string): string {
  return `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

describe('the admin listener without a token', () => {
  test.each(['127.0.0.1:1', 'localhost', 'LocalHost:9', '[::1]:3001', '127.0.0.1'])(
    'answers to its own name %s on any port',
    async (host) => {
      expect(await statusOf(open, 'GET /health/live HTTP/1.1', `Host: ${host}`)).toBe(200);
    },
  );

  const OTHERS = 'evil.example evil.example:3001 127.0.0.1.evil.example localhost.evil.example 10.0.0.1';
  test.each([...OTHERS.split(' '), ''])(
    'refuses the Host %j, which a page could rebind to this address',
    async (host) => {
      expect(await statusOf(open, 'GET /health/live HTTP/1.1', `Host: ${host}`)).toBe(403);
    },
  );

  test('refuses a request without a Host', async () => {
    expect(await statusOf(open, 'GET /health/live HTTP/1.0')).toBe(400);
  });
});

describe.each([
  ['without', open, 'X-None: 0'],
  ['with', closed, `Authorization: Bearer ${TOKEN}`],
])('the admin listener %s a token', (_, service, authorization) => {
  // No route takes a DELETE: one that passes the guard gets 404, any other is refused.
  const request = ['DELETE /health/live HTTP/1.1', 'Host: 127.0.0.1:3001', authorization];

  test.each([
    ['Origin: https://evil.example'],
    ['Origin: http://127.0.0.1:3000'],
    ['Origin: null'],
    ['Sec-Fetch-Site: cross-site'],
    ['Sec-Fetch-Site: same-site'],
  ])('refuses a change requested by another site’s page: %s', async (header) => {
    expect(await statusOf(service, ...request, header)).toBe(403);
  });

  test.each([
    ['Origin: http://127.0.0.1:3001'],
    ['Sec-Fetch-Site: same-origin'],
    ['X-Program: curl'],
    // The page as a proxy serves it, which asks here under another name.
    ['Sec-Fetch-Site: same-origin', 'Origin: https://admin.example'],
  ])('allows a change by its own page and by programs: %s %s', async (...head) => {
    expect(await statusOf(service, ...request, ...head)).toBe(404);
  });
});

describe('the admin listener', () => {
  const read = (...head: string[]) =>
    statusOf(open, 'GET /health/live HTTP/1.1', 'Host: 127.0.0.1:3001', ...head);

  test.each([
    ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: image'],
    ['Sec-Fetch-Site: same-site', 'Sec-Fetch-Dest: empty'],
    ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: iframe'],
    ['Origin: http://127.0.0.1:3000'],
  ])('answers no request of another site’s page: %s %s', async (...head) => {
    expect(await read(...head)).toBe(403);
  });

  test.each([
    ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: document'],
    ['Sec-Fetch-Site: none', 'Sec-Fetch-Dest: document'],
    ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Dest: empty'],
  ])('opens from a link, a typed address and its own page: %s %s', async (...head) => {
    expect(await read(...head)).toBe(200);
  });
});

describe('the admin listener with a token', () => {
  const get = (path: string, ...head: string[]) =>
    statusOf(closed, `GET ${path} HTTP/1.1`, 'Host: any.example', ...head);

  test.each([
    [`Authorization: Bearer ${TOKEN}`],
    [`authorization: bearer  ${TOKEN}`],
    [basic('anyone', TOKEN)],
    [basic('', TOKEN)],
  ])('allows %s, under any Host', async (header) => {
    expect(await get('/health/live', header)).toBe(200);
  });

  test.each([
    ['X-None: 0'],
    ['Authorization: Bearer'],
    [`Authorization: Bearer ${TOKEN}x`],
    [`Authorization: Bearer ${TOKEN.slice(0, -1)}`],
    [`Authorization: ${TOKEN}`],
    [basic(TOKEN, '')],
    [basic('anyone', `${TOKEN} `)],
    [`Authorization: Basic ${Buffer.from(TOKEN).toString('base64')}`],
    ['Authorization: Basic %%%'],
  ])('requires it on every path, known or not: %s', async (header) => {
    const ofConsole = ['', '/', '/console.ts', '/api/ajustes', '/api/serie'].map((path) => `/console${path}`);
    for (const path of ['/health/live', '/health/ready', '/', '/nenhuma', ...ofConsole])
      expect(await get(path, header)).toBe(401);
    expect(await statusOf(closed, 'DELETE /health/live HTTP/1.1', 'Host: any.example', header)).toBe(401);
  });

  test('explains in JSON how programs and browsers send it', async () => {
    const response = await fetch(`${closed.adminUrl}/health/live`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Basic realm="[^"]+", charset="UTF-8", Bearer realm="[^"]+"$/,
    );
    expect(await response.json()).toEqual({ erro: expect.stringContaining('token') });
  });
});

describe('the admin listener', () => {
  test('refuses in JSON, with headers that forbid caching, framing and sniffing', async () => {
    const response = await fetch(`${open.adminUrl}/nenhuma`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.json()).toEqual({ erro: expect.stringContaining('rota') });
  });

  test('shares no route with the public port', async () => {
    const paths = ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/openapi', '/console'];
    for (const path of paths) expect((await fetch(open.url + path)).status).toBe(404);
    expect((await fetch(`${open.adminUrl}/v1/jurisprudencia/cobertura`)).status).toBe(404);
  });
});

describe('a probe', () => {
  const services = [
    ['with a token', closed],
    ['without a token', open],
  ] as const;

  test.each(services)('is answered with a bare status by a listener %s, for any Host', async (_, service) => {
    await until('a base answered', async () => (await statusOf(service, 'GET /readyz HTTP/1.0')) === 200);
    for (const path of ['/livez', '/readyz']) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const [http10, http11] = [`${method} ${path} HTTP/1.0`, `${method} ${path} HTTP/1.1`];
        const expected =
          method === 'OPTIONS' ? expect.not.objectContaining({ status: 200 }) : { status: 200 };
        expect({ status: await statusOf(service, http10) }).toEqual(expected);
        expect({ status: await statusOf(service, http11, 'Host: evil.example') }).toEqual(expected);
        expect({ status: await statusOf(service, http11, 'Host:') }).toEqual(expected);
      }
      const answer = await ask(service, [`GET ${path} HTTP/1.0`]);
      expect(answer.split('\r\n\r\n')[1]).toBe('ok\n');
    }
  });

  test('of any other path needs the token', async () => {
    const others = '/livez/ /livez/x /readyz%2f.. //livez /health/live /metrics /readyz/../metrics';
    for (const path of others.split(' '))
      expect(await statusOf(closed, `GET ${path} HTTP/1.1`, 'Host: any.example')).toBe(401);
    expect(await statusOf(closed, 'POST /readyz HTTP/1.1', 'Host: any.example')).toBe(401);
  });
});
