import type { Clock } from '../../engine/clock.ts';

/** Often enough that a stall of this length cannot hide, and seldom enough to cost nothing. */
const EVERY_MS = 50;

/**
 * Watches how late the event loop is: a timer that is due and does not run means that something keeps the one thread
 * on which all requests are read and answered.
 * @param onDelay told of each delay, milliseconds. @returns what ends the watch.
 */
export function watchLoopDelay(clock: Clock, onDelay: (delayMs: number) => void): () => void {
  const arm = (): (() => void) => {
    const dueAt = clock.now() + EVERY_MS;
    return clock.after(EVERY_MS, () => {
      onDelay(Math.max(0, clock.now() - dueAt));
      takeBack = arm();
    });
  };
  let takeBack = arm();
  return () => {
    takeBack();
  };
}
