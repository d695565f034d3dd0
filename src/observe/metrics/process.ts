import { readdirSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { serviceVersion } from '../../process/version.ts';
import { anonymousBytes } from '../process-load.ts';
import { addMetric, PREFIX } from '../tally-set.ts';

/**
 * Metrics of the whole process, under Prometheus's standard names where they exist. prom-client's default metrics are
 * not used: most describe Node and mean nothing on Bun.
 */
export function registerProcess(registry: Registry): void {
  const gauge = (
    name: string,
    help: string,
    read: () => number | null,
    aggregator: 'sum' | 'min' = 'sum',
  ) => {
    addMetric(registry, { type: 'gauge', name, help, aggregator }, () => {
      const value = read();
      return value === null ? [] : [{ labels: {}, value }];
    });
  };
  addMetric(
    registry,
    {
      type: 'counter',
      name: 'process_cpu_seconds_total',
      help: 'User and system CPU time of the process',
    },
    () => {
      const { user, system } = process.cpuUsage();
      return [{ labels: {}, value: (user + system) / 1e6 }];
    },
  );
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge(
    'process_start_time_seconds',
    'When the process started, since the Unix epoch',
    () => startedAt,
    'min',
  );
  gauge('process_resident_memory_bytes', 'Memory of the process, files mapped into it included', () =>
    process.memoryUsage.rss(),
  );
  gauge('process_open_fds', 'Open file descriptors', descriptors);
  gauge(
    `${PREFIX}anonymous_memory_bytes`,
    'Memory of the process that no file backs; Linux only',
    anonymousBytes,
  );
  gauge(
    `${PREFIX}heap_bytes`,
    'Objects on the heap of the main thread',
    () => process.memoryUsage().heapUsed,
  );
  const labels = { version: serviceVersion(), bun: Bun.version };
  addMetric(
    registry,
    {
      type: 'gauge',
      name: `${PREFIX}build_info`,
      help: 'Always 1; the versions are its labels',
      aggregator: 'max',
    },
    () => [{ labels, value: 1 }],
  );
}

function descriptors(): number | null {
  try {
    // One file descriptor belongs to this reading.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
