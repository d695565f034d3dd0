import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { itInPython, PYTHON } from '../openapi/generators.ts';
import { served } from '../support/served.ts';
import { temporaryFolder } from '../support/service.ts';
import { printed } from './support-runtime.ts';
import { DECISIONS } from './support-searches.ts';
import { ROOT } from '../support/run.ts';

const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');

/** The blocks of one language, without the list's indentation. */
function blocks(language: string): string[] {
  const found = page.matchAll(new RegExp(`^( *)\`\`\`${language}\n([^]*?)^ *\`\`\`$`, 'gmu'));
  return [...found].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''));
}

const plan = { tipo: 'acordao', ementa: 'Dano moral. Plano.', data_julgamento: '2020-02-03' };
const service = served({ ...DECISIONS, stj: [...DECISIONS.stj, plan] });
const folder = temporaryFolder();
let environment: Record<string, string>;
beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/jurisprudencia'));
  environment = { JURISPRUDENCIA_URL: service.url, JURISPRUDENCIA_KEY: service.key };
});

describe('docs/clients.md', () => {
  it.each(blocks('ts').map((text, at) => [at + 1, text] as const))(
    'has a TypeScript example %i that runs',
    async (at, text) => {
      writeFileSync(join(folder, `example-${at}.ts`), text);
      expect(await printed([process.execPath, `example-${at}.ts`], folder, environment)).toMatch(/stj|\d/u);
    },
  );

  const commands = blocks('sh').flatMap((text) =>
    text.split('\n').filter((line) => /^bun run (?:buscar|decisao|cobertura)\b/u.test(line)),
  );
  it.each([...new Set(commands.map((line) => line.replace(/ +#.*$/u, '')))])(
    'has a command that runs: %s',
    async (line) => {
      const script = line.replace(
        /^bun run (\w+)/u,
        `"${process.execPath}" "${ROOT}/src/tools/buscar/command.ts" $1`,
      );
      const out = await printed(['sh', '-c', script], folder, environment);
      expect(
        out + readFileSync(line.includes('dano.csv') ? join(folder, 'dano.csv') : '/dev/null', 'utf8'),
      ).toMatch(/stj/u);
    },
  );

  itInPython('has a Python program that pages to the end', async () => {
    const [text = ''] = blocks('python');
    writeFileSync(join(folder, 'example.py'), text);
    const lines = (await printed([PYTHON, 'example.py'], folder, environment)).trim().split('\n');
    expect(lines).toHaveLength(7);
  });

  it('shows assistants’ settings as valid JSON', () => {
    const settings = blocks('json').map((text) => JSON.parse(text) as object);
    expect(settings.map((one) => Object.keys(one))).toEqual([['mcpServers'], ['inputs', 'servers']]);
  });

  it('lists the same exit codes in both languages', () => {
    const [, english = ''] = /^Exit codes: ([^.]+)\./mu.exec(page) ?? [];
    const numbers = (found: Iterable<RegExpMatchArray>) => [...found].map(([, code]) => Number(code));
    const codes = [0, 1, 2, 3, 4, 5, 6, 130];
    expect(numbers(page.matchAll(/^\| (\d+) +\|/gmu))).toEqual(codes);
    expect(numbers(english.matchAll(/(\d+) /gu))).toEqual(codes);
  });
});
