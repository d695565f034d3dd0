import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { quotaOfThisProcess, type Quota, type QuotaState } from '../../src/shared/quota.ts';
import { done } from '../../src/engine/outcome.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { issueKey } from '../../src/keys/store.ts';
import { served, servedInTest } from '../support/served.ts';
import { pageOf } from '../observe/support-notes.ts';
import { startApp } from './app.ts';
import { acordao, BUSCA, COBERTURA, decisaoPath, expectErro, untilStatus } from './checks.ts';
import { preparedFolder, startIn } from './folder.ts';
import { raw } from './wire.ts';
import { fetchChecked } from '../support/documented.ts';

const PADRAO = 7;
const SEARCH = `${BUSCA}?q=dano`;
const RECORD = decisaoPath('stj:1');

/** Keys of the default quota, issued together so that the service looks at its folder once for them all. */
const SPARE_KEYS = 40;

const service = served({ stj: [acordao('dano moral')] }, { QUOTA_PER_DAY: String(PADRAO) });
let spare: { name: string; key: string }[];
beforeAll(() => {
  spare = Array.from({ length: SPARE_KEYS }, () => issued(null));
});

function issued(quota: number | null): { name: string; key: string } {
  const name = `chave-${crypto.randomUUID()}`;
  return { name, key: issueKey(service.dataDir, name, quota, new Date()) };
}

/** Requests of one new key, which the service already knows and which has spent nothing. */
async function caller(quota: number | null = null) {
  const { name, key } = (quota === null ? spare.pop() : undefined) ?? issued(quota);
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetchChecked(service.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  expect(await untilStatus(400, () => get(BUSCA))).toBe(400);
  return { name, key, get, left: async () => remaining(await get(BUSCA)) };
}

function remaining({ headers }: Response): number {
  const [, left] = /^"[^"]+";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return left === undefined ? Number.NaN : Number(left);
}

/** Seconds to the next UTC midnight. */
const toMidnight = () => 86_400 - (Date.now() % 86_400_000) / 1000;

describe('every authenticated answer', () => {
  it.each<[string, string, number, number]>([
    ['an executed search', SEARCH, 200, 1],
    ['a search that finds nothing', `${BUSCA}?q=inexistente`, 200, 1],
    ['a search over no court', `${BUSCA}?q=dano&uf=AC`, 200, 1],
    ['a record', RECORD, 200, 1],
    ['a record that does not exist', decisaoPath('stj:999'), 404, 1],
    ['a malformed id', decisaoPath('STJ:1'), 404, 1],
    ['an id with broken percent-encoding', decisaoPath('%'), 404, 1],
    ['a missing q', BUSCA, 400, 0],
    ['a short q', `${BUSCA}?q=a`, 400, 0],
    ['an unknown parameter', `${SEARCH}&x=1`, 400, 0],
    ['a bad date', `${SEARCH}&data_de=2023-02-30`, 400, 0],
    ['a bad limite', `${SEARCH}&limite=0`, 400, 0],
    ['a bad query', `${BUSCA}?q=%22dano`, 400, 0],
    ['a query that FTS5 cannot read', `${BUSCA}?q=dano+AND`, 400, 0],
    ['a refused cursor', `${SEARCH}&cursor=x`, 400, 0],
  ])('carries RateLimit headers, and costs a unit unless it is a 400: %s', async (_, path, status, units) => {
    const { get, left } = await caller();
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('ratelimit-policy')).toBe(`"dia";q=${PADRAO};w=86400`);
    expect(remaining(response)).toBe(PADRAO - units);
    expect(await left()).toBe(PADRAO - units);
  });

  it('has the seconds to the next UTC midnight, when the quota is renewed', async () => {
    const { get } = await caller();
    const seconds = Number(/t=(\d+)$/.exec((await get(SEARCH)).headers.get('ratelimit') ?? '')?.[1]);
    const difference = Math.abs(seconds - toMidnight());
    // Midnight may fall between the two readings.
    expect(Math.min(difference, 86_400 - difference)).toBeLessThan(60);
  });
});

describe('one unit', () => {
  it('is charged for an unchanged record (304)', async () => {
    const { get, left } = await caller();
    const etag = (await get(RECORD)).headers.get('etag') ?? '';
    expect((await get(RECORD, { 'if-none-match': etag })).status).toBe(304);
    expect(await left()).toBe(PADRAO - 2);
  });

  it('is charged for each page', async () => {
    service.load('tst', [acordao('página um'), acordao('página dois')]);
    const { get, left } = await caller();
    const page = `${BUSCA}?q=p%C3%A1gina&limite=1`;
    const { proximo_cursor } = (await (await get(page)).json()) as { proximo_cursor: string };
    await get(`${page}&cursor=${proximo_cursor}`);
    expect(await left()).toBe(PADRAO - 2);
  });

  it('is charged for a record read that ends with 504, and for a search with an unanswered base', async () => {
    // A base's file is opened at its first request, and this service has had none for trt3.
    const other = await servedInTest();
    rmSync(baseFile(other.dataDir, 'trt3'));
    const record = await other.get(decisaoPath('trt3:1'));
    const search = await other.get(SEARCH);
    expect([record.status, search.status]).toEqual([504, 200]);
    expect(remaining(record) - remaining(search)).toBe(1);
    expect(record.headers.get('ratelimit-policy')).toBe(`"dia";q=${remaining(record) + 1};w=86400`);
  });

  it('is not charged for a 401, a 405, another route or the coverage', async () => {
    const { key, get, left } = await caller();
    const mine = `Authorization: Bearer ${key}`;
    for (const method of ['POST', 'HEAD', 'OPTIONS']) {
      expect((await raw(service.url, method, SEARCH, [mine])).status).toBe(405);
    }
    expect((await raw(service.url, 'GET', SEARCH, [mine, mine])).status).toBe(401);
    expect((await get('/nada')).status).toBe(404);
    expect((await get(COBERTURA)).status).toBe(200);
    expect(await left()).toBe(PADRAO);
  });
});

