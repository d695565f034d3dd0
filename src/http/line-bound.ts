import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';

/** Interval of the log lines that count rejected searches. */
const OVERLOAD_LOG_MS = 10_000;

/**
 * Bounds log lines of a kind: `linesMax` in a window, and one more line for the number beyond that. Under overload thousands of
 * requests fail together, and a line for each would make it worse.
 * @param reportRemainder called at the end of a window with the number of lines beyond the bound, if any.
 * @returns counts one line, and tells whether it may be logged.
 */
export function lineBound(
  clock: Clock,
  linesMax: number,
  windowMs: number,
  reportRemainder: (count: number) => void,
): () => boolean {
  let count = 0;
  const close = () => {
    const remainder = count - linesMax;
    count = 0;
    if (remainder > 0) reportRemainder(remainder);
  };
  return () => {
    if (count === 0) clock.after(windowMs, close);
    count += 1;
    return count <= linesMax;
  };
}

/** Logs overload when it begins, and with the number of rejected searches every ten seconds while it lasts. */
export function overloadLog(log: Logger, clock: Clock): () => void {
  const report = (searches: number) => {
    log.warn({ searches }, 'overload: searches rejected');
  };
  const admits = lineBound(clock, 1, OVERLOAD_LOG_MS, report);
  return () => {
    if (admits()) report(1);
  };
}
