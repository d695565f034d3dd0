import { createConnection } from 'node:net';
import {
  BROKER_CONNECT_MS_MAX,
  BROKER_HOME_LOOKS,
  BROKER_HOME_MS,
  BROKER_HOME_MS_MAX,
} from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';

/**
 * The servers in the order in which a process tries them: from its home on, which its name gives. Names that differ in a
 * last digit have their homes side by side, so processes are spread over the servers.
 */
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
 * Has a process go back once its home answers. Else all stay at the one server that was left after restarts, and would lose
 * it together. Each looks at times of its own, so they go one by one; a home that does not take the process in is tried ever
 * more seldom. @returns a function that ends it.
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

/** Whether a NATS server is there: it speaks first. @throws if that is no address. */
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
