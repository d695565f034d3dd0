import { open } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadFile } from '../../src/ingest/load.ts';
import { Preparer } from '../../src/ingest/prepare.ts';
import { RejectsFile } from '../../src/ingest/rejects.ts';
import type { BaseWriter } from '../../src/index/write/base-writer.ts';
import { temporaryFolder } from '../support/service.ts';

test('a commit that fails while the input rests fails the load, also when no further line comes', async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
  const { promise: tried, resolve: onTried } = Promise.withResolvers<void>();
  const preparer = new Preparer('stj');
  const writer = {
    learn: () => undefined,
    write: () => 'added',
    commit: () => undefined,
    commitIfOld: () => {
      onTried();
      throw new Error('the disk is full');
    },
  } as unknown as BaseWriter;
  const load = loadFile(pipe, {
    base: 'stj',
    writer,
    prepare: (batch) => Promise.resolve(preparer.prepare(batch)),
    rejects: new RejectsFile(join(folder, 'rejects.jsonl')),
    onProgress: () => undefined,
    shouldStop: () => false,
  });
  const end = await open(pipe, 'w');
  await end.write('{"tipo":"acordao","ementa":"x"}\n');
  await tried;
  await end.close();
  await expect(load).rejects.toThrow('the disk is full');
  rmSync(folder, { recursive: true });
});
