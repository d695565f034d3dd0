import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { startSystem } from '../../../src/system.ts';
import { adminApi } from '../support-api.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { temporaryFolder } from '../../support/service.ts';

/** A service without any decisions, and its log lines about the console. */
function start(environment: Record<string, string> = {}) {
  const dataDir = temporaryFolder();
  const { lines, log } = capturedLog('info');
  const system = startSystem(
    readConfig({ ...environment, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' }),
    log,
  );
  onTestFinished(async () => {
    await system.stop();
  });
  const consoleLines = () => lines.filter(({ msg }) => msg.startsWith('console: '));
  return { dataDir, call: adminApi(system), consoleLines, lines };
}

test('the log has each setting changed or written in the console', async () => {
  const { dataDir, call, consoleLines } = start();
  await call('PUT', 'ajustes/stj/queue_max', { valor: 300 });
  await call('PUT', 'ajustes/stf/count_ms', { valor: 77 });
  await call('PUT', 'ajustes/stj/queue_max', { valor: 512 });
  await call('POST', 'gravar');
  const info = 30;
  expect(consoleLines()).toMatchObject([
    {
      level: info,
      msg: 'console: setting changed',
      change: 1,
      base: 'stj',
      setting: 'queue_max',
      before: 512,
      after: 300,
    },
    { level: info, msg: 'console: setting changed', base: 'stf', setting: 'count_ms', after: 77 },
    {
      level: info,
      msg: 'console: setting changed',
      change: 3,
      base: 'stj',
      setting: 'queue_max',
      before: 300,
      after: 512,
    },
    {
      level: info,
      msg: 'console: settings written',
      file: join(dataDir, 'live.toml'),
      settings: [{ base: 'stf', setting: 'count_ms', value: 77 }],
    },
  ]);
});

test('the log has the name of each key issued or revoked in the console, and never the key', async () => {
  const { call, consoleLines, lines } = start();
  const { body } = await call('POST', 'chaves', { nome: 'acme', cota: 5 });
  await call('POST', 'chaves/acme/revogar');
  expect(consoleLines()).toMatchObject([
    { msg: 'console: key issued', name: 'acme', quota_per_day: 5 },
    { msg: 'console: key revoked', name: 'acme' },
  ]);
  expect(body.chave).toMatch(/^jur_/u);
  expect(JSON.stringify(lines)).not.toMatch(/jur_|[0-9a-f]{64}/u);
});

test('the log has no change that the console refused', async () => {
  const { call, consoleLines } = start();
  expect((await call('PUT', 'ajustes/stj/threads', { valor: 0 })).status).toBe(400);
  // There is nothing to write.
  expect((await call('POST', 'gravar')).status).toBe(200);
  expect((await call('POST', 'chaves', { nome: '', cota: null })).status).toBe(400);
  expect((await call('POST', 'chaves/ninguem/revogar')).status).toBe(404);
  expect(consoleLines()).toEqual([]);
});
