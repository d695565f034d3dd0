import { readFileSync, readdirSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { serviceVersion } from '../../process/version.ts';
import { PREFIX } from './naming.ts';
import type { PromClient } from './metric-set.ts';

/**
 * Metrics of the whole process, under Prometheus's standard names where they exist. prom-client's default metrics are
 * not used: most of them describe Node and mean nothing on Bun.
 */
export function registerProcess({ Counter, Gauge }: PromClient, registry: Registry): void {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    value: () => number | null,
    aggregator: 'sum' | 'min' = 'sum',
  ) => {
    const made = new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect: () => {
        const known = value();
        if (known !== null) made.set(known);
      },
    });
  };
  const cpu = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time of the process',
    registers,
    collect: () => {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
    },
  });
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
  gauge('process_open_fds', 'Open file descriptors', () => descriptors());
  gauge(`${PREFIX}anonymous_memory_bytes`, 'Memory of the process that no file backs; Linux only', () =>
    anonymousBytes(),
  );
  gauge(
    `${PREFIX}heap_bytes`,
    'Objects on the heap of the main thread',
    () => process.memoryUsage().heapUsed,
  );
  new Gauge({
    name: `${PREFIX}build_info`,
    help: 'Always 1; the versions are its labels',
    labelNames: ['version', 'bun'],
    registers,
    aggregator: 'max',
  }).set({ version: serviceVersion(), bun: Bun.version }, 1);
}

/** Memory of the process that no file backs; null where the system is not Linux. */
export function anonymousBytes(): number | null {
  const kib = /^RssAnon:\s+(\d+) kB$/mu.exec(procFile('status') ?? '')?.[1];
  return kib === undefined ? null : Number(kib) * 1_024;
}

function procFile(name: string): string | null {
  try {
    return readFileSync(`/proc/self/${name}`, 'utf8');
  } catch {
    return null;
  }
}

function descriptors(): number | null {
  try {
    // One of them belongs to this reading.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
