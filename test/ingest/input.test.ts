import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { Damaged } from '../../src/ingest/damaged.ts';
import { openInput } from '../../src/ingest/input.ts';
import { Interrupted } from '../../src/ingest/interruption.ts';
import { WAIT } from '../support/patience.ts';
import { temporaryFolder } from '../support/service.ts';

test('a partly read file stays open until it is closed, and can be read again from its start', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'x.txt');
  const content = Buffer.alloc(3_000_000, 'decisão ');
  writeFileSync(path, content);
  const input = await openInput(path, {
    spoolFolder: folder,
    onBytes: () => undefined,
    signal: new AbortController().signal,
  });
  const [part] = input.parts;
  let read = 0;
  for await (const chunk of part?.open() ?? []) {
    read += chunk.length;
    if (read > content.length / 2) break;
  }
  expect(read).toBeLessThan(content.length);
  // Whatever is closed by leaving it is closed by now.
  await new Promise((resolve) => setImmediate(resolve));
  expect(Buffer.concat(await Array.fromAsync(part?.open() ?? [])).equals(content)).toBe(true);
  expect(() => {
    input.close();
  }).not.toThrow();
});

test('reading a zip’s directory ends when the load must stop', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'x.zip');
  writeFileSync(path, zipSync({ 'a.json': Buffer.from('[]') }));
  const options = { spoolFolder: folder, onBytes: () => undefined, signal: AbortSignal.abort() };
  await expect(openInput(path, options)).rejects.toThrow(Interrupted);
});

test.each(['file', 'pipe'])('a damaged zip from a %s leaves no file open', async (kind) => {
  const folder = temporaryFolder();
  const path = join(folder, 'x.zip');
  const content = 'PK\u0003\u0004 and no directory';
  if (kind === 'file') writeFileSync(path, content);
  else {
    Bun.spawnSync(['mkfifo', path]);
    Bun.spawn(['sh', '-c', 'printf %s "$0" > "$1"', content, path]);
  }
  const options = { spoolFolder: folder, onBytes: () => undefined, signal: new AbortController().signal };
  await expect(openInput(path, options)).rejects.toThrow(Damaged);
  const isOpen = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  };
  await expect.poll(() => readdirSync('/proc/self/fd').filter(isOpen), WAIT).toEqual([]);
});
