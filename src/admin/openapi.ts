import { Elysia } from 'elysia';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AdminPart } from './app.ts';

const PAGE = join(import.meta.dirname, '../openapi/page.html');
const VIEWER = 'openapi-explorer/dist/browser/openapi-explorer.min.js';

/** Nothing from elsewhere; the one script is the viewer's own file, which styles its parts in place. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `/openapi.json`: the public API as an OpenAPI document. `/openapi`: a page to read it, by a viewer as it was installed.
 * What makes them is loaded when first asked for: few starts ever need the contract's every text and schema.
 * @param server where the public API is; known only once it listens, and so asked for with each request.
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
