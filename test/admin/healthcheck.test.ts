import { renameSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { basesFolder } from '../../src/index/format/schema.ts';
import { until } from '../tools/faults/support-poll.ts';
import { preparedFolder, startIn } from '../http/folder.ts';
import { run } from '../support/run.ts';
import type { System } from '../../src/system.ts';

const TOKEN = 'a-token-of-some-length';
let system: System;
let dataDir: string;
afterEach(() => system.stop());

const check = (environment: Record<string, string> = {}) =>
  run('admin/healthcheck.ts', [], {
    DATA_DIR: dataDir,
    ADMIN_PORT: new URL(system.adminUrl).port,
    ...environment,
  });

describe('the health check of the image', () => {
  test('exits with 0 if a base answers, by every address and with the token, and with 1 if none does', async () => {
    dataDir = preparedFolder();
    const environment = { ADMIN_HOST: '0.0.0.0', ADMIN_TOKEN: TOKEN };
    system = startIn(dataDir, environment);
    await until('it was ready', async () => (await check(environment)).exitCode === 0);
    expect((await check({ ADMIN_TOKEN: 'another-token-of-length' })).err).toMatch(/^healthcheck: 401 /);
    renameSync(basesFolder(dataDir), `${basesFolder(dataDir)}.old`);
    await until('it was not ready', async () => (await check(environment)).exitCode === 1);
    expect((await check(environment)).err).toMatch(/^healthcheck: 503 .*no base answers.*\n$/);
  });

  test('exits with 1 and one line if nothing answers', async () => {
    dataDir = preparedFolder();
    system = startIn(dataDir, {});
    const environment = { ADMIN_PORT: new URL(system.adminUrl).port };
    await system.stop();
    const { exitCode, err } = await check(environment);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^healthcheck: [^\n]+\n$/);
  });
});
