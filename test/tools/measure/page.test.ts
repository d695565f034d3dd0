import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/service.ts';
import { writeLastCells, writeSections } from './page.ts';
import { runHead } from './run-head.ts';

const folder = temporaryFolder();
const page = join(folder, 'page.md');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  writeFileSync(page, 'Before.\n\n<!-- bench:begin -->\n\nold\n\n<!-- bench:end -->\n\nAfter.\n');
});

const row = (measure: string, reached: string, ok: boolean | null = null) => ({
  measure,
  aim: '<= 1',
  reached,
  ok,
});
const section = (name: string, reached: string) => ({ name, rows: [row('a', reached, true)] });
const text = () => readFileSync(page, 'utf8');

describe('the tables that a run writes into a page', () => {
  test('stand between the marks, below one line of what they are of, and all else stays', async () => {
    const rows = [row('prefix a*, one|two', '5 ms', true), row('  of it', '<2 ms', false)];
    await writeSections(page, 'bench', 'Version 1, on a machine.', [
      { name: 'first', rows, below: ['![plot](bench/a.svg)'] },
    ]);
    expect(text()).toBe(
      [
        'Before.\n\n<!-- bench:begin -->\n\nVersion 1, on a machine.\n\n### first\n',
        String.raw`| what                 | aim  | measured | aim reached |`,
        String.raw`| -------------------- | ---- | -------- | ----------- |`,
        String.raw`| prefix a\*, one\|two | <= 1 | 5 ms     | yes         |`,
        String.raw`| … of it              | <= 1 | <2 ms    | no          |`,
        '\n![plot](bench/a.svg)\n\n<!-- bench:end -->\n\nAfter.\n',
      ].join('\n'),
    );
  });

  test('keep the sections of the same version, machine and day that were not measured again', async () => {
    await writeSections(page, 'bench', 'Version 1.', [section('first', '1'), section('second', '2')]);
    await writeSections(page, 'bench', 'Version 1.', [section('second', '3')]);
    expect(text()).toMatch(/### first\n[^#]*\| 1 [^#]*### second\n[^#]*\| 3 /u);
    expect(text()).not.toContain('| 2 ');
  });

  test('leave nothing of another version, machine or day', async () => {
    await writeSections(page, 'bench', 'Version 1.', [section('first', '1'), section('second', '2')]);
    await writeSections(page, 'bench', 'Version 2.', [section('second', '3')]);
    expect(text()).not.toContain('first');
    expect(text()).not.toContain('Version 1');
  });

  test('find no place in a page that lacks the marks, or that is not there', async () => {
    await expect(writeSections(page, 'soak', 'Version 1.', [])).rejects.toThrow(
      /lacks the marks <!-- soak:begin --> and <!-- soak:end -->/u,
    );
    await expect(writeSections(join(folder, 'none.md'), 'bench', 'Version 1.', [])).rejects.toThrow(
      /there is no page .*none\.md/u,
    );
  });
});

test('figures go into the last cells of a table, row by row, and a missing one changes nothing', async () => {
  const before =
    '<!-- figures:begin -->\n\n| what | figure |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n\n<!-- figures:end -->\n';
  writeFileSync(page, before);
  await writeLastCells(page, 'figures', [null, '3 ms']);
  expect(text()).toMatch(/\| a +\| 1 +\|\n\| b +\| 3 ms +\|/u);
});

test('the head of a run names version, day and machine', () => {
  expect(runHead(new Date('2026-01-02T23:00:00Z'), '; own')).toMatch(
    /^Version \d+\.\d+\.\d+( \(commit [0-9a-f]+\))?, 2026-01-02, on \d+ cores \(.*\), [\d.]+ GiB, Linux .*, Bun [\d.]+; own\.$/u,
  );
});
