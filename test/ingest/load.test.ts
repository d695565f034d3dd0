import { open } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadFile } from '../../src/ingest/load.ts';
import { RecordMaker } from '../../src/ingest/record-maker.ts';
import { RejectsFile } from '../../src/ingest/rejects.ts';
import { temporaryFolder } from '../support/service.ts';

test('a commit that fails while the input pauses fails the load, even without a further line', async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
  const { promise: tried, resolve: onTried } = Promise.withResolvers<void>();
  const maker = new RecordMaker('stj');
  const writer = {
    write: () => 'added',
    commitIfOld: () => {
      onTried();
      throw new Error('the disk is full');
    },
  };
  const load = loadFile(pipe, {
    base: 'stj',
    writer,
    recordsOf: (batch) => Promise.resolve(maker.recordsOf(batch)),
    rejects: new RejectsFile(join(folder, 'rejects.jsonl')),
    now: () => new Date(0),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  const end = await open(pipe, 'w');
  await end.write('{"tipo":"acordao","ementa":"x"}\n');
  await tried;
  await end.close();
  await expect(load).rejects.toThrow('the disk is full');
});

test.each([
  ['canonical lines', 'stj', '{"tipo":"acordao","data_julgamento":"2026-03-11"}'],
  [
    'a court’s answer',
    'trt3',
    '{"quantidadeTotal":1,"documentos":[{"numeroProcesso":"1","dataJulgamento":"11/03/2026"}]}',
  ],
] as const)('a judgment may have the date %s from the day before on, by the load’s clock', async (...row) => {
  const [, base, text] = row;
  const folder = temporaryFolder();
  const file = join(folder, 'x');
  writeFileSync(file, text);
  const maker = new RecordMaker(base);
  const days: number[] = [];
  for (const now of ['2026-03-09T23:00:00Z', '2026-03-10T01:00:00Z']) {
    await loadFile(file, {
      base,
      writer: { write: ({ julgamento }) => days.push(julgamento) },
      recordsOf: (batch) => Promise.resolve(maker.recordsOf(batch)),
      rejects: new RejectsFile(join(folder, 'rejects.jsonl')),
      now: () => new Date(now),
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  }
  expect(days).toEqual([0, 20_260_311]);
});
