import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openInput } from '../../src/ingest/input.ts';
import { temporaryFolder } from '../support/service.ts';

test('a file that is left before its end stays open until it is closed, and can be read from its start', async () => {
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
  rmSync(folder, { recursive: true });
});
