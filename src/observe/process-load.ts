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

/** Measures the load of this process between one reading and the next. @param onDelay also gets each delay of the event loop, milliseconds. */
export function loadMeter(clock: Clock, onDelay: (delayMs: number) => void) {
  let [usedUs, longestMs] = [cpuUs(), 0];
  const close = watchLoopDelay(clock, (delayMs) => {
    longestMs = Math.max(longestMs, delayMs);
    onDelay(delayMs);
  });
  const take = (): ProcessLoad => {
    const [beforeUs, loop_delay_ms] = [usedUs, longestMs];
    [usedUs, longestMs] = [cpuUs(), 0];
    return { cpu_ms: (usedUs - beforeUs) / 1_000, loop_delay_ms, memory_bytes: anonymousBytes() };
  };
  return { take, close };
}

/**
 * The host's busy processors between two readings, whatever the program.
 * @returns reads busy cores; null if the system does not report them, or no time has passed.
 */
export function hostMeter(times = hostTimes): () => number | null {
  let last = times();
  return () => {
    const now = times();
    const busy = now.busyMs - last.busyMs;
    const all = busy + now.idleMs - last.idleMs;
    last = now;
    return all <= 0 ? null : (now.cores * busy) / all;
  };
}

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
