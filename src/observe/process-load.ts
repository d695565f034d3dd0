import type { Clock } from '../engine/clock.ts';
import { watchLoopDelay } from './metrics/loop-delay.ts';
import { anonymousBytes } from './metrics/process.ts';

/** What this process used since that was last taken. */
export interface ProcessLoad {
  /** User and system CPU time of all its threads, milliseconds. */
  readonly cpu_ms: number;
  /** The latest that a timer of the main thread ran, milliseconds. */
  readonly loop_delay_ms: number;
  /** Memory at this moment that no file backs; null where the system does not tell (Linux does). */
  readonly memory_bytes: number | null;
}

/** Measures the load of this process between one reading and the next. */
export class LoadMeter {
  #cpuUs = cpuUs();
  #delayMs = 0;
  readonly #stopWatch: () => void;

  constructor(clock: Clock) {
    this.#stopWatch = watchLoopDelay(clock, (delayMs) => {
      this.#delayMs = Math.max(this.#delayMs, delayMs);
    });
  }

  take(): ProcessLoad {
    const before = this.#cpuUs;
    this.#cpuUs = cpuUs();
    const loop_delay_ms = this.#delayMs;
    this.#delayMs = 0;
    return { cpu_ms: (this.#cpuUs - before) / 1_000, loop_delay_ms, memory_bytes: anonymousBytes() };
  }

  close(): void {
    this.#stopWatch();
  }
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
