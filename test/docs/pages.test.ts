import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASES, PARAMETROS } from '../../src/contract/vocabulary.ts';
import { ERROS } from '../../src/contract/recusa.ts';
import { LinhaSchema } from '../../src/ingest/canonical.ts';
import { FORMATOS } from '../../src/ingest/formats/table.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { servedInTest } from '../support/served.ts';
import { figureIn, FIGURES, medianAt, readResults, READMES } from '../tools/bench/docs.ts';
import { ROOT } from '../support/run.ts';
import { firstCells, pageText, scripts, section } from './page.ts';

const PAGES = [
  ...READMES,
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'data/README.md',
  'docs/bench/results.md',
  'src/index/FORMAT.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Anchors as GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  return [...pageText(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Links and pictures to files of the project. */
function linksOf(page: string): string[] {
  const prose = pageText(page).replaceAll(/^ *```[^]*?^ *```$/gmu, '');
  return [...prose.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/gu)].map(([, target = '']) => target);
}

describe.each(PAGES)('%s', (page) => {
  test('links to existing files and headings alone', () => {
    const broken = linksOf(page).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names existing scripts and entry points alone', () => {
    const text = pageText(page);
    for (const [, name = ''] of text.matchAll(/bun(?:@[\d.]+)? run ([a-z][\w-]*)/gu))
      expect(scripts, name).toHaveProperty(name);
    for (const [, file = ''] of text.matchAll(/\bbun (src\/[\w/.-]+\.ts)/gu))
      expect(existsSync(join(ROOT, file)), file).toBe(true);
  });
});

describe.each(READMES)('%s', (readme) => {
  test('is short: at most 150 lines and 8 kB', () => {
    expect(pageText(readme).split('\n').length - 1).toBeLessThanOrEqual(150);
    expect(Buffer.byteLength(pageText(readme))).toBeLessThanOrEqual(8_000);
  });

  test('shows how to start and to test with nothing but npm', () => {
    expect(pageText(readme)).toMatch(/^npx --yes bun@1\.4\.5 start .*\nnpx --yes bun@1\.4\.5 run test /mu);
  });

  test('reaches every page of docs by at most two links', () => {
    const near = linksOf(readme).map((target) => target.split('#')[0] ?? '');
    const far = near
      .filter((page) => PAGES.includes(page))
      .flatMap((page) => linksOf(page).map((target) => join(dirname(page), target.split('#')[0] ?? '')));
    const missing = PAGES.filter((page) => page.startsWith('docs/') && ![...near, ...far].includes(page));
    expect(missing).toEqual([]);
  });

  test('shows the figures of the results, row by row', () => {
    const [, table = ''] = pageText(readme).split(/<!-- figures:(?:begin|end) -->/u);
    const [, , ...rows] = Array.from(table.matchAll(/\| ([^|]*?) +\|$/gmu), ([, figure = '']) => figure);
    const results = readResults(join(ROOT, 'docs/bench/results.md'));
    expect(rows).toEqual(FIGURES.map((place) => figureIn(readme, medianAt(results, place))));
  });

  test('has at most twelve links to more', () => {
    const more = section(readme, readme === 'README.md' ? '## More' : '## Mais');
    expect(more.match(/\]\(/gu)?.length).toBeLessThanOrEqual(12);
  });
});

test('the READMEs show the same ten searches, each of which finds something in the demo', async () => {
  const [head, ...queries] = firstCells('README.md', '## Search');
  expect([head, queries.length]).toEqual(['q', 10]);
  expect(firstCells('README.pt-BR.md', '## Buscar')).toEqual([head, ...queries]);
  // Some of its lines: a first start makes more of the same.
  const demo = BASES.map((base) => [base, [...demoLines(base, 200, DEMO_SEED_DEFAULT)]]);
  const service = await servedInTest(Object.fromEntries(demo));
  for (const q of queries) {
    const { body, headers } = await service.busca({ q });
    expect(body.itens.length, q).toBeGreaterThan(0);
    // A column without quotes or an operator next to it is a word like any other.
    const reading = decodeURIComponent(headers.get('jurisprudencia-leitura') ?? '');
    expect(reading.includes(' : '), q).toBe(q.includes(' : '));
  }
});

describe.each([
  ['README.md', '## The API'],
  ['README.pt-BR.md', '## A API'],
  ['docs/api.md', '## Search parameters'],
])('%s', (page, heading) => {
  test('has a row for every search parameter, and no other', () => {
    const named = firstCells(page, heading).filter((name) => /^[a-z_]+$/u.test(name));
    expect(named.toSorted()).toEqual([...PARAMETROS].toSorted());
  });

  test('has a row for every codigo with its status', () => {
    const rows = [...pageText(page).matchAll(/^\| (\d{3}) +\| `([A-Z_]+)` +\|/gmu)].map(
      ([, status, codigo]) => `${codigo} ${status}`,
    );
    const expected = Object.entries(ERROS).map(([codigo, { status }]) => `${codigo} ${status}`);
    expect(rows.toSorted()).toEqual(expected.toSorted());
  });
});

describe('docs/ingest.md', () => {
  test('names every field of a line, and no other', () => {
    const fields = section('docs/ingest.md', '## Fields').split('Each base holds')[0] ?? '';
    const cells = [...fields.matchAll(/^- (`[^:]+`): /gmu)].flatMap(
      ([, cell = '']) => cell.match(/[a-z_]+/gu) ?? [],
    );
    expect(cells.toSorted()).toEqual(Object.keys(LinhaSchema.properties).toSorted());
  });
});

describe('docs/formats.md', () => {
  const courts = FORMATOS.map(({ name }) => name).filter((name) => name !== 'jsonl');

  test('has a row for every format', () => {
    const cells = firstCells('docs/formats.md', '# What the courts publish');
    expect(cells.slice(0, FORMATOS.length)).toEqual(FORMATOS.map(({ name }) => name));
  });

  test('has a section for each court’s format, with the material that it was tested on', () => {
    const headings = pageText('docs/formats.md').match(/^## .*`.*$/gmu) ?? [];
    const named = headings.flatMap((one) => one.match(/`[^`]+`/gu) ?? []).map((code) => code.slice(1, -1));
    expect(named.toSorted()).toEqual(courts.toSorted());
    const tested = section('docs/formats.md', '## What these formats were tested against');
    for (const name of courts) expect(tested).toContain(`\`${name}\``);
  });
});

test('every command has a page', () => {
  const all = PAGES.map(pageText).join('\n');
  const commands = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  expect(commands.length).toBeGreaterThan(15);
  for (const name of commands) expect(all).toMatch(new RegExp(`bun(?:@[\\d.]+)? (?:run )?${name}\\b`, 'u'));
});
