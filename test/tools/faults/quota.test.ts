import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../../../src/keys/store.ts';
import { BUSCA, COBERTURA, decisaoPath, expectErro } from '../../http/checks.ts';
import { startClocked } from './support-clocked.ts';
import { COMUM } from './support-corpus.ts';
import { expectNoUnhandledRejection } from './support-poll.ts';
import { faultFolder, startFaultService, type Folder } from './support-service.ts';
import { fetchChecked } from '../../support/documented.ts';

const QUOTA = 100;
const PARALLEL = 500;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SEARCH = `${BUSCA}?${new URLSearchParams({ q: COMUM, limite: '6' }).toString()}`;
const RECORD = decisaoPath('stj:1');

expectNoUnhandledRejection();

let folder: Folder;
let issued = 0;
beforeAll(() => {
  folder = faultFolder();
});
afterAll(() => {
  rmSync(folder.dataDir, { recursive: true, force: true });
});

function keyOf(quota: number | null): { name: string; key: string } {
  issued += 1;
  const name = `cota-${issued}`;
  return { name, key: issueKey(folder.dataDir, name, quota, new Date()) };
}

interface Answer {
  readonly status: number;
  readonly remaining: number;
  readonly reset: number;
  readonly retryAfter: string | null;
  readonly type: string | null;
  readonly text: string;
}

async function get(url: string, path: string, key: string): Promise<Answer> {
  const response = await fetchChecked(url + path, { headers: { authorization: `Bearer ${key}` } });
  const [, remaining, reset] = /r=(\d+);t=(\d+)/.exec(response.headers.get('ratelimit') ?? '') ?? [];
  return {
    status: response.status,
    remaining: Number(remaining),
    reset: Number(reset),
    retryAfter: response.headers.get('retry-after'),
    type: response.headers.get('content-type'),
    text: await response.text(),
  };
}

/** So many requests at once, searches and record reads in turn. `onAnswer` is told how many have come back. */
function manyAtOnce(
  url: string,
  key: string,
  count: number,
  onAnswer: (answered: number) => void = () => undefined,
): Promise<Answer[]> {
  let answered = 0;
  const ask = async (path: string) => {
    const answer = await get(url, path, key);
    answered += 1;
    onAnswer(answered);
    return answer;
  };
  return Promise.all(Array.from({ length: count }, (_, at) => ask(at % 2 === 0 ? SEARCH : RECORD)));
}

const withStatus = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

describe('the daily quota under 500 requests at once', () => {
  let issuedKeys: string[];
  let url: string;
  let stop: () => Promise<void>;
  beforeAll(() => {
    issuedKeys = [QUOTA + 20, 30, 70, 110].map((quota) => keyOf(quota).key);
    const { url: at, system } = startFaultService(folder);
    url = at;
    stop = () => system.stop();
  });
  afterAll(() => stop());

  test('gives exactly as many answers as were left of it, each with another remainder, and refuses the rest', async () => {
    const [key = ''] = issuedKeys;
    for (let spent = 0; spent < 20; spent += 1) expect((await get(url, RECORD, key)).status).toBe(200);
    const answers = await manyAtOnce(url, key, PARALLEL);
    const granted = withStatus(answers, 200);
    const refused = withStatus(answers, 429);
    expect([granted.length, refused.length]).toEqual([QUOTA, PARALLEL - QUOTA]);
    expect(granted.map(({ remaining }) => remaining).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: QUOTA }, (_, at) => at),
    );
    for (const { text, retryAfter, remaining } of refused) {
      expect(JSON.parse(text)).toMatchObject({ codigo: 'COTA_ESGOTADA' });
      expect([remaining, Number(retryAfter) > 0]).toEqual([0, true]);
    }
  });

  test('is kept apart for each key, also when all use theirs up at once', async () => {
    const all = await Promise.all(issuedKeys.slice(1).map((key) => manyAtOnce(url, key, 150)));
    expect(all.map((answers) => withStatus(answers, 200).length)).toEqual([30, 70, 110]);
    expect(all.map((answers) => withStatus(answers, 429).length)).toEqual([120, 80, 40]);
  });
});

