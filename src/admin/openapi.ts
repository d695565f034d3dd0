import { Elysia } from 'elysia';
import type { AdminPart } from './app.ts';

/**
 * `/openapi.json`: the public API as an OpenAPI document. `/openapi`: a page to read it.
 * What makes them is loaded when first asked for: few starts ever need the contract's every text and schema.
 * @param server where the public API is; known only once it listens, and so asked for with each request.
 */
export function openapiPart(server: () => string): AdminPart {
  return new Elysia()
    .get('/openapi.json', async () => {
      const { openApiDocument } = await import('../openapi/document.ts');
      return Response.json(openApiDocument(server()));
    })
    .get('/openapi', async () => {
      const { openApiDocument } = await import('../openapi/document.ts');
      const { openApiPage, PAGE_POLICY } = await import('../openapi/page/page.ts');
      return new Response(openApiPage(openApiDocument(server())), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
        },
      });
    });
}
