import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ThreadPort } from '../../src/engine/thread-port.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';

const start = (file: string) => new ThreadPort({ file, base: 'tst', threads: 1 });

describe('a port of threads checks its base file, and', () => {
  let dataDir: string;
  let file: string;
  let port: ThreadPort;
  beforeEach(() => {
    dataDir = temporaryFolder();
    loadLines(dataDir, 'tst', [{ tipo: 'acordao', ementa: 'x' }]);
    file = baseFile(dataDir, 'tst');
    port = start(file);
  });
  afterEach(() => port.close());

  test('reports a missing one, and no fault once it is back', async () => {
    renameSync(file, `${file}.away`);
    expect(await port.checkFile()).toMatchObject({ fault: `no base file at ${file}` });
    renameSync(`${file}.away`, file);
    expect(await port.checkFile()).toMatchObject({ fault: null });
  });

  test('distinguishes one that was written to from one that was replaced', async () => {
    const seen = new Set([(await port.checkFile())?.identity]);
    appendFileSync(file, 'x');
    seen.add((await port.checkFile())?.identity);
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    seen.add((await port.checkFile())?.identity);
    expect(seen.size).toBe(3);
    expect(seen).toContain((await port.checkFile())?.identity);
  });

  test('reports a path that is no regular file', async () => {
    rmSync(file);
    mkdirSync(file);
    expect(await port.checkFile()).toMatchObject({ fault: `not a regular file: ${file}` });
  });

  test('gives the system’s reason for one that cannot be read', async () => {
    const below = start(join(file, 'stj.db'));
    expect(await below.checkFile()).toEqual({ fault: expect.stringContaining('ENOTDIR'), identity: '' });
    await below.close();
  });
});