describe('the per-IP limit under 500 requests at once', () => {
  test('lets exactly as many through as it says, and refuses the rest before the API', async () => {
    const { url, system } = startFaultService(folder, {
      environment: { IP_REQUESTS: String(QUOTA), IP_WINDOW_S: '3600' },
    });
    const paths = [SEARCH, RECORD, COBERTURA, '/nada'];
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, at) => get(url, paths[at % paths.length] ?? '', folder.key)),
    );
    const refused = withStatus(answers, 429);
    expect(refused).toHaveLength(PARALLEL - QUOTA);
    for (const { type, retryAfter, text, remaining } of refused) {
      expect(type).toContain('text/plain');
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(text).not.toContain('codigo');
      // What it refuses is not charged to any quota.
      expect(remaining).toBeNaN();
    }
    await system.stop();
  });
});

describe('a clock that is set while requests run', () => {
  let service: ReturnType<typeof startClocked>;
  beforeEach(() => {
    service = startClocked(folder, '2026-03-10T22:59:58Z');
  });
  afterEach(() => service.stop());

  /** A new key, which the service has looked at: two seconds later. */
  async function known(quota: number | null) {
    const issuedNow = keyOf(quota);
    await service.clock.advance(2_000);
    return issuedNow;
  }

  test('over midnight gives the quota anew once, and set back over it gives no second one', async () => {
    const { clock, url } = service;
    const { key } = await known(QUOTA);
    const grantedNow = async () => withStatus(await manyAtOnce(url, key, PARALLEL), 200).length;
    expect(await grantedNow()).toBe(QUOTA);
    expect((await get(url, SEARCH, key)).reset).toBe(HOUR_MS / 1000);
    clock.stepWall(2 * HOUR_MS);
    expect(await grantedNow()).toBe(QUOTA);
    for (const step of [-2 * HOUR_MS, 2 * HOUR_MS, -2 * HOUR_MS, HOUR_MS, HOUR_MS]) {
      clock.stepWall(step);
      expect(await grantedNow()).toBe(0);
    }
    clock.stepWall(DAY_MS);
    expect(await grantedNow()).toBe(QUOTA);
  });

  test('in the middle of 500 requests never grants more than one quota a day', async () => {
    const { clock, url } = service;
    const { key } = await known(QUOTA);
    // To midnight and over it, back and forth.
    const steps = new Map([
      [10, HOUR_MS - 1],
      [40, 1],
      [80, -1],
      [120, 1],
      [200, -HOUR_MS],
      [300, HOUR_MS],
    ]);
    const answers = await manyAtOnce(url, key, PARALLEL, (answered) => {
      clock.stepWall(steps.get(answered) ?? 0);
    });
    const granted = withStatus(answers, 200).length;
    expect(granted).toBeGreaterThanOrEqual(QUOTA);
    expect(granted).toBeLessThanOrEqual(2 * QUOTA);
  });

  test('says until when in whole seconds above 0, however it is set', async () => {
    const { clock, url } = service;
    const { key } = await known(null);
    for (const step of [0, HOUR_MS - 1, 1, -1, -HOUR_MS, 400 * DAY_MS, -800 * DAY_MS, 7]) {
      clock.stepWall(step);
      const { reset, status } = await get(url, SEARCH, key);
      expect(status).toBe(200);
      expect(Number.isInteger(reset)).toBe(true);
      expect(reset).toBeGreaterThan(0);
    }
  });

  test('neither forgets a key nor keeps a revoked one', async () => {
    const { clock, url } = service;
    const { name, key } = await known(null);
    for (const step of [2 * HOUR_MS, -3 * HOUR_MS, 400 * DAY_MS, -800 * DAY_MS]) {
      clock.stepWall(step);
      await clock.advance(2_000);
      expect((await get(url, SEARCH, key)).status).toBe(200);
    }
    const other = await known(null);
    expect((await get(url, SEARCH, other.key)).status).toBe(200);
    revokeKey(folder.dataDir, name, new Date());
    clock.stepWall(-DAY_MS);
    await clock.advance(2_000);
    const refused = await fetchChecked(url + SEARCH, { headers: { authorization: `Bearer ${key}` } });
    await expectErro(refused, 'NAO_AUTORIZADO');
    expect((await get(url, SEARCH, other.key)).status).toBe(200);
  });
});
