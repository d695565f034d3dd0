import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { cursorSecret } from '../../src/start/secret.ts';
import { startProgram } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

const STARTS = 4;

/** The secrets that so many processes read, all at one moment. */
async function secretsAtOnce(folder: string): Promise<string[]> {
  const go = join(folder, 'go');
  const source = `
    import { existsSync } from 'node:fs';
    import { cursorSecret } from ${JSON.stringify(join(import.meta.dirname, '../../src/start/secret.ts'))};
    console.log('ready');
    while (!existsSync(${JSON.stringify(go)})) await Bun.sleep(1);
    console.log(cursorSecret(${JSON.stringify(folder)}).toString('hex'));`;
  const children = Array.from({ length: STARTS }, () => startProgram([process.execPath, '-e', source]));
  await Promise.all(children.map((child) => child.says('ready')));
  writeFileSync(go, '');
  await Promise.all(children.map(({ ended }) => ended));
  return children.map((child) => child.out().trim().split('\n').at(-1) ?? '');
}

test.each(['a new folder', 'a folder whose secret is damaged'])(
  'processes that start at once on %s sign cursors with one secret',
  async (about) => {
    for (let round = 0; round < 3; round += 1) {
      const folder = join(dataDir, String(round));
      mkdirSync(folder);
      if (about !== 'a new folder') writeFileSync(join(folder, 'cursor-secret'), 'cut short');
      const [first = '', ...others] = await secretsAtOnce(folder);
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      expect(others).toEqual(others.map(() => first));
      expect(cursorSecret(folder).toString('hex')).toBe(first);
      expect(statSync(join(folder, 'cursor-secret')).mode & 0o777).toBe(0o600);
    }
  },
);
