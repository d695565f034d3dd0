import { get, refusalOf } from './api.js';

/** @import { LiveSecond, LiveSeries } from './types.d.ts' */

/** Figures come every second. After this long without any, the connection is dead. */
const SILENCE_MS = 6_000;
const RETRY_MS = 2_000;

/**
 * Follows the service's figures. Without contact it tries again until the service is back, and then loads the stored
 * figures again.
 * @param {object} on @param {(series: LiveSeries) => void} on.series
 * @param {(second: LiveSecond) => void} on.second also when there are no figures yet. @param {() => void} on.lost
 * @param {(why: string | null) => void} on.refused after each trial that failed: why, in the service's words, or
 * null when it is out of reach.
 */
export function follow(on) {
  /** @type {EventSource | null} */
  let source = null;
  let heardAt = performance.now();
  let isUp = false;

  const lose = async () => {
    source?.close();
    source = null;
    if (isUp) on.lost();
    isUp = false;
    on.refused(await refusalOf('eventos'));
    setTimeout(open, RETRY_MS);
  };
  /** @param {MessageEvent<string>} event */
  const hear = async (event) => {
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
