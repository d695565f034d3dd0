import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificates } from './source.ts';

const NAME = /^\/([a-z0-9]+-\d+-[0-9a-f]{16}\.(?:db|chunks))$/u;
const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/u;

/**
 * Serves byte ranges of published files, and nothing else.
 * @param certificates with one, clients need a certificate from the same authority. @throws system errors if it cannot listen.
 */
export function serveFiles(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
  { nats_ca: ca, nats_cert: cert, nats_key: key }: Certificates,
): Bun.Server<undefined> {
  return Bun.serve({
    hostname: host,
    port,
    fetch: (request) => answer(folder, request),
    ...(cert !== '' && {
      tls: {
        ca: readFileSync(ca, 'utf8'),
        cert: readFileSync(cert, 'utf8'),
        key: readFileSync(key, 'utf8'),
        requestCert: true,
        rejectUnauthorized: true,
      },
    }),
  });
}

async function answer(folder: string, request: Request): Promise<Response> {
  if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } });
  const [, name] = NAME.exec(new URL(request.url).pathname) ?? [];
  if (name === undefined) return new Response(null, { status: 404 });
  const file = Bun.file(join(folder, name));
  if (!(await file.exists())) return new Response(null, { status: 404 });
  const [, first = '', last = ''] = RANGE.exec(request.headers.get('range') ?? '') ?? [];
  if (first === '') return new Response(file);
  const [from, to] = [Number(first), Math.min(Number(last) + 1, file.size)];
  if (from >= to) {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${file.size}` } });
  }
  return new Response(file.slice(from, to), {
    status: 206,
    headers: {
      'content-range': `bytes ${from}-${to - 1}/${file.size}`,
      'content-length': String(to - from),
      'content-type': 'application/octet-stream',
    },
  });
}
