import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ThreadPort } from '../../src/engine/thread-port.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { writeAtomically } from '../../src/process/files.ts';
import { WAIT } from '../support/patience.ts';
import { readOf } from '../support/requests.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';

const ENTRY = new URL('../tools/faults/support-entry.ts', import.meta.url).href;
const OK = [{ ok: true }];

describe('a port of threads', () => {
  let file: string;
  let flag: string;
  let port: ThreadPort;
  const run = () => port.run([readOf([1])]);
  const fault = (text: string) => {
    writeAtomically(flag, text);
  };
  const open = (threads: number) => (port = new ThreadPort({ file, base: 'stj', threads, entry: ENTRY }));
  beforeEach(() => {
    const dataDir = temporaryFolder();
    loadLines(dataDir, 'stj', [{ tipo: 'acordao', ementa: 'x' }]);
    file = baseFile(dataDir, 'stj');
    flag = join(dataDir, 'thread-fault-stj');
  });
  afterEach(async () => {
    rmSync(flag, { force: true });
    await port.close();
  });

  test('that gets more threads answers with those it has until the new ones have loaded, then with all', async () => {
    open(1);
    expect(await run()).toMatchObject(OK);
    const resized = port.resize(3);
    expect(await run()).toMatchObject(OK);
    expect(await resized).toBe(3);
    fault('hold');
    const held = [run(), run(), run()];
    expect(port.status()).toMatchObject({ threads: 3, threads_busy: 3, restarts: 0 });
    rmSync(flag);
    expect(await Promise.all(held)).toMatchObject([OK, OK, OK]);
  });

  test('that gets fewer threads lets batches that run already end', async () => {
    open(1);
    await run();
    await port.resize(3);
    fault('hold');
    const held = [run(), run(), run()];
    expect(await port.resize(1)).toBe(1);
    rmSync(flag);
    expect(await Promise.all(held)).toMatchObject([OK, OK, OK]);
    expect(await run()).toMatchObject(OK);
    fault('hold');
    const others = [run(), run()];
    expect(port.status()).toMatchObject({ threads: 1, threads_busy: 1, restarts: 0 });
    rmSync(flag);
    expect(await Promise.all(others)).toMatchObject([OK, OK]);
  });

  test('keeps its size if one of the new threads does not load, and can be resized later', async () => {
    open(1);
    await run();
    fault('throw-import');
    expect(await port.resize(3)).toBe(1);
    expect(port.status()).toMatchObject({ threads: 1 });
    expect(await run()).toMatchObject(OK);
    rmSync(flag);
    await expect.poll(() => port.resize(2), WAIT).toBe(2);
  });

  test('takes a new size while none of its threads can load, and starts with it', async () => {
    fault('throw-import');
    open(1);
    expect(await run()).toMatchObject([
      { failure: 'unavailable', detail: expect.stringContaining('broken') },
    ]);
    expect(port.status().threads).toBe(0);
    expect(await port.resize(3)).toBe(3);
    rmSync(flag);
    await expect.poll(run, WAIT).toMatchObject(OK);
    expect(port.status().threads).toBe(3);
  });

  test('runs no request whose client left before a thread had loaded', async () => {
    open(1);
    const gone = new AbortController();
    const answer = port.run([readOf([1])], gone.signal);
    gone.abort();
    expect(await answer).toMatchObject([{ ok: false }]);
    expect(await run()).toMatchObject(OK);
  });

  test('can be closed while new threads start', async () => {
    open(1);
    const resized = port.resize(3);
    await port.close();
    await resized;
  });
});
