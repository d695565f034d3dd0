import { describe, expect, it } from 'vitest';
import { ClientAddress } from '../../src/http/client-address.ts';
import { IpLimit } from '../../src/http/ip-limit.ts';
import { fetchChecked } from '../support/documented.ts';
import { servedInTest } from '../support/served.ts';
import { startApp } from './app.ts';
import { BUSCA, COBERTURA, decisaoPath } from './checks.ts';
import { raw } from './wire.ts';

/** A window far longer than a test: what is refused stays refused. */
const WINDOW_S = 3_600;
const REQUESTS = 3;

let url: string;
let key: string;

/** The app alone, for no request here needs a base. @param proxies as in the setting. */
function start(proxies = '', requests = REQUESTS): void {
  const notAsked = () => Promise.reject(new Error('not asked'));
  const { port, authorization } = startApp({
    supervisor: { search: notAsked, read: notAsked },
    ipLimit: new IpLimit(requests, WINDOW_S),
    clients: new ClientAddress(proxies === '' ? [] : proxies.split(/, ?/u)),
  });
  url = `http://127.0.0.1:${port}`;
  key = `Authorization: ${authorization}`;
}

const TWO = '127.0.0.1,10.0.0.0/8';
const from = (forwarded: string) =>
  fetchChecked(url + COBERTURA, { headers: { 'x-forwarded-for': forwarded } });

/** The statuses of one request from each, in order. */
async function statuses(clients: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const client of clients) found.push((await from(client)).status);
  return found;
}

describe('the per-IP limit', () => {
  it('answers 429 with the rest of its window, and without codigo or the error JSON', async () => {
    start('', 1);
    await fetchChecked(url + COBERTURA);
    const response = await fetchChecked(url + COBERTURA);
    const wait = Number(response.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(WINDOW_S);
    expect(await response.text()).not.toMatch(/codigo|\{/u);
  });

  it('comes before route, method, key, parameters and quota', async () => {
    start('', 1);
    await fetchChecked(url + COBERTURA);
    const requests: [string, string, string[]][] = [
      ['GET', COBERTURA, []],
      ['GET', '/nada', []],
      ['POST', BUSCA, []],
      ['GET', BUSCA, []],
      ['GET', BUSCA, [key]],
      ['GET', `${BUSCA}?q=dano`, [key]],
      ['GET', decisaoPath('stj:1'), [key]],
      ['GET', decisaoPath('%'), [key]],
    ];
    for (const [method, target, headers] of requests) {
      const answer = await raw(url, method, target, headers);
      expect([method, target, answer.status]).toEqual([method, target, 429]);
    }
  });

  it('counts every request, those refused for another reason too', async () => {
    start();
    expect((await raw(url, 'GET', '/nada')).status).toBe(404);
    expect((await raw(url, 'POST', BUSCA)).status).toBe(405);
    expect((await raw(url, 'GET', BUSCA)).status).toBe(401);
    expect((await raw(url, 'GET', COBERTURA)).status).toBe(429);
  });

  it('is exact for simultaneous requests', async () => {
    start('', 20);
    const responses = await Promise.all(Array.from({ length: 60 }, () => fetchChecked(url + COBERTURA)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  it('costs a refused request no quota', async () => {
    const service = await servedInTest(undefined, {
      IP_REQUESTS: String(REQUESTS),
      IP_WINDOW_S: String(WINDOW_S),
      TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1',
    });
    const ask = (client: string) =>
      service.get(`${BUSCA}?q=dano`, { headers: { 'x-forwarded-for': client } });
    const first = await ask('192.0.2.1');
    for (let at = 0; at < REQUESTS; at += 1) await ask('192.0.2.1');
    const last = await ask('192.0.2.2');
    const left = ({ headers }: Response) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(left(first) - left(last)).toBe(REQUESTS);
  });
});

describe('a client', () => {
  /** The first four are one client, whose limit is three requests; a fifth is another one. */
  it.each([
    ['no proxy is configured', '', '192.0.2.1 | 192.0.2.2 | 192.0.2.3 | 192.0.2.4'],
    ['not a configured proxy', '10.0.0.0/8,192.0.2.7', '192.0.2.1 | 192.0.2.2 | 192.0.2.3 | 192.0.2.4'],
    ['a proxy', '127.0.0.1', '192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.2'],
    ['a network', '127.0.0.0/8', '192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.2'],
    ['a list', '10.0.0.0/8, 127.0.0.1', '192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.2'],
    [
      'written before',
      '127.0.0.1',
      '1.1.1.1, 192.0.2.1 | 2.2.2.2, 192.0.2.1 | 3.3.3.3, 192.0.2.1 | 192.0.2.1',
    ],
    ['proxies', TWO, '192.0.2.1, 10.0.0.1 | 192.0.2.1, 10.0.0.2 | 192.0.2.1, 10.0.0.3, 10.1.1.1 | 192.0.2.1'],
    ['another', TWO, '192.0.2.1, 10.0.0.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.1 | 192.0.2.2, 10.0.0.1'],
    ['ports', TWO, '192.0.2.1:1 | 192.0.2.1:65535, 10.0.0.1:80 | 192.0.2.1 | 192.0.2.1:2 | 192.0.2.3:1'],
    ['IPv6 ports', TWO, '[2001:db8::1]:1 | [2001:db8::2] | 2001:db8::3 | [2001:db8::4]:443 | 192.0.2.1'],
    [
      'IPv6 proxy',
      TWO,
      '2001:db8::1 | 2001:db8::1 | 2001:db8::1 | 2001:db8::1 | [2001:db8:0:1::1]:1, [::ffff:10.0.0.1]:9',
    ],
    [
      'a /64',
      '127.0.0.1',
      '2001:db8:1:2::1 | 2001:db8:1:2:ffff::9 | 2001:0DB8:0001:0002:0:0:0:3 | 2001:db8:1:2::4',
    ],
    [
      'the next /64',
      '127.0.0.1',
      '2001:db8:1:2::1 | 2001:db8:1:2::1 | 2001:db8:1:2::1 | 2001:db8:1:2::1 | 2001:db8:1:3::1',
    ],
    [
      'IPv4 in IPv6',
      '127.0.0.1',
      '192.0.2.1 | ::ffff:192.0.2.1 | ::ffff:c000:201 | 192.0.2.1 | ::ffff:192.0.2.2',
    ],
  ])('is whom the nearest trusted proxy names (%s; trusted: %s): %s', async (_, proxies, clients) => {
    start(proxies);
    const asked = clients.split(' | ');
    expect(await statuses(asked)).toEqual([200, 200, 200, 429, 200].slice(0, asked.length));
  });

  const NO_ADDRESS = "x,,999.1.1.1,_hidden,unknown,1.1.1.1:80:80,1.1.1.1:,[]:80,[1.1.1.1,'; DROP".split(',');
  it.each(NO_ADDRESS)('is the proxy itself if the header has no address: %j', async (value) => {
    start('127.0.0.1');
    expect(await statuses([value, value, value, value, '192.0.2.1'])).toEqual([200, 200, 200, 429, 200]);
  });

  it('may be named by several headers, in their order', async () => {
    start('127.0.0.1');
    const found = [];
    for (const fake of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
      const headers = [`X-Forwarded-For: ${fake}`, 'X-Forwarded-For: 192.0.2.1'];
      found.push((await raw(url, 'GET', COBERTURA, headers)).status);
    }
    expect(found).toEqual([200, 200, 200, 429]);
  });
});
