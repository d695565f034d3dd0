import type { Ask, HttpClient } from '../../../src/tools/load/http-client.ts';
import type { ProcessProbe } from '../measure/process.ts';
import type { ServiceChild } from '../measure/service.ts';
import { verdictOf } from '../measure/verdict.ts';
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

/** Requests one after the other, and each one's time as its client saw it. */
export interface Serial extends Cost {
  readonly latencies: readonly number[];
}

/**
 * Whole passes over the requests for about `ms`. The CPU is the service's, all its threads.
 * @throws if an answer is not whole, which must not pass for quick.
 */
export async function serially(
  { probe }: Pick<ServiceChild, 'probe'>,
  client: HttpClient,
  asks: readonly Ask[],
  ms: number,
): Promise<Serial> {
  const latencies: number[] = [];
  const cost = await together({ probes: [probe], count: asks.length, atOnce: 1, ms }, async (at) => {
    const ask = asks[at]!;
    const reply = await client.send(ask);
    const verdict = verdictOf(reply);
    if (verdict !== 'complete') throw new Error(`${ask.path} was answered: ${verdict}`);
    latencies.push(reply.endedAt - reply.sentAt);
  });
  return { ...cost, latencies };
}
