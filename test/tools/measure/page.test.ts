import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/service.ts';
import { readSections, writeLastCells, writeSections } from './page.ts';
import { runHead } from './report.ts';

const folder = temporaryFolder();
const page = join(folder, 'page.md');
beforeEach(() => {
  writeFileSync(page, 'Before.\n\n<!-- bench:begin -->\n\nold\n\n<!-- bench:end -->\n\nAfter.\n');
});

const row = (measure: string, reached: string, ok: boolean | null = null) => ({
  measure,
  aim: '<= 1',
  reached,
  ok,
});
const section = (name: string, reached: string) => [name, { rows: [row('a', reached, true)] }] as const;
const text = () => readFileSync(page, 'utf8');

describe('the tables of a run in a page', () => {
  test('are between the marks, below a line of version and machine; all else is unchanged', async () => {
    const rows = [row('prefix a*, one|two', '5 ms', true), row('  of it', '<2 ms', false)];
    const head = 'Version 1, on a machine.';
    await writeSections(page, 'bench', head, [['first', { rows }]]);
    expect(text()).toBe(
      [
        'Before.\n\n<!-- bench:begin -->\n\n### first\n\nVersion 1, on a machine.\n',
        String.raw`| what                 | aim  | measured | aim reached |`,
        String.raw`| -------------------- | ---- | -------- | ----------- |`,
        String.raw`| prefix a\*, one\|two | <= 1 | 5 ms     | yes         |`,
        String.raw`| … of it              | <= 1 | <2 ms    | no          |`,
        '\n<!-- bench:end -->\n\nAfter.\n',
      ].join('\n'),
    );
  });

  test('keep the sections that were not measured again, each with its own version and day', async () => {
    const before = ['first', 'second', 'third'].map((name, at) => section(name, String(at + 1)));
    await writeSections(page, 'bench', 'Version 1.', before);
    expect(text().match(/Version/gu)).toHaveLength(1);
    await writeSections(page, 'bench', 'Version 2.', [section('second', '5')]);
    const kept = /### first\n\nVersion 1\.\n[^#]*\| 1 [^#]*/u.source;
    const measured = /### second\n\nVersion 2\.\n[^#]*\| 5 [^#]*/u.source;
    expect(text()).toMatch(new RegExp(`${kept}${measured}### third\\n\\nVersion 1\\.\\n[^#]*\\| 3 `, 'u'));
    const read = readSections(page, 'bench');
    expect([...read.values()].map(({ head }) => head)).toEqual(['Version 1.', 'Version 2.', 'Version 1.']);
    expect(read.get('second')?.rows.at(-1)).toEqual(['a', '<= 1', '5', 'yes']);
  });

  test('cannot be written without the marks or the page', async () => {
    await expect(writeSections(page, 'other', '', [])).rejects.toThrow(
      /lacks the marks <!-- other:begin --> and <!-- other:end -->/u,
    );
    await expect(writeSections(join(folder, 'none.md'), 'bench', '', [])).rejects.toThrow(
      /there is no page .*none\.md/u,
    );
  });
});

test('figures are written into the last cells of a table, row by row', async () => {
  const before =
    '<!-- figures:begin -->\n\n| what | figure |\n| --- | --- |\n| a | 1 |\n| b | 2 |\n\n<!-- figures:end -->\n';
  writeFileSync(page, before);
  await writeLastCells(page, 'figures', ['2 ms', '3 ms']);
  expect(text()).toMatch(/\| a +\| 2 ms +\|\n\| b +\| 3 ms +\|/u);
});

test('the head of a run names version, day and machine', () => {
  expect(runHead(new Date('2026-01-02T23:00:00Z'), '; own')).toMatch(
    /^Version \d+\.\d+\.\d+( \(commit [0-9a-f]+\))?, 2026-01-02, on \d+ cores \(.*\), [\d.]+ GiB, Linux .*, Bun [\d.]+; own\.$/u,
  );
});
