import { Elysia } from 'elysia';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { etagOf, isUnchanged } from '../../http/answer.ts';
import { adminErro, contentPolicy } from '../answer.ts';
import type { AdminPart } from '../app.ts';

const FOLDER = join(import.meta.dirname, 'page');
const CONTRACT = join(import.meta.dirname, '../../contract');
const PAGE = 'console.html';
const resolve = createRequire(import.meta.url).resolve;
const UPLOT = dirname(resolve('uplot/package.json'));

/** Forbids content from other hosts, inline scripts and inline styles. */
const POLICY = contentPolicy("script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'");

/** The files of the page by their names under `/console/`. */
const FILES: ReadonlyMap<string, string> = new Map([
  ...readdirSync(FOLDER)
    .filter((name) => name !== PAGE && !/\.(?:d\.ts|json)$/u.test(name))
    .map((name) => [name, join(FOLDER, name)] as const),
  ['numbers.js', join(CONTRACT, 'numbers.ts')],
  ['vocabulary.js', join(CONTRACT, 'vocabulary.ts')],
  ['preact.js', join(dirname(resolve('preact/package.json')), 'dist/preact.mjs')],
  ['htm.js', join(dirname(resolve('htm/package.json')), 'dist/htm.mjs')],
  ['uplot.js', join(UPLOT, 'dist/uPlot.esm.js')],
  ['uplot.css', join(UPLOT, 'dist/uPlot.min.css')],
]);

/** The page and its files: modules, and the installed libraries. */
export function pageRoutes(): AdminPart {
  return (
    new Elysia()
      // At its start the service prints this address without a path.
      .get('/', () => new Response(null, { status: 302, headers: { location: '/console' } }))
      .get('/console', ({ request }) => fileAnswer(request, join(FOLDER, PAGE)))
      .get('/console/:file', ({ request, params: { file } }) => {
        const path = FILES.get(file);
        return path === undefined ? adminErro(404, `não há /console/${file}`) : fileAnswer(request, path);
      })
  );
}

/** Browsers know no types. */
const withoutTypes = new Bun.Transpiler({ loader: 'ts', target: 'browser' });

/** Reads the file at each request: it is small, and a change takes effect immediately. */
function fileAnswer(request: Request, path: string): Response {
  const written = readFileSync(path, 'utf8');
  const text = path.endsWith('.ts') ? withoutTypes.transformSync(written) : written;
  const etag = etagOf(text);
  const headers = {
    'content-type': Bun.file(path).type,
    'content-security-policy': POLICY,
    'cache-control': 'no-cache',
    etag,
  };
  return isUnchanged(request, etag)
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers });
}
