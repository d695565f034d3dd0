import ipaddr from 'ipaddr.js';
import { PlainError } from './fail.ts';

/** Where a listener was to listen, and the variables that say so. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly hostEnv: string;
  readonly portEnv: string;
  /** A port that is not anybody's default. */
  readonly freePort: number;
}

/** True for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const bare = bareOf(host);
  if (bare.toLowerCase() === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

function isAddress(host: string): boolean {
  return ipaddr.isValid(bareOf(host));
}

/** An IPv6 address may stand in brackets. */
function bareOf(host: string): string {
  return host.replace(/^\[(.*)\]$/u, '$1');
}

/** A label of a host name (RFC 1123), with the underscores that container networks have in theirs. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/iu;
const NAME_LENGTH_MAX = 253;

/** True for what has the form of an IP address or a host name; whether it is one only listening shows. */
export function isHost(text: string): boolean {
  if (isAddress(text)) return true;
  const labels = text.replace(/\.$/u, '').split('.');
  const isNumber = /^\d+$/u.test(labels.at(-1) ?? '');
  return text.length <= NAME_LENGTH_MAX && !isNumber && labels.every((label) => LABEL.test(label));
}

/**
 * What it is called when the host has no address here. Of a name that depends on the resolver: one that knows no such
 * name gives EINVAL, one that answers nothing EAGAIN, and one that answers everything EADDRNOTAVAIL.
 */
const NO_ADDRESS: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL', 'EAGAIN', 'ENOENT']);

/** Listens; a place that cannot be had is said with its mend. @throws PlainError for that, and what is no such thing as it is. */
export function listenPlainly(listen: () => void, place: Place): void {
  try {
    listen();
  } catch (error) {
    const message = explainListen(error, place);
    if (message === null) throw error;
    throw new PlainError(message, { cause: error });
  }
}

function explainListen(error: unknown, { host, port, hostEnv, portEnv, freePort }: Place): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error ? String(error.code) : '';
  const place = `${host}:${port}`;
  const isListening = /listen|getaddrinfo/iu.test(error.message);
  if (code === 'EADDRINUSE') {
    return `${place} is in use; set ${portEnv} to another port, for instance ${portEnv}=${freePort}`;
  }
  if (code === 'EACCES' && isListening) {
    return `not allowed to listen on ${place}; set ${portEnv} to one above 1023`;
  }
  if (!NO_ADDRESS.has(code) || !isListening) return null;
  return isAddress(host)
    ? `${place} is not an address of this machine; set ${hostEnv} to one, for instance 127.0.0.1`
    : `${hostEnv}: ${host} is no name that leads to an address of this machine; set it to one, for instance 127.0.0.1`;
}
