import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../../src/keys/store.ts';
import { expectNoUnhandledRejection, expectWithin, msUntil, until } from '../tools/faults/support-poll.ts';
import { remainingIn, SEARCH, sharedFolder, startProcesses, type Processes } from './support-processes.ts';

expectNoUnhandledRejection();

const COUNT = 3;
const IN_FLIGHT = 24;

let service: Processes;
/** Keys that all processes know since they were started, by their quotas. */
const keys = { 200: '', 40: '' };
beforeAll(async () => {
  const dataDir = sharedFolder();
  for (const quota of [200, 40] as const) keys[quota] = issueKey(dataDir, `de-${quota}`, quota, new Date());
  service = await startProcesses(COUNT, {}, dataDir);
});
afterAll(() => service[Symbol.asyncDispose]());

/** So many requests, `IN_FLIGHT` at a time, each on a new connection. */
async function many(of: Processes, count: number, key = of.key): Promise<Response[]> {
  let left = count;
  const answers: Response[] = [];
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const response = await of.get(SEARCH, key);
      await response.arrayBuffer();
      answers.push(response);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
  return answers;
}

test('the quota of several processes is exact to the unit over all of them, and RateLimit names each unit once', async () => {
  const key = keys[200];
  const answers = await many(service, 350, key);
  const granted = answers.filter(({ status }) => status === 200);
  expect(granted).toHaveLength(200);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(150);
  const remaining = granted.map(remainingIn).toSorted((a, b) => a - b);
  expect(remaining).toEqual(Array.from({ length: 200 }, (_, at) => at));
  for (const response of answers) expect(response.headers.get('ratelimit-policy')).toContain('q=200;');
  for (const response of answers.filter(({ status }) => status === 429)) {
    expect(remainingIn(response)).toBe(0);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // Else this would have shown nothing of several.
  const of = await service.ofEach('jurisprudencia_http_requests_total{route="busca",status="200"');
  for (const process of ['1', '2', '3']) expect(of.get(process)).toBeGreaterThan(0);
  const refused = await service.get(`${SEARCH}&limite=0`, key);
  expect([refused.status, remainingIn(refused)]).toEqual([400, 0]);
});

test('the per-IP limit of several processes counts what all of them are sent', async () => {
  await using limited = await startProcesses(COUNT, { IP_REQUESTS: '100', IP_WINDOW_S: '3600' });
  const answers = await many(limited, 400);
  const passed = answers.filter(({ status }) => status === 200).length;
  // Requests that ran in the other processes may have passed too.
  expect(passed).toBeGreaterThanOrEqual(100);
  expect(passed).toBeLessThan(100 + 2 * IN_FLIGHT);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get('content-type')).toContain('text/plain');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect((await many(limited, 10)).every(({ status }) => status === 429)).toBe(true);
});

describe('a key', () => {
  /** A process looks for unknown keys ten times a second: one issued just after a refusal waits for the next. */
  const afterRefusals = (attempt: number) => Bun.sleep(attempt === 0 ? 0 : 300);

  test('that is issued works in every process at once, and that is revoked in none after a second', async () => {
    await expectWithin(1_000, async (attempt) => {
      await afterRefusals(attempt);
      const key = issueKey(service.dataDir, `nova-${attempt}`, null, new Date());
      for (let at = 0; at < 12; at += 1) expect((await service.get(SEARCH, key)).status).toBe(200);
      revokeKey(service.dataDir, `nova-${attempt}`, new Date());
      const revokedAt = performance.now();
      let lastAt = revokedAt;
      let refused = 0;
      await until('no process knows it', async () => {
        const sentAt = performance.now();
        const { status } = await service.get(SEARCH, key);
        if (status === 200) [lastAt, refused] = [sentAt, 0];
        else refused += 1;
        return refused === 30;
      });
      return lastAt - revokedAt;
    });
  });

  test('that is revoked in the console is refused by every process within a second', async () => {
    const other = issueKey(service.dataDir, 'outra', null, new Date());
    await expectWithin(1_000, async (attempt) => {
      await afterRefusals(attempt);
      // All processes know the first one since they were started.
      const keyName = attempt === 0 ? service.keyName : `mais-${attempt}`;
      const key = attempt === 0 ? service.key : issueKey(service.dataDir, keyName, null, new Date());
      expect((await service.get(SEARCH, key)).status).toBe(200);
      const path = `/console/api/chaves/${keyName}/revogar`;
      expect((await fetch(service.adminUrl + path, { method: 'POST' })).status).toBe(200);
      return msUntil('it is refused', async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => service.get(SEARCH, key)));
        return answers.every(({ status }) => status === 401);
      });
    });
    expect((await service.get(SEARCH, other)).status).toBe(200);
  });
});

// The last one: it ends all processes.
test('the quota of a key is not given again by a process that was started anew', async () => {
  const first = await many(service, 30, keys[40]);
  expect(first.filter(({ status }) => status === 200)).toHaveLength(30);
  const before = await service.processes();
  for (const { pid } of before) process.kill(pid ?? 0, 'SIGKILL');
  await until('both are there again', async () =>
    (await service.processes()).every(({ estado, reinicios }) => estado === 'atende' && reinicios === 1),
  );
  const answers = await many(service, 20, keys[40]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
});