describe('the daily quota', () => {
  it('is one counter for search and record, and ends in 429 COTA_ESGOTADA with Retry-After', async () => {
    const { get } = await caller(4);
    const left = [];
    for (const path of [SEARCH, RECORD, SEARCH, RECORD]) {
      const response = await get(path);
      expect(response.status).toBe(200);
      left.push(remaining(response));
    }
    expect(left).toEqual([3, 2, 1, 0]);
    for (const path of [SEARCH, RECORD, decisaoPath('x')]) {
      const response = await get(path);
      expect(response.status).toBe(429);
      await expectErro(response, 'COTA_ESGOTADA');
      expect(remaining(response)).toBe(0);
      expect(response.headers.get('ratelimit-policy')).toBe('"dia";q=4;w=86400');
      expect(response.headers.get('ratelimit')).toBe(
        `"dia";r=0;t=${response.headers.get('retry-after') ?? ''}`,
      );
    }
  });

  it('when used up leaves the coverage, 404 routes and 405 as they are', async () => {
    const { key, get } = await caller(1);
    await get(SEARCH);
    expect((await get(COBERTURA)).status).toBe(200);
    await expectErro(await get('/nada'), 'ROTA_NAO_ENCONTRADA');
    expect((await raw(service.url, 'POST', SEARCH, [`Authorization: Bearer ${key}`])).status).toBe(405);
  });

  it('is counted separately for each key', async () => {
    const one = await caller(1);
    const other = await caller(1);
    expect((await one.get(SEARCH)).status).toBe(200);
    expect((await one.get(SEARCH)).status).toBe(429);
    expect((await other.get(SEARCH)).status).toBe(200);
  });

  it('is exact: of 500 parallel searches and reads against a quota of 100, 100 are granted', async () => {
    const { get } = await caller(100);
    const responses = await Promise.all(
      Array.from({ length: 500 }, (_, at) => get(at % 2 === 0 ? SEARCH : RECORD)),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(400);
    const left = responses.filter(({ status }) => status === 200).map((response) => remaining(response));
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
  });

  it('is held in memory: a restart resets it', async () => {
    const dataDir = preparedFolder();
    const key = issueKey(dataDir, 'teste', 1, new Date());
    for (let start = 0; start < 2; start += 1) {
      const system = startIn(dataDir);
      const ask = () => fetchChecked(system.url + SEARCH, { headers: { authorization: `Bearer ${key}` } });
      const statuses = [(await ask()).status, (await ask()).status];
      await system.stop();
      expect(statuses).toEqual([200, 429]);
    }
  });
});

describe('a quota that is counted elsewhere', () => {
  /** `worked` counts the searches and reads that were begun. */
  function startOn(quota: Quota) {
    let worked = 0;
    const begun = <T>(value: T) => {
      worked += 1;
      return Promise.resolve(value);
    };
    const supervisor = {
      search: () => begun(pageOf({})),
      read: () => begun(done({ json: null, version: null })),
    };
    return { get: startApp({ supervisor, quota, quotaPerDay: 2 }).get, worked: () => worked };
  }
  const here = () => quotaOfThisProcess(systemClock);
  /** As a broker would answer: later. */
  function elsewhere(): Quota {
    const counter = here();
    const later = (answer: () => QuotaState | Promise<QuotaState>) =>
      new Promise<QuotaState>((resolve) => {
        setImmediate(() => {
          resolve(answer());
        });
      });
    return {
      charge: (key, limit) => later(() => counter.charge(key, limit)),
      peek: (key, limit) => later(() => counter.peek(key, limit)),
    };
  }

  it.each([
    ['here', here],
    ['elsewhere', elsewhere],
  ])('looks the same to a client: %s', async (_, quotaOf) => {
    const { get, worked } = startOn(quotaOf());
    const seen: [number, number][] = [];
    for (const path of [BUSCA, SEARCH, RECORD, SEARCH, RECORD, BUSCA]) {
      const response = await get(path);
      seen.push([response.status, remaining(response)]);
    }
    expect(seen).toEqual([
      [400, 2],
      [200, 1],
      [404, 0],
      [429, 0],
      [429, 0],
      [400, 0],
    ]);
    expect(worked()).toBe(2);
  });

  it('grants the charge before any work starts', async () => {
    const { promise, resolve } = Promise.withResolvers<QuotaState>();
    const charged = Promise.withResolvers<void>();
    const charge = () => {
      charged.resolve();
      return promise;
    };
    const { get, worked } = startOn({ charge, peek: charge });
    const answers = [get(SEARCH), get(RECORD)];
    await charged.promise;
    await new Promise((turn) => setImmediate(turn));
    expect(worked()).toBe(0);
    resolve({ granted: true, limit: 2, remaining: 1, resetSeconds: 1 });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 404]);
    expect(worked()).toBe(2);
  });
});
