import { gzipSync } from 'node:zlib';
import { ERROS, type Recusa } from '../contract/recusa.ts';

/** Below this many bytes gzip saves less than a network packet. */
const GZIP_BYTES_MIN = 1_400;
const GZIP_LEVEL = 4;
/** Of a body, so that its headers fit beside it into 16 KiB. */
const BUFFERED_BYTES_MAX = 15_000;

const VARY = 'accept-encoding';

export type Headers = Record<string, string>;

/** A JSON answer, from text that is already JSON; compressed where the client takes it and it is worth it. */
export function jsonAnswer(request: Request, status: number, json: string, headers: Headers): Response {
  headers['content-type'] = 'application/json';
  if (!isPackable(json)) return new Response(json, { status, headers });
  headers['vary'] = VARY;
  if (!acceptsGzip(request.headers.get('accept-encoding'))) {
    return new Response(sentWhole(json), { status, headers });
  }
  headers['content-encoding'] = 'gzip';
  return new Response(sentWhole(gzipSync(json, { level: GZIP_LEVEL })), { status, headers });
}

/** For a client that holds this version: the whole answer's headers but those of its body (RFC 9110, section 15.4.5). */
export function unchangedAnswer(json: string, headers: Headers): Response {
  if (isPackable(json)) headers['vary'] = VARY;
  return new Response(null, { status: 304, headers });
}

/** True for what comes compressed to who takes that, of which caches are told. */
function isPackable(json: string): boolean {
  return json.length >= GZIP_BYTES_MIN;
}

/**
 * What does not fit the server's send buffer along with its headers is sent after a system call for each piece of
 * each header, name, colon and value: 40 of them, a third of the server's work on a page of 20 (Bun 1.4.5). As a
 * stream, which is chunked to clients that can take it, it is sent in two.
 */
function sentWhole(
  body: string | Uint8Array<ArrayBuffer>,
): ReadableStream | string | Uint8Array<ArrayBuffer> {
  if (body.length < BUFFERED_BYTES_MAX) return body;
  return new ReadableStream({
    type: 'direct',
    pull: (controller) => {
      void controller.write(body);
      void controller.end();
    },
  });
}

/** The contract's error answer, with the headers that its code asks for. */
export function errorAnswer(request: Request, { codigo, erro }: Recusa, headers: Headers): Response {
  if (codigo === 'METODO_NAO_PERMITIDO') headers['allow'] = 'GET';
  return jsonAnswer(request, ERROS[codigo].status, JSON.stringify({ erro, codigo }), headers);
}

/** True when the header names gzip, or anything, with a weight above zero (RFC 9110, section 12.5.3). */
export function acceptsGzip(header: string | null): boolean {
  if (header === null) return false;
  let any = false;
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/u.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return !isRefused;
    if (coding === '*') any = !isRefused;
  }
  return any;
}

/** True when the client already holds this version (RFC 9110, section 13.1.2: the comparison is weak). */
export function isUnchanged(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match');
  if (header === null) return false;
  const opaque = etag.replace(/^W\//u, '');
  return header.split(',').some((tag) => {
    const one = tag.trim();
    return one === '*' || one.replace(/^W\//u, '') === opaque;
  });
}

/** A weak validator: the same for the plain and the compressed form of a text. */
export function etagOf(text: string): string {
  return `W/"${Bun.hash(text).toString(36)}"`;
}
