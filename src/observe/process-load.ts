import { readFileSync } from 'node:fs';
import { cpus, type CpuInfo } from 'node:os';
import { repeat, type Clock } from '../clock.ts';

/** A stall of the event loop longer than this is always noticed; twenty timers a second cost nothing measurable. */
const LOOP_SAMPLE_MS = 50;

/** What this process used since the last reading. */
export interface ProcessLoad {
  /** User and system CPU time of all threads, milliseconds. */
  readonly cpu_ms: number;
  /** The longest delay of a timer on the main thread, milliseconds. */
  readonly loop_delay_ms: number;
  /** Current memory that no file backs; null if unknown (not on Linux). */
  readonly memory_bytes: number | null;
}

/** Measures the load of this process between one reading and the next. */
export class LoadMeter {
  #cpuUs = cpuUs();
  #delayMs = 0;
  readonly #stopWatch: () => void;

  /** @param onDelay also gets each delay of the event loop, milliseconds. */
  constructor(clock: Clock, onDelay: (delayMs: number) => void) {
    this.#stopWatch = watchLoopDelay(clock, (delayMs) => {
      this.#delayMs = Math.max(this.#delayMs, delayMs);
      onDelay(delayMs);
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

/** The host's busy processors between two readings, whatever the program. */
export class HostMeter {
  readonly #times: () => HostTimes;
  #last: HostTimes;

  constructor(times = hostTimes) {
    this.#times = times;
    this.#last = times();
  }

  /** @returns busy cores; null if the system does not report them, or no time has passed. */
  take(): number | null {
    const { busyMs, idleMs, cores } = this.#times();
    const busy = busyMs - this.#last.busyMs;
    const all = busy + idleMs - this.#last.idleMs;
    this.#last = { busyMs, idleMs, cores };
    return all <= 0 ? null : (cores * busy) / all;
  }
}

type HostTimes = ReturnType<typeof hostTimes>;

function hostTimes() {
  const all = cpus();
  const sum = (of: (times: CpuInfo['times']) => number) =>
    all.reduce((total, { times }) => total + of(times), 0);
  return {
    busyMs: sum(({ user, nice, sys, irq }) => user + nice + sys + irq),
    idleMs: sum(({ idle }) => idle),
    cores: all.length,
  };
}

/** User and system CPU time of this process, microseconds. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/**
 * Measures the delay of the event loop: a late timer means that something blocks the main thread, which reads and
 * answers all requests.
 * @param onDelay called with each delay, milliseconds. @returns a function that stops the measurement.
 */
export function watchLoopDelay(clock: Clock, onDelay: (delayMs: number) => void): () => void {
  let dueAt = clock.now() + LOOP_SAMPLE_MS;
  return repeat(clock, LOOP_SAMPLE_MS, () => {
    onDelay(Math.max(0, clock.now() - dueAt));
    dueAt = clock.now() + LOOP_SAMPLE_MS;
  });
}

/** The process's memory that no file backs; null if the system is not Linux. */
export function anonymousBytes(): number | null {
  const kib = numberIn('/proc/self/status', /^RssAnon:\s+(\d+) kB$/mu);
  return kib === null ? null : kib * 1_024;
}

/** The number that a file of /proc has at a place; null where there is none. */
export function numberIn(file: string, place: RegExp): number | null {
  try {
    const [, found] = place.exec(readFileSync(file, 'utf8')) ?? [];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}
