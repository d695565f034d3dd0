import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { randomNumbers } from '../../src/tools/load/random.ts';
import { bePatient } from '../support/patience.ts';
import { startScript, type Child } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';
import { smallDisks } from '../tools/faults/support-small-disk.ts';
import { until } from '../tools/faults/support-poll.ts';
import { answer, month, startPortal, type DataSets } from './support-portal.ts';
import { cleanLoad, decisionsIn, leftovers } from './support-sync.ts';

bePatient();

const SET = 'espelhos-de-acordaos-primeira-turma';
const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);
const files = (): DataSets => ({
  [SET]: [
    month('a', '20260430.json', ids(1, 300)),
    month('b', '20260531.json', ids(301, 300)),
    month('c', '20260630.json', ids(601, 300)),
  ],
});
let whole: Record<string, unknown>;
beforeAll(async () => {
  whole = await cleanLoad(files());
});

const start = (url: string, dataDir: string, before?: string): Child =>
  startScript('sync/command.ts', ['stj'], { DATA_DIR: dataDir, STJ_PORTAL_URL: url }, before);
async function finish(child: Child): Promise<{ exitCode: number | null; text: string }> {
  const exitCode = await child.ended;
  return { exitCode, text: child.out() + child.err() };
}

describe('the command', () => {
  test('killed at any moment, loads the rest at the next run, each file in full', async () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 4; round += 1) {
      const portal = await startPortal(files());
      const dataDir = temporaryFolder();
      const child = start(portal.url, dataDir);
      const at = 1 + Math.floor(random() * 3);
      // A moment after so many files were sent: in the load, or between two.
      await until('files were sent', () => portal.fetchedCount() >= at || child.hasEnded());
      await Bun.sleep(random() * 60);
      child.kill('SIGKILL');
      await child.ended;
      expect(Object.keys(decisionsIn(dataDir)).every((key) => key in whole)).toBe(true);
      expect(await finish(start(portal.url, dataDir))).toMatchObject({ exitCode: 0 });
      expect(decisionsIn(dataDir)).toEqual(whole);
      portal.taken();
      expect(await finish(start(portal.url, dataDir))).toMatchObject({ exitCode: 0 });
      expect(portal.taken()).toEqual([]);
      expect(leftovers(dataDir)).toEqual([]);
    }
  });

  test('killed in the middle of a file, loads that file again', async () => {
    const portal = await startPortal(files());
    const dataDir = temporaryFolder();
    portal.fail('/b/', (socket) => {
      const { content } = portal.dataSets[SET]![1]!;
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${content.length}\r\n\r\n`);
      socket.write(content.slice(0, 50_000));
    });
    const child = start(portal.url, dataDir);
    await until('half a file is there', () => leftovers(dataDir).includes('20260531.json'));
    child.kill('SIGKILL');
    await child.ended;
    expect(Object.keys(decisionsIn(dataDir))).toHaveLength(300);
    portal.taken();
    expect(await finish(start(portal.url, dataDir))).toMatchObject({ exitCode: 0 });
    expect(portal.taken()).toEqual(['20260531.json', '20260630.json']);
    expect(decisionsIn(dataDir)).toEqual(whole);
  });

  test('two at once: one loads, the other ends with the reason', async () => {
    const portal = await startPortal(files());
    const dataDir = temporaryFolder();
    const both = await Promise.all([start(portal.url, dataDir), start(portal.url, dataDir)].map(finish));
    const ended = both.toSorted((a, b) => Number(a.exitCode) - Number(b.exitCode));
    expect(ended).toMatchObject([
      { exitCode: 0 },
      { exitCode: 1, text: expect.stringContaining('wait for it and run this one again') },
    ]);
    expect(portal.taken()).toHaveLength(3);
    expect(decisionsIn(dataDir)).toEqual(whole);
  });

  test('SIGTERM ends it during a wait, with 130', async () => {
    const portal = await startPortal(files());
    portal.fail('/b/', (socket) => {
      answer(socket, 503, 'no', { 'retry-after': '600' });
    });
    const child = start(portal.url, temporaryFolder());
    await child.says('waiting 600 s');
    child.kill('SIGTERM');
    const { exitCode, text } = await finish(child);
    expect(exitCode).toBe(130);
    expect(text).toContain('run it again to continue');
  });

  test.each(smallDisks())(
    '$name ends it during a download or a load, and the next run continues',
    async ({ make }) => {
      for (const kib of [60, 1_000]) {
        using disk = make();
        const portal = await startPortal(files());
        const dataDir = join(disk.folder, 'data');
        mkdirSync(dataDir);
        const { exitCode, text } = await finish(start(portal.url, dataDir, disk.limit(kib)));
        // The larger one is full in the load, or not at all.
        if (kib === 60 || exitCode !== 0) expect(text).toMatch(/disk is full|too large/u);
        disk.widen();
        expect(await finish(start(portal.url, dataDir))).toMatchObject({ exitCode: 0 });
        expect(decisionsIn(dataDir)).toEqual(whole);
        portal.taken();
        await finish(start(portal.url, dataDir));
        expect(portal.taken()).toEqual([]);
      }
    },
  );

  test('an invalid address is refused with the setting’s name', async () => {
    expect(await finish(start('dadosabertos', temporaryFolder()))).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining('STJ_PORTAL_URL: must begin with https://, not "dadosabertos"'),
    });
  });
});
