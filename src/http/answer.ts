import { ERROS, type Recusa } from '../contract/recusa.ts';

/** Below this many bytes gzip saves less than a network packet. */
const GZIP_BYTES_MIN = 1_400;
/** On the main thread: 41 µs for 20 items, where zlib takes 77 (level 4) for 4% less, and a zlib thread 197 of CPU. */
const GZIP = { library: 'libdeflate', level: 1 } as const;
/** Largest body that fits into 16 KiB together with its headers. */
const BUFFERED_BYTES_MAX = 15_000;

const VARY = 'accept-encoding';

export type Headers = Record<string, string>;

/** The JSON text of an answer, plain and compressed. */
export interface Body {
  /** Characters. */
  readonly length: number;
  plain(): string | Uint8Array<ArrayBuffer>;
  gzip(): Uint8Array<ArrayBuffer>;
}

export function gzipped(json: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Bun.gzipSync(json, GZIP);
}

/** An answer from JSON text. */
export function jsonAnswer(request: Request, status: number, json: string, headers: Headers): Response {
  return bodyAnswer(
    request,
    status,
    { length: json.length, plain: () => json, gzip: () => gzipped(json) },
    headers,
  );
}

/** Compressed when the client accepts gzip and the text is long enough. */
export function bodyAnswer(request: Request, status: number, body: Body, headers: Headers): Response {
  headers['content-type'] = 'application/json';
  if (!isPackable(body)) return new Response(body.plain(), { status, headers });
  headers['vary'] = VARY;
  if (!acceptsGzip(request.headers.get('accept-encoding'))) {
    return new Response(sentWhole(body.plain()), { status, headers });
  }
  headers['content-encoding'] = 'gzip';
  return new Response(sentWhole(body.gzip()), { status, headers });
}

/** For a client that holds this version: the headers of the full answer except for the body's (RFC 9110, section 15.4.5). @param body null if unknown. */
export function unchangedAnswer(body: Pick<Body, 'length'> | null, headers: Headers): Response {
  if (body === null || isPackable(body)) headers['vary'] = VARY;
  return new Response(null, { status: 304, headers });
}

/** True for text that clients may get compressed; caches learn this from `Vary`. */
function isPackable({ length }: Pick<Body, 'length'>): boolean {
  return length >= GZIP_BYTES_MIN;
}

/**
 * When body and headers exceed the server's send buffer, the server makes a system call per piece of a header (name, colon,
 * value): 40 calls, a third of the work on a page of 20 items (Bun 1.4.5). A stream needs two calls.
 */
function sentWhole(
  body: string | Uint8Array<ArrayBuffer>,
): ReadableStream | string | Uint8Array<ArrayBuffer> {
  if (body.length < BUFFERED_BYTES_MAX) return body;
  const source: Bun.DirectUnderlyingSource = {
    type: 'direct',
    pull: (controller) => {
      void controller.write(body);
      void controller.end();
    },
  };
  // Typed as an object: the check of the console's page uses the browsers' stream types.
  return new ReadableStream(source as object);
}

/** The contract's error answer, with the headers that its code needs. */
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

/** A weak validator: the same for the plain and the compressed text. */
export function etagOf(text: string): string {
  return `W/"${Bun.hash(text).toString(36)}"`;
}
