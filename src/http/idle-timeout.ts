import type { Base } from '../contract/vocabulary.ts';
import type { Windows } from '../search/supervisor.ts';

/** The server counts idle time in steps of a few seconds, so its limit is this much above the longest windows, seconds. */
const IDLE_SPARE_S = 5;

/** To the server, a connection without an answer yet is idle; it must not be closed before the windows end. */
export function idleTimeoutOf(idle_timeout_s: number, bases: Readonly<Record<Base, Windows>>): number {
  const windowsMs = Object.values(bases).map(({ relevance_ms, recency_ms, count_ms, record_ms }) =>
    Math.max(relevance_ms + recency_ms + count_ms, record_ms),
  );
  return Math.max(idle_timeout_s, Math.ceil(Math.max(...windowsMs) / 1_000) + IDLE_SPARE_S);
}
