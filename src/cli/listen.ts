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
  const bare = host.replace(/^\[(.*)\]$/u, '$1');
  if (bare.toLowerCase() === 'localhost') return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback';
}

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
  const code = 'code' in error ? error.code : '';
  const place = `${host}:${port}`;
  const isListening = /listen/iu.test(error.message);
  if (code === 'EADDRINUSE') {
    return `${place} is in use; set ${portEnv} to another port, for instance ${portEnv}=${freePort}`;
  }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOENT' && isListening)) {
    return `${place} is not an address of this machine; set ${hostEnv} to one, for instance 127.0.0.1`;
  }
  if (code === 'EACCES' && isListening) {
    return `not allowed to listen on ${place}; set ${portEnv} to one above 1023`;
  }
  return null;
}
