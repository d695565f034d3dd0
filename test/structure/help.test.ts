import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const COMMANDS = [...new Set(Object.values(scripts).flatMap((line) => line.match(/[\w/-]+\.ts/u) ?? []))];

test.each(COMMANDS)('the help of %s fits a terminal of 80 columns', (script) => {
  const env = { PATH: process.env['PATH'] ?? '', COLUMNS: '80' };
  const { stdout, exitCode } = Bun.spawnSync([process.execPath, script, '--help'], { cwd: ROOT, env });
  expect(exitCode).toBe(0);
  const lines = stdout.toString().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
