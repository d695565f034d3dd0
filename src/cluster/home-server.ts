import { createConnection } from 'node:net';
import type { Clock } from '../clock.ts';

/** Time limit of an attempt to connect. */
export const BROKER_CONNECT_MS_MAX = 2_000;
/**
 * A process away from its home server polls it at about this interval, and returns after `BROKER_HOME_LOOKS` answers: a newly
 * started server knows its cluster within a second. After failed tries the interval grows to this maximum.
 */
export const BROKER_HOME_MS = 10_000;
const BROKER_HOME_LOOKS = 2;
export const BROKER_HOME_MS_MAX = 600_000;

/** A process's servers in order, from the home that its name gives: names that differ in a last digit have consecutive homes. */
export function fromHomeOn(servers: readonly string[], name: string): string[] {
  const home = Buffer.from(name).reduce((sum, byte) => sum + byte, 0) % servers.length;
  return [...servers.slice(home), ...servers.slice(0, home)];
}

export interface HomeOptions {
  readonly clock: Clock;
  readonly home: string;
  /** True while another server is used. */
  readonly isAway: () => boolean;
  readonly goHome: () => void;
}

/**
 * Moves a process back once its home answers: else restarts would leave all processes on one server. They move one by one, and
 * the interval grows while the home refuses the process. @returns a function that ends it.
 */
export function keepHome({ clock, home, isAway, goHome }: HomeOptions): () => void {
  let isClosed = false;
  let cancelTimer: (() => void) | null = null;
  let everyMs = BROKER_HOME_MS;
  let seen = 0;
  const look = async (): Promise<void> => {
    if (!isAway()) everyMs = BROKER_HOME_MS;
    seen = isAway() && (await greets(home).catch(() => false)) ? seen + 1 : 0;
    if (isClosed) return;
    if (seen === BROKER_HOME_LOOKS && isAway()) {
      seen = 0;
      everyMs = Math.min(2 * everyMs, BROKER_HOME_MS_MAX);
      goHome();
    }
    wait();
  };
  const wait = (): void => {
    cancelTimer = clock.after(everyMs * (0.5 + Math.random()), () => void look());
  };
  wait();
  return () => {
    isClosed = true;
    cancelTimer?.();
  };
}

/** Whether a NATS server greets at an address. @throws if the address is invalid. */
async function greets(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const host = hostname.replaceAll(/[[\]]/gu, '');
  const socket = createConnection({ host, port: Number(port === '' ? 4222 : port) });
  socket.setTimeout(BROKER_CONNECT_MS_MAX);
  socket.once('data', () => {
    resolve(true);
  });
  for (const end of ['error', 'timeout', 'close'])
    socket.once(end, () => {
      resolve(false);
    });
  const isThere = await promise;
  socket.destroy();
  return isThere;
}
