import { createHash, timingSafeEqual } from 'node:crypto';
import { pathOf } from '../http/routing.ts';
import { isLoopback } from '../process/listen.ts';
import { adminErro } from './answer.ts';

/** Answer a bare status to anybody. */
export const PROBES = ['/livez', '/readyz'];

const REALM = 'realm="jurisprudencia-admin"';

/**
 * Decides which requests pass. With a token: those that carry it. Without: those whose Host is the listener's address.
 * A request by another site's page in the operator's browser never passes, even if the page could not read the answer:
 * searches cost CPU, and the number of live streams is limited.
 */
export class Guard {
  readonly #host: string;
  readonly #digest: Buffer | null;

  /** @param host that the listener listens on. @param token empty when none is required. */
  constructor(host: string, token: string) {
    this.#host = host.toLowerCase();
    this.#digest = token === '' ? null : digestOf(token);
  }

  /** @returns null when the request may pass. */
  refuse(request: Request): Response | null {
    if (isProbe(request)) return null;
    const host = request.headers.get('host');
    if (host === null) return adminErro(400, 'falta o cabeçalho Host; repita com ele');
    if (this.#digest === null) {
      // Another site's DNS name may point here (DNS rebinding); the browser then sends that name.
      if (!this.#isOwn(nameOf(host))) {
        return adminErro(403, 'este nome não é o da administração; use http://127.0.0.1 ou http://localhost');
      }
    } else if (!this.#knowsToken(request.headers.get('authorization'))) return unauthorized();
    return isLinkFollowed(request) || isSameOrigin(request, host) ? null : fromAnotherSite();
  }

  #isOwn(name: string): boolean {
    return name === this.#host || isLoopback(name);
  }

  /** Compares digests: their length is the same, and the sender cannot choose them. */
  #knowsToken(authorization: string | null): boolean {
    const token = tokenIn(authorization ?? '');
    return token !== null && this.#digest !== null && timingSafeEqual(digestOf(token), this.#digest);
  }
}

/**
 * Balancers and orchestrators ask without a token, some in HTTP/1.0 without a Host. The answer is a status alone, which
 * another site's page cannot read.
 */
function isProbe({ method, url }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && PROBES.includes(pathOf(url));
}

/** RFC 6750 for programs; RFC 7617 for browsers, which prompt for it: any user name, and the token as the password. */
function tokenIn(authorization: string): string | null {
  const [, scheme = '', credential = ''] = /^(bearer|basic) +(\S+) *$/iu.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credential;
  if (scheme === '') return null;
  const userAndPassword = Buffer.from(credential, 'base64').toString('utf8');
  const colon = userAndPassword.indexOf(':');
  return colon < 0 ? null : userAndPassword.slice(colon + 1);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The name in a Host header, lower case, without the port: a tunnel may use another port. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/u, '');
}

/** Links from any site may lead here: the operator sees the answer, and the other page does not. */
function isLinkFollowed(request: Request): boolean {
  return request.method === 'GET' && request.headers.get('sec-fetch-dest') === 'document';
}

/**
 * Browsers send a request's origin; a client that sends none is not a browser. `Sec-Fetch-Site` is the more reliable
 * header: a proxy in front of this listener may change Host, while Origin keeps the proxy's name.
 */
function isSameOrigin(request: Request, host: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = request.headers.get('origin');
  return origin === null || originHost(origin) === host.toLowerCase();
}

function originHost(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function unauthorized(): Response {
  const refusal = adminErro(
    401,
    'falta o token da administração ou ele não confere; envie Authorization: Bearer <token>',
  );
  refusal.headers.append('www-authenticate', `Basic ${REALM}, charset="UTF-8"`);
  refusal.headers.append('www-authenticate', `Bearer ${REALM}`);
  return refusal;
}

function fromAnotherSite(): Response {
  return adminErro(
    403,
    'o pedido veio de uma página de outro site; faça-o na própria página da administração',
  );
}
