import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { courtSigns, INEXACT } from '../../src/contract/court-signs.ts';
import { asFts5 } from '../../src/contract/fts5-query.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';
import { served } from '../support/served.ts';
import type { Line } from '../support/service.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/search-syntax.md'), 'utf8');

/** A row of the page: what to write, and texts that it finds and does not find. */
interface Recipe {
  readonly title: string;
  readonly q: string;
  readonly finds: readonly string[];
  readonly passesOver: readonly string[];
}

const code = (cell: string) => [...cell.matchAll(/`([^`]+)`/gu)].map(([, text = '']) => text);

/** The cells of a section's table, row by row. */
function rowsOf(heading: string): string[][] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.slice(1, -1).split(' | '));
}

const recipes = rowsOf('Receitas / Recipes').map(
  ([title = '', q = '', finds = '', passesOver = '']): Recipe => ({
    title: title.trim(),
    q: code(q)[0] ?? '',
    finds: code(finds),
    passesOver: code(passesOver),
  }),
);

/** What people type: how it is read (nothing: refused), texts that it finds and does not find, and what is better. */
const typed = rowsOf('O que se escreve / What people type').map(
  ([q = '', read = '', finds = '', passesOver = '', better = '']) => ({
    q: code(q)[0] ?? '',
    read: code(read)[0],
    finds: code(finds),
    passesOver: code(passesOver),
    better: code(better)[0] ?? '',
  }),
);

/** What the courts' pages teach, what is written for it here, and texts that this finds and does not find. */
const courts = rowsOf("A busca dos tribunais / The courts' own search").map(
  ([, there = '', here = '', finds = '', passesOver = '']) => ({
    there: code(there)[0] ?? '',
    isLike: there.includes('≈'),
    here: code(here),
    finds: code(finds),
    passesOver: code(passesOver),
  }),
);

/** `tese: words` is in that text of the decision, other words in its ementa. */
function decision(text: string): Line {
  const [, column, words = text] = /^(tese|processo|temas): (.+)$/u.exec(text) ?? [];
  const indexed = column === undefined ? { ementa: words } : { ementa: 'sem mais', [column]: words };
  const temas = column === 'temas' ? { temas: [words] } : {};
  return { tipo: 'acordao', chave: text, data_julgamento: '2020-01-02', ...indexed, ...temas };
}

const texts = [
  ...new Set([...recipes, ...typed, ...courts].flatMap(({ finds, passesOver }) => finds.concat(passesOver))),
];
const service = served({ stj: texts.map(decision) });

async function found(q: string): Promise<string[]> {
  const { status, body } = await service.busca({ q, tribunal: 'stj', limite: '50' });
  expect(body.erro ?? '').toBe('');
  expect(status).toBe(200);
  return body.itens.map(({ id }) => texts[Number(id.split(':')[1]) - 1] ?? '');
}

const check = openSyntaxCheck();

describe('the table of what people type', () => {
  it('has twenty-eight rows, those of the courts’ language included', () => {
    expect(typed.length + courts.length).toBe(28);
  });

  it.each(typed)('is right about how $q is read, what it finds, and what is better', async (row) => {
    const { q, read, finds, passesOver, better } = row;
    const consulta = readQuery(q, check);
    expect('codigo' in consulta ? undefined : consulta.leitura).toBe(read);
    expect(readQuery(better, check)).toMatchObject({ avisos: [] });
    if (read === undefined) expect((await service.busca({ q })).status).toBe(400);
    else {
      const all = await found(q);
      expect(all).toEqual(expect.arrayContaining([...finds]));
      for (const text of passesOver) expect(all).not.toContain(text);
      expect(finds.length).toBeGreaterThan(0);
    }
    expect(passesOver.length).toBeGreaterThan(0);
    const byBetter = await found(better);
    expect([...finds, ...passesOver].some((text) => byBetter.includes(text))).toBe(true);
  });
});

describe('the table of the courts’ language', () => {
  it.each(courts)(
    'is right about the FTS5 for $there, and what that finds',
    async ({ there, isLike, here, finds, passesOver }) => {
      const [q = '', ...parameters] = here;
      const meant = asFts5(there, true);
      expect(meant?.q).toBe(q);
      expect(Object.entries(meant?.parametros ?? {}).map((one) => one.join('='))).toEqual(parameters);
      expect(courtSigns(there).some(({ kind }) => INEXACT.has(kind))).toBe(isLike);
      const all = await found(q);
      expect(all).toEqual(expect.arrayContaining([...finds]));
      for (const text of passesOver) expect(all).not.toContain(text);
      expect(Math.min(finds.length, passesOver.length)).toBeGreaterThan(0);
    },
  );
});

describe('the recipes of the page on search text', () => {
  it('are more than ten, all read from the page', () => {
    expect(recipes.length).toBeGreaterThan(10);
  });
  it.each(recipes)('find what the page promises: $title', async ({ q, finds, passesOver }) => {
    const all = await found(q);
    expect(finds.length).toBeGreaterThan(0);
    expect(passesOver.length).toBeGreaterThan(0);
    expect(all).toEqual(expect.arrayContaining([...finds]));
    for (const text of passesOver) expect(all).not.toContain(text);
  });
});
