import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { BASES } from '../../src/contract/vocabulary.ts';
import { issueKey } from '../../src/keys/store.ts';
import { writeAtomically } from '../../src/process/files.ts';
import { fetchAs } from '../support/documented.ts';
import { until } from '../tools/faults/support-poll.ts';
import { startIn, preparedFolder } from '../http/folder.ts';
import type { System } from '../../src/system.ts';

interface Ready {
  status: string;
  reason: string | null;
  bases: Record<string, { state: string; reason: string | null }>;
}

const HELD_ENTRY = new URL('../tools/faults/support-entry.ts', import.meta.url).href;

const systems: System[] = [];
afterEach(async () => {
  await Promise.all(systems.splice(0).map((system) => system.stop()));
});
function start(dataDir = preparedFolder(), tested?: Parameters<typeof startIn>[2]): System {
  const system = startIn(dataDir, { BASES_THREADS: '1', SHUTDOWN_MS: '60000' }, tested);
  systems.push(system);
  return system;
}
async function ready({ adminUrl }: System): Promise<{ status: number; body: Ready }> {
  const response = await fetch(`${adminUrl}/health/ready`);
  return { status: response.status, body: (await response.json()) as Ready };
}
async function isReady(system: System): Promise<boolean> {
  return (await ready(system)).status === 200;
}

test('/health/live answers 200 even without any base', async () => {
  const dataDir = preparedFolder();
  for (const base of BASES) renameSync(baseFile(dataDir, base), `${baseFile(dataDir, base)}.old`);
  const response = await fetch(`${start(dataDir).adminUrl}/health/live`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'live' });
});

describe('/health/ready', () => {
  test('answers 200 and names each base once the bases are open', async () => {
    const system = start();
    await until('the bases were open', async () =>
      Object.values((await ready(system)).body.bases).every(({ state }) => state === 'up'),
    );
    const { status, body } = await ready(system);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ready', reason: null });
    expect(Object.keys(body.bases)).toEqual([...BASES]);
  });

  test('stays 200 while one base answers, and names the others with their reasons', async () => {
    const dataDir = preparedFolder();
    for (const base of BASES.slice(1)) renameSync(baseFile(dataDir, base), `${baseFile(dataDir, base)}.old`);
    const system = start(dataDir);
    await until('the bases were known', async () =>
      Object.values((await ready(system)).body.bases).every(({ state }) => state !== 'unknown'),
    );
    const { status, body } = await ready(system);
    expect(status).toBe(200);
    expect(body.bases['tst']).toEqual({ state: 'up', reason: null });
    expect(body.bases['stf']).toEqual({ state: 'down', reason: expect.stringMatching(/./) });
  });

  test('turns 503 when no base answers, and 200 again without any search', async () => {
    const dataDir = preparedFolder();
    const system = start(dataDir);
    await until('it was ready', () => isReady(system));
    for (const base of BASES) renameSync(baseFile(dataDir, base), `${baseFile(dataDir, base)}.old`);
    await until('it was not ready', async () => !(await isReady(system)));
    const probed = async (path: string) => {
      const response = await fetch(`${system.adminUrl}${path}`);
      return [response.status, await response.text()];
    };
    expect(await probed('/readyz')).toEqual([503, 'not ready\n']);
    expect(await probed('/livez')).toEqual([200, 'ok\n']);
    expect((await ready(system)).body).toMatchObject({ status: 'not_ready', reason: 'no base answers' });
    for (const base of BASES) renameSync(`${baseFile(dataDir, base)}.old`, baseFile(dataDir, base));
    await until('it was ready again', () => isReady(system));
  });

  test('turns 503 as soon as the service is stopping, while it still answers running requests', async () => {
    const dataDir = preparedFolder();
    const key = issueKey(dataDir, 'teste', null, new Date());
    const system = start(dataDir, { workerEntry: { tst: HELD_ENTRY } });
    await until('it was ready', () => isReady(system));
    const flag = join(dataDir, 'thread-fault-tst');
    writeAtomically(flag, 'hold');
    const answer = fetchAs(`${system.url}/v1/jurisprudencia/busca?q=dano&tribunal=tst`, key);
    await until('a search was running', async () =>
      (await (await fetch(`${system.adminUrl}/console/api/chaves`)).text()).includes('"usadas_hoje":1'),
    );
    systems.splice(0);
    const stopped = system.stop();
    const { status, body } = await ready(system);
    expect(status).toBe(503);
    expect(body.reason).toBe('the service is stopping');
    expect((await fetch(`${system.adminUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${system.adminUrl}/livez`)).status).toBe(200);
    rmSync(flag);
    expect(await (await answer).json()).toMatchObject({ bases_sem_resposta: [] });
    await stopped;
    await expect(fetch(`${system.adminUrl}/health/live`)).rejects.toThrow();
  });
});
