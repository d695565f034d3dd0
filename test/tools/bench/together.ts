import type { ProcessProbe } from '../measure/process.ts';
import type { Cost } from './cost.ts';

interface Wish {
  /** The processes whose CPU counts. */
  readonly probes: readonly Pick<ProcessProbe, 'fineCpuMs'>[];
  /** Pieces of work in a pass; only whole passes are done. */
  readonly count: number;
  readonly atOnce: number;
  /** About how long. */
  readonly ms: number;
}

/** Has some workers do pieces of work, each the next that nobody has begun; the cost of one piece. */
export async function together(
  { probes, count, atOnce, ms }: Wish,
  piece: (at: number, worker: number) => Promise<void>,
): Promise<Cost> {
  const cpuMs = () => probes.reduce((sum, probe) => sum + probe.fineCpuMs(), 0);
  const before = cpuMs();
  const startedAt = performance.now();
  let begun = 0;
  const isOver = () => begun > 0 && begun % count === 0 && performance.now() - startedAt >= ms;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, worker) => {
      while (!isOver()) {
        begun += 1;
        await piece((begun - 1) % count, worker);
      }
    }),
  );
  const wallMs = (performance.now() - startedAt) / begun;
  return { wallMs, cpuMs: (cpuMs() - before) / begun };
}
