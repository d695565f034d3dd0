import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, run } from '../support/run.ts';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const COMMANDS = [...new Set(Object.values(scripts).flatMap((line) => line.match(/[\w/-]+\.ts/u) ?? []))];

test.each(COMMANDS)('the help of %s fits a terminal of 80 columns', async (script) => {
  const { exitCode, out } = await run(`../${script}`, ['--help'], { COLUMNS: '80' });
  expect(exitCode).toBe(0);
  const lines = out.split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
