import { expect, test } from 'vitest';
import { scripts } from '../docs/page.ts';
import { run } from '../support/run.ts';

const COMMANDS = [...new Set(Object.values(scripts).flatMap((line) => line.match(/[\w/-]+\.ts/u) ?? []))];

test.each(COMMANDS)('the help of %s fits a terminal of 80 columns', async (script) => {
  const { exitCode, out } = await run(`../${script}`, ['--help'], { COLUMNS: '80' });
  expect(exitCode).toBe(0);
  const lines = out.split('\n');
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
