import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROS } from '../../src/contract/recusa.ts';
import { LinhaSchema } from '../../src/ingest/canonical.ts';
import { FORMATOS } from '../../src/ingest/formats/table.ts';
import { PARAMETROS } from '../../src/contract/vocabulary.ts';

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The rows of the table under a heading, as their first cells. */
function firstCells(heading: string): string[] {
  const section = readme.slice(readme.indexOf(heading)).split(/\n#+ /)[0] ?? '';
  return section.split('\n').flatMap((line) => /^\| (`[^|]+`) +\|/.exec(line)?.[1] ?? []);
}

describe('the README', () => {
  test('has a row for every search parameter, and for none that is not', () => {
    const named = firstCells('### Search parameters').flatMap((cell) => cell.match(/[a-z_]+/g) ?? []);
    expect(named.toSorted()).toEqual([...PARAMETROS].toSorted());
  });

  test('has a row for every codigo, with its status', () => {
    const rows = [...readme.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)` +\|/gm)].map(
      ([, status, codigo]) => `${codigo} ${status}`,
    );
    expect(rows.toSorted()).toEqual(
      Object.entries(ERROS)
        .map(([codigo, { status }]) => `${codigo} ${status}`)
        .toSorted(),
    );
  });

  test('names every field of the ingest format', () => {
    const named = firstCells('## Load your own decisions').flatMap((cell) => cell.match(/[a-z_]+/g) ?? []);
    expect(named.toSorted()).toEqual(Object.keys(LinhaSchema.properties).toSorted());
  });

  test('has a section that names each format of a court, and says what it has met', () => {
    const courts = FORMATOS.filter(({ name }) => name !== 'jsonl').map(({ name }) => name);
    const headings = readme.match(/^### .*`.*$/gmu)?.flatMap((one) => one.match(/(?<=`)[^`]+/gu) ?? []) ?? [];
    expect(headings.filter((name) => name.includes('-')).toSorted()).toEqual(courts.toSorted());
    const met = readme.slice(readme.indexOf('### What these formats have met')).split(/\n## /)[0] ?? '';
    for (const name of courts) expect(met).toContain(`\`${name}\``);
  });

  test('names every command', () => {
    for (const name of [
      'start',
      'test',
      'ingest',
      'keys',
      'demo',
      'load',
      'openapi',
      'buscar',
      'decisao',
      'cobertura',
      'client',
      'mcp',
      'check',
      'faults',
      'soak',
      'bench',
    ]) {
      expect(scripts).toHaveProperty(name);
      expect(readme).toMatch(new RegExp(`bun(?:@[\\d.]+)? (?:run )?${name}\\b`));
    }
  });
});
