import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../process/listen.ts';
import { adminErro } from './answer.ts';

const REALM = 'realm="jurisprudencia-admin"';

/**
 * Who may pass: whoever knows the token, where there is one; without one, whoever asks the listener by an address
 * of its own. A page of another site, open in the operator's browser, may change nothing either way; nor may it ask
 * for what it cannot read, since searches cost, and live figures have so many places.
 */
export class Guard {
  readonly #host: string;
  readonly #digest: Buffer | null;

  /** @param host what the listener listens on. @param token empty where none is asked for. */
  constructor(host: string, token: string) {
    this.#host = host.toLowerCase();
    this.#digest = token === '' ? null : digestOf(token);
  }

  /** @returns null when the request may pass. */
  refuse(request: Request): Response | null {
    const host = request.headers.get('host');
    if (host === null) return adminErro(400, 'falta o cabeçalho Host; repita com ele');
    if (this.#digest === null) {
      // A name of another site may be made to lead here: the browser then sends that name.
      if (!this.#isOwn(nameOf(host))) {
        return adminErro(403, 'este nome não é o da administração; use http://127.0.0.1 ou http://localhost');
      }
    } else if (!this.#knowsToken(request.headers.get('authorization'))) return unauthorized();
    return isLinkFollowed(request) || isSameOrigin(request, host) ? null : fromAnotherSite();
  }

  #isOwn(name: string): boolean {
    return name === this.#host || isLoopback(name);
  }

  /** Digests are compared, which are of one length and which the sender cannot steer. */
  #knowsToken(authorization: string | null): boolean {
    const token = tokenIn(authorization ?? '');
    return token !== null && this.#digest !== null && timingSafeEqual(digestOf(token), this.#digest);
  }
}

/** RFC 6750 for programs; RFC 7617 for browsers, which ask for it: any user name, and the token as the password. */
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

/** The name in a Host header, lower case, without the port; tunnels lead other ports here. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/u, '');
}

/** A link may lead here from anywhere: whoever follows it reads what comes, and not the page that it stands on. */
function isLinkFollowed(request: Request): boolean {
  return request.method === 'GET' && request.headers.get('sec-fetch-dest') === 'document';
}

/**
 * Browsers say where a request comes from; what says nothing is no browser. Of the two headers the first is the surer:
 * a proxy before this listener may give Host another name, and then Origin has that of the proxy.
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
