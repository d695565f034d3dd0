import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileLook } from '../../src/engine/file-look.ts';
import { temporaryFolder } from '../support/service.ts';

test('a look says that a file is there, that there is none, or the system’s own reason why it cannot be seen', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'stj.db');
  expect(await new FileLook(file).look()).toEqual({ fault: `no base file at ${file}`, identity: '' });
  writeFileSync(file, 'x');
  const found = await new FileLook(file).look();
  expect(found.fault).toBeNull();
  expect(found.identity).not.toBe('');
  const below = await new FileLook(join(file, 'stj.db')).look();
  expect(below).toEqual({ fault: expect.stringContaining('ENOTDIR'), identity: '' });
  rmSync(folder, { recursive: true });
});
