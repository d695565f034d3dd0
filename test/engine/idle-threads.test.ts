import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ThreadPort, IDLE_MS } from '../../src/engine/thread-port.ts';
import { WAIT } from '../support/patience.ts';
import { readOf } from '../support/requests.ts';
import { temporaryFolder } from '../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('threads collect garbage once after they have worked and become idle', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'stj.db');
  writeFileSync(file, '');
  writeFileSync(`${file}.empty`, '');
  const noted = () => readFileSync(`${file}.empty`, 'utf8');
  const entry = new URL('support-idle-entry.ts', import.meta.url).href;
  const port = new ThreadPort({ file, base: 'stj', threads: 1, entry });
  let time = performance.now();
  const now = vi.spyOn(performance, 'now').mockImplementation(() => time);
  await port.run([readOf([1])]);
  await port.checkFile();
  await port.run([readOf([1])]);
  // Each thread collects garbage once at its start.
  expect(noted()).toBe('x');
  time += IDLE_MS + 1;
  await port.checkFile();
  now.mockRestore();
  await expect.poll(noted, WAIT).toBe('xx');
  time += IDLE_MS + 1;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  await port.checkFile();
  vi.restoreAllMocks();
  // The only thread works in order, so whatever was sent before this batch is done.
  await port.run([readOf([1])]);
  expect(noted()).toBe('xx');
  await port.close();
});
