import type { Clock } from '../../engine/clock.ts';
import { LOOP_SAMPLE_MS } from '../../config/limits.ts';

/**
 * Measures the delay of the event loop: a late timer means that something blocks the main thread, which reads and
 * answers all requests.
 * @param onDelay called with each delay, milliseconds. @returns a function that ends the watch.
 */
export function watchLoopDelay(clock: Clock, onDelay: (delayMs: number) => void): () => void {
  const arm = (): (() => void) => {
    const dueAt = clock.now() + LOOP_SAMPLE_MS;
    return clock.after(LOOP_SAMPLE_MS, () => {
      onDelay(Math.max(0, clock.now() - dueAt));
      takeBack = arm();
    });
  };
  let takeBack = arm();
  return () => {
    takeBack();
  };
}
