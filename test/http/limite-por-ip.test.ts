import { afterEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/config/config.ts';
import { startService, type Service } from '../support/service.ts';
import { BUSCA, COBERTURA, decisaoPath } from './checks.ts';
import { raw } from './wire.ts';
import { fetchChecked } from '../support/documented.ts';

/** A window far longer than a test: what is refused stays refused. */
const WINDOW_S = 3_600;
const REQUESTS = 3;

let service: Service;
afterEach(() => service.stop());

async function start(environment: Environment = {}): Promise<void> {
  service = await startService(undefined, {
    IP_REQUESTS: String(REQUESTS),
    IP_WINDOW_S: String(WINDOW_S),
    BASES_THREADS: '1',
    ...environment,
  });
}

const BY_PROXY = { TRUSTED_PROXIES: '127.0.0.1' };
const from = (forwarded: string, path = COBERTURA) =>
  fetchChecked(service.url + path, { headers: { 'x-forwarded-for': forwarded } });

/** The statuses of one request from each, in order. */
async function statuses(clients: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const client of clients) found.push((await from(client)).status);
  return found;
}

describe('the per-IP limit', () => {
  it('lets the configured number of requests pass and refuses the next', async () => {
    await start();
    expect(await statuses(['', '', '', '', ''])).toEqual([200, 200, 200, 429, 429]);
  });

  it('answers 429 text/plain with Retry-After, and without codigo or the error JSON', async () => {
    await start({ IP_REQUESTS: '1' });
    await fetchChecked(service.url + COBERTURA);
    const response = await fetchChecked(service.url + COBERTURA);
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const wait = Number(response.headers.get('retry-after'));
    expect(Number.isInteger(wait)).toBe(true);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(WINDOW_S);
    const text = await response.text();
    expect(text).not.toContain('codigo');
    expect(text).not.toContain('{');
    expect(response.headers.get('x-request-id')).not.toBeNull();
    expect(response.headers.get('ratelimit')).toBeNull();
  });

  it('stands before everything: route, method, key, parameters and quota', async () => {
    await start({ IP_REQUESTS: '1' });
    await fetchChecked(service.url + COBERTURA);
    const key = [`Authorization: Bearer ${service.key}`];
    const requests: [string, string, string[]][] = [
      ['GET', COBERTURA, []],
      ['GET', '/nada', []],
      ['POST', BUSCA, []],
      ['GET', BUSCA, []],
      ['GET', BUSCA, key],
      ['GET', `${BUSCA}?q=dano`, key],
      ['GET', decisaoPath('stj:1'), key],
      ['GET', decisaoPath('%'), key],
    ];
    for (const [method, target, headers] of requests) {
      const answer = await raw(service.url, method, target, headers);
      expect([method, target, answer.status]).toEqual([method, target, 429]);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    }
  });

  it('counts every request, also those that are refused for another reason', async () => {
    await start();
    expect((await raw(service.url, 'GET', '/nada')).status).toBe(404);
    expect((await raw(service.url, 'POST', BUSCA)).status).toBe(405);
    expect((await raw(service.url, 'GET', BUSCA)).status).toBe(401);
    expect((await raw(service.url, 'GET', COBERTURA)).status).toBe(429);
  });

  it('is exact when requests come at once', async () => {
    await start({ IP_REQUESTS: '20' });
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => fetchChecked(service.url + COBERTURA)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('spends nothing of the quota of a key that it refuses', async () => {
    await start(BY_PROXY);
    const ask = (client: string) =>
      service.get(`${BUSCA}?q=dano`, { headers: { 'x-forwarded-for': client } });
    const first = await ask('192.0.2.1');
    for (let at = 0; at < REQUESTS; at += 1) await ask('192.0.2.1');
    const last = await ask('192.0.2.2');
    const left = ({ headers }: Response) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(left(first) - left(last)).toBe(REQUESTS);
  });
});

describe('X-Forwarded-For', () => {
  it('is not believed when no proxy is configured: all are one client', async () => {
    await start();
    expect(await statuses(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([
      200, 200, 200, 429,
    ]);
  });

  it('is not believed from an address that is not a configured proxy', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.7' });
    expect(await statuses(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([
      200, 200, 200, 429,
    ]);
  });

  it.each(['127.0.0.1', '127.0.0.0/8', '10.0.0.0/8, 127.0.0.1'])(
    'is believed from the configured proxy %s: each client has a limit of its own',
    async (proxies) => {
      await start({ TRUSTED_PROXIES: proxies });
      expect(await statuses(['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([
        200, 200, 200, 429,
      ]);
      expect((await from('192.0.2.2')).status).toBe(200);
    },
  );

  it('is read from its end: what the client wrote before does not make it another', async () => {
    await start(BY_PROXY);
    const spoofed = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'].map((fake) => `${fake}, 192.0.2.1`);
    expect(await statuses(spoofed)).toEqual([200, 200, 200, 429]);
  });

  it('passes over further trusted proxies to the client before them', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
    const chain = [
      '192.0.2.1, 10.0.0.1',
      '192.0.2.1, 10.0.0.2',
      '192.0.2.1, 10.0.0.3, 10.1.1.1',
      '192.0.2.1',
    ];
    expect(await statuses(chain)).toEqual([200, 200, 200, 429]);
    expect((await from('192.0.2.2, 10.0.0.1')).status).toBe(200);
  });

  it('may have ports: each client has a limit of its own, whatever its port', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });
    const ofOne = ['192.0.2.1:1', '192.0.2.1:65535, 10.0.0.1:80', '192.0.2.1', '192.0.2.1:2'];
    expect(await statuses(ofOne)).toEqual([200, 200, 200, 429]);
    expect(await statuses(['192.0.2.2:1', '192.0.2.3:1, 10.0.0.1:80', '192.0.2.4:1'])).toEqual([
      200, 200, 200,
    ]);
    const ofOneNetwork = ['[2001:db8::1]:1', '[2001:db8::2]', '2001:db8::3', '[2001:db8::4]:443'];
    expect(await statuses(ofOneNetwork)).toEqual([200, 200, 200, 429]);
    expect(await statuses(['[2001:db8:0:1::1]:1, [::ffff:10.0.0.1]:9'])).toEqual([200]);
  });

  it('joins several headers in their order', async () => {
    await start(BY_PROXY);
    const two = (fake: string) =>
      raw(service.url, 'GET', COBERTURA, [`X-Forwarded-For: ${fake}`, 'X-Forwarded-For: 192.0.2.1']);
    const found = [];
    for (const fake of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) found.push((await two(fake)).status);
    expect(found).toEqual([200, 200, 200, 429]);
  });

  it.each([
    'desconhecido',
    '',
    '999.1.1.1',
    '_hidden',
    'unknown',
    '1.1.1.1:80:80',
    '1.1.1.1:',
    '[]:80',
    '[1.1.1.1',
    "'; DROP",
  ])('that is no address (%j) counts for the proxy itself, and is no fault', async (value) => {
    await start(BY_PROXY);
    expect(await statuses([value, value, value, value])).toEqual([200, 200, 200, 429]);
    expect((await from('192.0.2.1')).status).toBe(200);
  });
});

describe('an IPv6 client', () => {
  it('is its /64: other addresses of the same network share its limit', async () => {
    await start(BY_PROXY);
    const network = [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff::9',
      '2001:0DB8:0001:0002:0:0:0:3',
      '2001:db8:1:2::4',
    ];
    expect(await statuses(network)).toEqual([200, 200, 200, 429]);
  });

  it('of the next /64 has a limit of its own', async () => {
    await start(BY_PROXY);
    expect(await statuses(['2001:db8:1:2::1', '2001:db8:1:2::1', '2001:db8:1:2::1'])).toEqual([
      200, 200, 200,
    ]);
    expect((await from('2001:db8:1:3::1')).status).toBe(200);
    expect((await from('2001:db8:1:2::1')).status).toBe(429);
  });

  it('that is an IPv4 address in disguise is that IPv4 address', async () => {
    await start(BY_PROXY);
    const same = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1'];
    expect(await statuses(same)).toEqual([200, 200, 200, 429]);
    expect((await from('::ffff:192.0.2.2')).status).toBe(200);
  });
});
