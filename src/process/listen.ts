import ipaddr from 'ipaddr.js';
import { codeOf, PlainError } from './fail.ts';

/** The settings of both listeners. */
export interface Addresses {
  readonly host: string;
  readonly port: number;
  readonly admin_host: string;
  readonly admin_port: number;
}

/** An IPv6 address without the brackets of a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/u, '$1');
}

/** An address at which a listener can be reached from this machine. */
export function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

/** The authority of a URL. */
export function authority(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const bare = withoutBrackets(host);
  if (bare.toLowerCase() === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

function isAddress(host: string): boolean {
  return ipaddr.isValid(withoutBrackets(host));
}

/** A label of a host name (RFC 1123), with the underscores that container networks use. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/iu;
const NAME_LENGTH_MAX = 253;

/** True for the syntax of an IP address or a host name. */
export function isHost(text: string): boolean {
  if (isAddress(text)) return true;
  const labels = text.replace(/\.$/u, '').split('.');
  const isNumber = /(?:^|\.)\d+\.?$/u.test(text);
  return text.length <= NAME_LENGTH_MAX && !isNumber && labels.every((label) => LABEL.test(label));
}

/** Of a host without an address here. For a name the code depends on the resolver: unknown, unanswered, or any name resolved. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL', 'EAGAIN', 'ENOENT']);

type Listen = (at: { readonly hostname: string; readonly port: number }) => void;

/**
 * Starts both listeners, the public one last. @throws PlainError with a correction for an unusable address, and other errors
 * unchanged.
 */
export function listenAt(addresses: Addresses, admin: Listen, open: Listen): void {
  const { host, port, admin_host, admin_port } = addresses;
  listenOn(admin, admin_host, admin_port, 'ADMIN_');
  listenOn(open, host, port, '');
}

/** Checks both addresses by listening for a moment. @param isShared for the public one. @throws as `listenAt`. */
export function tryAddresses(addresses: Addresses, isShared = false): void {
  const servers: ReturnType<typeof Bun.serve>[] = [];
  const open =
    (reusePort: boolean): Listen =>
    (at) => {
      servers.push(Bun.serve({ ...at, reusePort, fetch: () => new Response(null, { status: 503 }) }));
    };
  try {
    listenAt(addresses, open(false), open(isShared));
  } finally {
    for (const server of servers) void server.stop(true);
  }
}

/** @param prefix of the variables that set the address. */
function listenOn(listen: Listen, hostname: string, port: number, prefix: '' | 'ADMIN_'): void {
  try {
    listen({ hostname, port });
  } catch (error) {
    const message = explainListen(error, hostname, port, prefix);
    if (message === null) throw error;
    throw new PlainError(message, { cause: error });
  }
}

function explainListen(error: unknown, host: string, port: number, prefix: '' | 'ADMIN_'): string | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  const place = authority(host, port);
  const isListening = /listen|getaddrinfo/iu.test(error.message);
  if (code === 'EADDRINUSE') {
    const free = prefix === '' ? 8080 : 8081;
    // For a name that does not resolve Bun gives the code of an earlier failure, if there was one.
    const doubt = isAddress(host) ? '' : `, or ${host} does not resolve to an address of this machine`;
    return `${place} is in use${doubt}; set ${prefix}PORT to another port, for instance ${prefix}PORT=${free}`;
  }
  if (code === 'EACCES' && isListening)
    return `not allowed to listen on ${place}; set ${prefix}PORT to a port above 1023`;
  if (!NO_ADDRESS.has(code) || !isListening) return null;
  return isAddress(host)
    ? `${place} is not an address of this machine; set ${prefix}HOST to one, for instance 127.0.0.1`
    : `${prefix}HOST: ${host} does not resolve to an address of this machine; set it to one, for instance 127.0.0.1`;
}
