import { Elysia } from 'elysia';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { contentPolicy } from './answer.ts';
import type { AdminPart } from './app.ts';

const PAGE = join(import.meta.dirname, '../openapi/page.html');
const VIEWER = 'openapi-explorer/dist/browser/openapi-explorer.min.js';

/** Nothing from other hosts. The only script is the viewer's file, which uses inline styles. */
const POLICY = contentPolicy(
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
);

/**
 * `/openapi.json`: the public API as an OpenAPI document. `/openapi`: a page to read it, with the installed viewer.
 * Their code is loaded at the first request: few runs need all texts and schemas of the contract.
 * @param server gives the address of the public API, which is known only once it listens.
 */
export function openapiPart(server: () => string): AdminPart {
  return new Elysia()
    .get('/openapi.json', async () => {
      const { openApiDocument } = await import('../openapi/document.ts');
      return Response.json(openApiDocument(server()));
    })
    .get('/openapi', () => new Response(Bun.file(PAGE), { headers: { 'content-security-policy': POLICY } }))
    .get(
      '/openapi/explorer.js',
      () => new Response(Bun.file(createRequire(import.meta.url).resolve(VIEWER))),
    );
}
