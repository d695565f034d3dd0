import { Elysia } from 'elysia';

/** What the bare routes are made of, as JSON on standard input: path to body. */
const bodies = JSON.parse(await Bun.stdin.text()) as Readonly<Record<string, string>>;

/** A server that does nothing but return bytes that it has: the least that an answer by the framework takes. */
const json = (body: string | undefined) =>
  new Response(body ?? '', {
    status: body === undefined ? 404 : 200,
    headers: { 'content-type': 'application/json' },
  });
const PREFIX = '/v1/jurisprudencia';
const cobertura = bodies[`${PREFIX}/cobertura`];
const app = new Elysia({ serve: { reusePort: false, hostname: '127.0.0.1' } })
  .get(`${PREFIX}/cobertura`, () => json(cobertura))
  .get(`${PREFIX}/:id`, ({ params }) => json(bodies[`${PREFIX}/${params.id}`]))
  .listen(0);
console.log(`Serving at ${app.server?.url.href}`);
