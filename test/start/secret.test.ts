import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cursorSecret } from '../../src/start/secret.ts';
import { temporaryFolder } from '../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const STARTS = 4;

/** The secrets that so many processes read, all at one moment. */
async function secretsAtOnce(folder: string): Promise<string[]> {
  const source = `
    import { cursorSecret } from ${JSON.stringify(join(import.meta.dirname, '../../src/start/secret.ts'))};
    console.log('ready');
    for await (const _ of process.stdin) break;
    console.log(cursorSecret(${JSON.stringify(folder)}).toString('hex'));`;
  const children = Array.from({ length: STARTS }, () =>
    Bun.spawn([process.execPath, '-e', source], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' }),
  );
  const outputs = children.map(({ stdout }) => stdout.getReader());
  await Promise.all(outputs.map((output) => output.read()));
  for (const { stdin } of children) {
    void stdin.write('go\n');
    void stdin.end();
  }
  const read = await Promise.all(outputs.map((output) => output.read()));
  return read.map(({ value }) => new TextDecoder().decode(value).trim());
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
