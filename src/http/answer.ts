import { ERROS, type Recusa } from '../contract/recusa.ts';

/** Below this many bytes gzip saves less than a network packet. */
const GZIP_BYTES_MIN = 1_400;
/** On the main thread: 41 µs for 20 items, where zlib takes 77 (level 4) for 4% less, and a zlib thread 197 of CPU. */
const GZIP = { library: 'libdeflate', level: 1 } as const;

/** Largest body that fits into 16 KiB together with its headers. */
const BUFFERED_BYTES_MAX = 15_000;

const VARY = 'accept-encoding';

export type Headers = Record<string, string>;

/** The JSON text of an answer, or its UTF-8; compressed when that is first asked for. */
export class Body {
  readonly plain: string | Uint8Array<ArrayBuffer>;
  #gzip: Uint8Array<ArrayBuffer> | null = null;

  constructor(plain: string | Uint8Array<ArrayBuffer>) {
    this.plain = plain;
  }

  gzip(): Uint8Array<ArrayBuffer> {
    return (this.#gzip ??= Bun.gzipSync(this.plain, GZIP));
  }

  /** True for a text that clients may get compressed; caches learn this from `Vary`. */
  get isPackable(): boolean {
    return this.plain.length >= GZIP_BYTES_MIN;
  }
}

/** An answer, compressed when the client accepts gzip and the text is long enough. */
export function jsonAnswer(request: Request, status: number, body: Body, headers: Headers): Response {
  headers['content-type'] = 'application/json';
  if (body.isPackable) headers['vary'] = VARY;
  const isPacked = body.isPackable && acceptsGzip(request.headers.get('accept-encoding'));
  if (isPacked) headers['content-encoding'] = 'gzip';
  return new Response(sentWhole(isPacked ? body.gzip() : body.plain), { status, headers });
}

/**
 * When headers and body exceed the server's send buffer, the server makes a system call per piece of a header (name, colon,
 * value): 39 calls, a sixth to a quarter of the main thread's work for a new search (Bun 1.4.5, by strace). A stream needs two.
 */
function sentWhole(body: Body['plain']): ReadableStream | Body['plain'] {
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

/** For a client that holds this version: the headers of the full answer except for the body's (RFC 9110, section 15.4.5). @param body null if unknown. */
export function unchangedAnswer(body: Body | null, headers: Headers): Response {
  if (body?.isPackable !== false) headers['vary'] = VARY;
  return new Response(null, { status: 304, headers });
}

/** The contract's error answer, with the headers that its code needs. */
export function errorAnswer(request: Request, { codigo, erro }: Recusa, headers: Headers): Response {
  if (codigo === 'METODO_NAO_PERMITIDO') headers['allow'] = 'GET';
  return jsonAnswer(request, ERROS[codigo].status, new Body(JSON.stringify({ erro, codigo })), headers);
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
export function etagOf(text: string | Uint8Array): string {
  return `W/"${Bun.hash(text).toString(36)}"`;
}
