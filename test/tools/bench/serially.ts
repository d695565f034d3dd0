import type { Ask, HttpClient } from '../../../src/tools/load/http-client.ts';
import { verdictOf } from '../measure/verdict.ts';
import type { ServiceChild } from '../measure/service.ts';
import type { Cost } from './cost.ts';

/** Requests one after the other, and each one's time as its client saw it. */
export interface Serial extends Cost {
  readonly latencies: readonly number[];
}

/**
 * Whole passes over the requests for about `ms`. The CPU is the process's own, all its threads; the client's is not in it.
 * @throws when an answer is not whole: what did not answer must not pass for quick.
 */
export async function serially(
  { probe }: Pick<ServiceChild, 'probe'>,
  client: HttpClient,
  asks: readonly Ask[],
  ms: number,
): Promise<Serial> {
  const latencies: number[] = [];
  const before = probe.fineCpuMs();
  const startedAt = performance.now();
  do {
    for (const ask of asks) {
      const reply = await client.send(ask);
      const verdict = verdictOf(reply);
      if (verdict !== 'complete') throw new Error(`${ask.path} was answered: ${verdict}`);
      latencies.push(reply.endedAt - reply.sentAt);
    }
  } while (performance.now() - startedAt < ms);
  const wallMs = (performance.now() - startedAt) / latencies.length;
  return { latencies, wallMs, cpuMs: (probe.fineCpuMs() - before) / latencies.length };
}
