import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { Run } from './result.ts';

const GIB = 2 ** 30;

/** The generator's machine, measured before the load. */
export function machine(): Run['machine'] {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gib: Math.round((totalmem() / GIB) * 10) / 10,
    system: `${platform()} ${release()}`,
    bun: Bun.version,
    load_average: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
