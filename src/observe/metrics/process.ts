import { readdirSync } from 'node:fs';
import type { Registry } from '@prometheus-io/client';
import { serviceVersion } from '../../process/version.ts';
import { anonymousBytes, cpuUs, numberIn } from '../process-load.ts';
import { addRead, lineOf, PREFIX, type Line } from '../tally-set.ts';

/** Under Prometheus’s standard names. The library’s default metrics are not used: most describe Node and mean nothing on Bun. */
export function registerProcess(registry: Registry): void {
  const add = (name: string, help: string, read: () => number | null, labels: Line['labels'] = {}) => {
    addRead(registry, name, help, () => lineOf(labels, read()));
  };
  add('process_cpu_seconds_total', 'User and system CPU time of the process', () => cpuUs() / 1e6);
  const startedAt = Date.now() / 1_000 - process.uptime();
  add('process_start_time_seconds', 'When the process started, since the Unix epoch', () => startedAt);
  add('process_resident_memory_bytes', 'Memory of the process, files mapped into it included', () =>
    process.memoryUsage.rss(),
  );
  add('process_open_fds', 'Open file descriptors', descriptors);
  add('process_max_fds', 'Most file descriptors that the process may open; Linux only', descriptorsMax);
  const anonymous = 'Memory of the process that no file backs; Linux only';
  add(`${PREFIX}anonymous_memory_bytes`, anonymous, anonymousBytes);
  add(`${PREFIX}heap_bytes`, 'Objects on the heap of the main thread', () => process.memoryUsage().heapUsed);
  const labels = { version: serviceVersion(), bun: Bun.version };
  add(`${PREFIX}build_info`, 'Always 1; the versions are its labels', () => 1, labels);
}

/** The soft limit on open files, which `LimitNOFILE` or `ulimit -n` sets. */
function descriptorsMax(): number | null {
  return numberIn('/proc/self/limits', /^Max open files +(\d+)/mu);
}

function descriptors(): number | null {
  try {
    // One file descriptor belongs to this reading.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
