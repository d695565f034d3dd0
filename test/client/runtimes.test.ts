import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Jurisprudencia } from '../../src/client/client.ts';
import { hasChromium, openBrowser } from '../support/chromium.ts';
import { ROOT, run } from '../support/run.ts';
import { served } from '../support/served.ts';
import { temporaryFolder, type Line } from '../support/service.ts';
import { DENO, nodePath, printed } from './support-runtime.ts';

/** Two courts, more than a page of each. */
const decisions = (court: string): Line[] =>
  Array.from({ length: 7 }, (_, at) => ({
    tipo: 'acordao',
    ementa: `${court} decide dano moral, caso ${at}.`,
  }));

/** What each runtime does with the built package; it prints what came. */
const EXAMPLE = `
import { Jurisprudencia, JurisprudenciaError } from 'jurisprudencia/client';

export async function example(url, key) {
  const api = new Jurisprudencia({ url, key });
  const pedido = { q: 'dano moral', tribunal: ['stj', 'tst'], limite: 5 };
  const ids = [];
  for await (const { id } of api.itens(pedido)) ids.push(id);
  const { ementa } = await api.decisao(ids[0]);
  const { tribunais } = await api.cobertura();
  const error = await api.decisao('stj:999').catch((reason) => reason);
  const aborted = await api.buscar(pedido, { signal: AbortSignal.abort() }).catch(({ name }) => name);
  return { ids, ementa, courts: tribunais.length, one: error instanceof JurisprudenciaError, codigo: error.codigo, aborted };
}
`;
const MAIN = `
import { example } from './example.mjs';
const { URL_OF_SERVICE, KEY } = globalThis.Deno?.env.toObject() ?? process.env;
console.log(JSON.stringify(await example(URL_OF_SERVICE, KEY)));
`;
/** A caller as strict as TypeScript gets; each assignment holds only if the two types are one. */
const TYPED = `
import { Jurisprudencia, type Busca, type Cobertura, type Documento, type Pagina, type Parametros } from 'jurisprudencia/client';
import type * as contract from '${ROOT}/src/client/types.ts';
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export const same: readonly true[] = [
  true satisfies Same<Busca, contract.Busca>,
  // Fields outside the contract may have any type, which the client's types express better.
  true satisfies Same<Omit<Documento, 'extras'>, Omit<contract.Documento, 'extras'>>,
  true satisfies Same<Cobertura, contract.Cobertura>,
  true satisfies Same<Parametros, contract.Parametros>,
];
const api = new Jurisprudencia({ url: 'http://x.test' });
export const page: Pagina = await api.buscar({ q: 'dano', tribunal: ['stj'], uf: 'MG,BR', limite: undefined });
// @ts-expect-error A court that there is not.
export const wrong = api.buscar({ q: 'dano', tribunal: ['stx'] });
`;

const service = served({ stj: decisions('STJ'), tst: decisions('TST') });
const folder = temporaryFolder();
let expected: unknown;
beforeAll(async () => {
  const built = await run('tools/client/command.ts', ['--out', join(folder, 'node_modules/jurisprudencia')]);
  expect(built).toEqual({ exitCode: 0, out: expect.stringContaining(`npm install '${folder}/`), err: '' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'example.mjs'), EXAMPLE);
  writeFileSync(join(folder, 'main.mjs'), MAIN);
  writeFileSync(join(folder, 'typed.ts'), TYPED);
  const api = new Jurisprudencia({ url: service.url, key: service.key });
  const ids = await Array.fromAsync(api.itens({ q: 'dano moral', tribunal: 'stj,tst' }), ({ id }) => id);
  expect(new Set(ids).size).toBe(14);
  const { ementa } = await api.decisao(ids[0] ?? '');
  expected = { ids, ementa, courts: 7, one: true, codigo: 'DECISAO_NAO_ENCONTRADA', aborted: 'AbortError' };
});

describe('the built client', () => {
  it('has no dependency', () => {
    const built = join(folder, 'node_modules/jurisprudencia');
    expect(JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    expect(readFileSync(join(built, 'client.js'), 'utf8')).not.toMatch(
      /^import|require\(|\bprocess\b|\bBun\b/mu,
    );
  });

  it('has the contract’s types, which reject an unknown value', async () => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
    const modules = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', '--types', ''];
    // The package's own declarations are looked at too; the contract's sources have imports with .ts in them.
    const checks = ['--ignoreConfig', '--allowImportingTsExtensions', '--skipLibCheck', 'false'];
    const tsc = [process.execPath, 'x', 'tsc', ...checks, ...strict, ...modules, join(folder, 'typed.ts')];
    expect(await printed(tsc, ROOT)).toBe('');
  });

  it.each([
    ['Node', () => [nodePath(), 'main.mjs']],
    ['Bun', () => [process.execPath, 'main.mjs']],
    ['Deno', () => [DENO, 'run', '--no-prompt', '--no-lock', '--allow-net', '--allow-env', 'main.mjs']],
  ])('runs in %s', async (name, command) => {
    if (name === 'Node')
      expect(await printed([nodePath(), '-p', 'process.versions.bun'], folder)).toBe('undefined\n');
    const env = { URL_OF_SERVICE: service.url, KEY: service.key };
    expect(JSON.parse(await printed(command(), folder, env))).toEqual(expected);
  });

  it.skipIf(!hasChromium())('runs in a browser, behind a server of the page’s own origin', async () => {
    const map = JSON.stringify({
      imports: { 'jurisprudencia/client': '/node_modules/jurisprudencia/client.js' },
    });
    // The service allows no other origin, and a page should not hold the key: its own server adds it.
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        if (pathname === '/') {
          const html = `<!doctype html><link rel="icon" href="data:," /><script type="importmap">${map}</script>`;
          return new Response(html, { headers: { 'content-type': 'text/html' } });
        }
        if (!pathname.startsWith('/v1/')) return new Response(Bun.file(join(folder, pathname)));
        const headers = { authorization: `Bearer ${service.key}`, 'accept-encoding': 'identity' };
        return fetch(service.url + pathname + search, { headers });
      },
    });
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(server.url.href);
      const got = await page.evaluate(
        "import('/example.mjs').then(({ example }) => example(location.origin, undefined))",
      );
      expect(got).toEqual(expected);
    } finally {
      await browser.close();
      await server.stop(true);
    }
  });
});
