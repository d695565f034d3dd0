import type { Logger } from 'pino';

/** Interval of the log lines that count rejected searches. */
const OVERLOAD_LOG_MS = 10_000;

/** Logs overload when it begins, and every ten seconds while it lasts, with the number of rejected searches. */
export function overloadLog(log: Logger): () => void {
  let rejected = 0;
  let isWaiting = false;
  const report = () => {
    isWaiting = rejected > 0;
    if (!isWaiting) return;
    log.warn({ searches: rejected }, 'overload: searches rejected');
    rejected = 0;
    setTimeout(report, OVERLOAD_LOG_MS).unref();
  };
  return () => {
    rejected += 1;
    if (!isWaiting) report();
  };
}
