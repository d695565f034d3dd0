import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SERVICE_SETTINGS } from '../../src/config/settings.ts';
import { ROOT, run } from '../support/run.ts';
import { pageText, scripts, section } from './page.ts';

const PAGE = 'docs/cluster.md';

/** Lines of the code blocks that are for a shell. */
function commands(): string[] {
  return [...pageText(PAGE).matchAll(/^```sh\n([^]*?)^```$/gmu)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
}

describe('docs/cluster.md', () => {
  test('sets no variable that is no setting', () => {
    const own = new Set(['DATA_DIR', ...SERVICE_SETTINGS.map(({ env }) => env)]);
    const set = commands().flatMap((line) => line.match(/\b[A-Z][A-Z_]+(?==)/gu) ?? []);
    expect(set.length).toBeGreaterThan(20);
    expect(set.filter((name) => !own.has(name))).toEqual([]);
  });

  test('names files of deploy that are there', () => {
    const files = pageText(PAGE).match(/deploy\/cluster\/[\w.-]+\.(?:conf|sh|yaml|service)/gu) ?? [];
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
  });

  test('gives commands only options and subcommands that they have', async () => {
    const used: [script: string, words: string[]][] = [
      ...pageText(PAGE).matchAll(/bun run ([a-z-]+)([^`\n]*)/gu),
    ].map(([, script = '', rest = '']) => [
      script,
      rest.split(' ').filter((word) => /^(?:--[a-z]+|[a-z][a-z-]+)$/u.test(word)),
    ]);
    const checked = used.filter(([script]) => ['keys', 'publish', 'files', 'cluster-users'].includes(script));
    expect(new Set(checked.map(([script]) => script)).size).toBe(4);
    const helps = new Map<string, string>();
    for (const [script, words] of checked) {
      const source = (scripts[script] ?? '').replace(/^exec bun src\//u, '');
      const wanted = script === 'keys' ? [words[0] ?? '', '--help'] : ['--help'];
      const key = [source, ...wanted].join(' ');
      if (!helps.has(key)) helps.set(key, (await run(source, wanted)).out);
      expect(helps.get(key), key).toContain('Usage: ');
      for (const option of words.filter((word) => word.startsWith('--')))
        expect(helps.get(key)).toContain(option);
      if (script === 'keys') expect(helps.get(key)).toContain(`Usage: keys ${words[0]}`);
    }
  });

  test('has a row for each fault', () => {
    const rows = section(PAGE, '## Faults').match(/^\| [a-z].*\|$/gmu) ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(11);
  });
});
