import type { createApp } from './app.ts';

/** At the stop: interval at which pending requests are counted. */
const STOP_POLL_MS = 10;
/** At the stop: time for clients on open connections to get an answer with `Connection: close`, and the quiet that ends it. */
const LAST_WORD_MS_MAX = 1_000;
const LAST_WORD_QUIET_MS = 100;

type App = ReturnType<typeof createApp>;

/**
 * Gives active clients time for an answer with `Connection: close`, stops listening, waits for running requests, and then
 * closes every connection.
 */
export async function drain({ server }: Pick<App, 'server'>, waitMsMax: number): Promise<void> {
  if (server === null) return;
  const until = performance.now() + waitMsMax;
  const lastWordUntil = Math.min(until, performance.now() + LAST_WORD_MS_MAX);
  // A client whose answer was already sent gets the header with the next one, so wait for a quiet moment.
  for (let quietMs = 0; quietMs < LAST_WORD_QUIET_MS && performance.now() < lastWordUntil;) {
    await Bun.sleep(STOP_POLL_MS);
    quietMs = server.pendingRequests > 0 ? 0 : quietMs + STOP_POLL_MS;
  }
  void server.stop(false);
  // Requests that arrived but were not read yet become pending a moment later.
  do await Bun.sleep(STOP_POLL_MS);
  while (server.pendingRequests > 0 && performance.now() < until);
  await server.stop(true);
}
