import type { createApp } from './app.ts';

type App = ReturnType<typeof createApp>;

const STOP_POLL_MS = 10;
/** How long clients that send one request after the other may take to be told that their connections close. */
const LAST_WORD_MS_MAX = 1_000;
const QUIET_MS = 100;

/**
 * Lets clients that use their connections hear that these close, stops listening, waits for the requests under
 * way, and then closes every connection.
 */
export async function drain({ server }: Pick<App, 'server'>, waitMsMax: number): Promise<void> {
  if (server === null) return;
  const until = performance.now() + waitMsMax;
  const lastWordUntil = Math.min(until, performance.now() + LAST_WORD_MS_MAX);
  // A client whose answer was already on its way hears it with its next one: that takes a quiet moment.
  for (let quietMs = 0; quietMs < QUIET_MS && performance.now() < lastWordUntil;) {
    await Bun.sleep(STOP_POLL_MS);
    quietMs = server.pendingRequests > 0 ? 0 : quietMs + STOP_POLL_MS;
  }
  void server.stop(false);
  // Requests that have come but were not read yet are pending only a moment later.
  do await Bun.sleep(STOP_POLL_MS);
  while (server.pendingRequests > 0 && performance.now() < until);
  await server.stop(true);
}
