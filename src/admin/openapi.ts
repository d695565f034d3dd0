import { Elysia } from 'elysia';
import { openApiDocument } from '../openapi/document.ts';
import { openApiPage, PAGE_POLICY } from '../openapi/page/page.ts';
import type { AdminPart } from './app.ts';

/**
 * `/openapi.json`: the public API as an OpenAPI document. `/openapi`: a page to read it.
 * @param server where the public API is; known only once it listens, and so asked for with each request.
 */
export function openapiPart(server: () => string): AdminPart {
  return new Elysia()
    .get('/openapi.json', () => Response.json(openApiDocument(server())))
    .get(
      '/openapi',
      () =>
        new Response(openApiPage(openApiDocument(server())), {
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
          },
        }),
    );
}
