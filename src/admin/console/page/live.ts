import type { LiveSecond, LiveSeries } from '../live-routes.ts';
import { get, refusalOf } from './api.ts';

/** Figures come every second. After this long without any, the connection is dead. */
const SILENCE_MS = 6_000;
const RETRY_MS = 2_000;

interface Listener {
  readonly series: (series: LiveSeries) => void;
  /** Also called when there are no figures yet. */
  readonly second: (second: LiveSecond) => void;
  /** Called at once, and after each failed attempt with the service's reason, or null if it is unreachable. */
  readonly lost: (why: string | null) => void;
}

/**
 * Follows the service's figures. After a lost connection it retries until the service is back, then loads the stored
 * figures again.
 */
export function follow(on: Listener) {
  let source: EventSource | null = null;
  let heardAt = performance.now();
  let isUp = false;

  const lose = async () => {
    source?.close();
    source = null;
    if (isUp) on.lost(null);
    isUp = false;
    on.lost(await refusalOf('eventos'));
    setTimeout(open, RETRY_MS);
  };
  const hear = async (event: MessageEvent<string>) => {
    heardAt = performance.now();
    const message = JSON.parse(event.data);
    if (!isUp) {
      isUp = true;
      try {
        on.series(await get('serie'));
      } catch {
        if (source === event.target) void lose();
        return;
      }
    }
    on.second(message);
  };
  const open = () => {
    heardAt = performance.now();
    const opened = new EventSource('/console/api/eventos');
    source = opened;
    opened.addEventListener('message', (event) => void hear(event));
    opened.addEventListener('error', () => {
      if (source === opened) void lose();
    });
  };
  setInterval(() => {
    if (source !== null && performance.now() - heardAt > SILENCE_MS) void lose();
  }, 1_000);
  open();
}
