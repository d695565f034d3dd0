import { endOfItems, serverTiming, type SearchEnd } from '../../../src/tools/load/answer.ts';
import { REAL_CLOCK, runStep } from '../../../src/tools/load/engine.ts';
import type { Ask, HttpClient, Reply, Mishap } from '../../../src/tools/load/http-client.ts';
import type { Answer } from '../../../src/tools/load/http-reader.ts';
import type { Pace } from '../../../src/tools/load/plan.ts';
import { tribunaisDaBase } from '../../../src/contract/catalog.ts';
import type { Base, Ordem } from '../../../src/contract/vocabulary.ts';

/** A request that was due at `dueAt`, and its result; times as in `Reply`. */
export interface Sample<A extends Ask = Ask> extends Reply {
  readonly ask: A;
  readonly dueAt: number;
}

/** Latency from when the request was due, so that a late generator does not make the service look fast. */
export function latency({ dueAt, endedAt }: Pick<Sample, 'dueAt' | 'endedAt'>): number {
  return endedAt - dueAt;
}

export function inTurn<T>(items: readonly T[]): () => T {
  let at = 0;
  return () => {
    const item = items[at % items.length];
    at += 1;
    if (item === undefined) throw new Error('there is nothing to ask');
    return item;
  };
}

/** A closed loop: each client sends a request, and the next one when it has its answer. */
export async function closedLoop<A extends Ask>(
  client: HttpClient,
  clients: number,
  next: () => A | null,
  shouldStop: () => boolean = () => false,
): Promise<Sample<A>[]> {
  const samples: Sample<A>[] = [];
  const one = async () => {
    for (let ask = next(); ask !== null; ask = shouldStop() ? null : next()) {
      const dueAt = performance.now();
      const reply = await client.send(ask);
      samples.push({ ...shortened(reply), ask, dueAt });
      // If no connection is accepted, this loop would never yield.
      if (typeof reply.result === 'string') await Bun.sleep(1);
    }
  };
  await Promise.all(Array.from({ length: clients }, one));
  return samples;
}

export interface OpenLoop<A extends Ask> {
  readonly perSecond: number;
  readonly seconds: number;
  readonly next: () => A;
  /** A request later than this is not sent. */
  readonly patienceMs?: number;
}

/**
 * An open loop, answered or not, run by the load tester's own code. Ends when all sent requests
 * are answered. @returns them in the order in which they were due.
 */
export async function openLoop<A extends Ask>(client: HttpClient, load: OpenLoop<A>): Promise<Sample<A>[]> {
  const { perSecond, seconds, next, patienceMs = Number.POSITIVE_INFINITY } = load;
  const samples: Sample<A>[] = [];
  // Requests still unsent at the end of the load are not sent.
  const over = setTimeout(() => {
    client.giveUpWaiting();
  }, seconds * 1000);
  await runStep(evenly(perSecond, seconds * 1000), {
    clock: REAL_CLOCK,
    timeoutMs: patienceMs,
    next,
    send: async (ask, giveUpAt) => shortened(await client.send(ask, giveUpAt)),
    ended: (sample) => samples.push(sample),
    isStopped: () => false,
  });
  clearTimeout(over);
  return samples.toSorted((a, b) => a.dueAt - b.dueAt);
}

/** Sends a request and disconnects after `afterMs` without waiting for the answer. */
export async function abandon(url: string, { path, key = '' }: Ask, afterMs: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(Math.ceil(afterMs));
  try {
    await (await fetch(new URL(path, url), { headers, signal })).text();
  } catch {
    // The abort is intended; a service that has ended is noticed elsewhere.
  }
}

/** Evenly spaced arrivals, without a warm-up. */
export function evenly(ratePerS: number, durationMs: number): Pace {
  return { ratePerS, arrivals: 'constant', seed: 0, warmupMs: 0, durationMs };
}

/** Bodies that are no search are kept up to this length. */
const KEPT_BYTES_MAX = 1_024;

/** Most of a search's body is its items: at thousands of answers a second they cannot be kept. */
function shortened(reply: Reply): Reply {
  const { result } = reply;
  if (typeof result === 'string' || result.body.length <= KEPT_BYTES_MAX) return reply;
  const end = endOfItems(result.body);
  const kept = end < 0 ? result.body.subarray(0, KEPT_BYTES_MAX) : result.body.subarray(end);
  // A copy, because a slice keeps the whole buffer in memory.
  return { ...reply, result: { ...result, body: Buffer.from(kept) } };
}

/** The time of the slowest base of a search by the service's clock, milliseconds, from body and headers. */
export function serverMs(answer: Answer, { por_base }: SearchEnd): number {
  return Math.max(
    0,
    ...[...serverTiming(answer).values()].map(({ ms }) => ms),
    ...por_base.map(({ ms }) => ms),
  );
}

/** The latencies of complete answers; a request without one counts as infinite. */
export function latencies(samples: readonly Sample[]): number[] {
  return samples.map((sample) =>
    verdictOf(sample) === 'complete' ? latency(sample) : Number.POSITIVE_INFINITY,
  );
}

const ROUTE = '/v1/jurisprudencia';

export interface SearchAsk extends Ask {
  readonly q: string;
  readonly ordem: Ordem;
}

/** @param base null for all six. @param more parameters before the base's own. */
export function searchAsk(
  key: string,
  q: string,
  ordem: Ordem,
  base: Base | null,
  limite = 20,
  more: Readonly<Record<string, string>> = {},
): SearchAsk {
  const own = base === null ? {} : { tribunal: tribunaisDaBase(base).join(',') };
  const parameters = new URLSearchParams({ q, ordem, limite: String(limite), ...own, ...more });
  return { path: `${ROUTE}/busca?${parameters.toString()}`, key, q, ordem };
}

export function coverageAsk(): Ask {
  return { path: `${ROUTE}/cobertura` };
}

export function recordAsk(key: string, base: Base, numero: number): Ask {
  return { path: `${ROUTE}/${base}:${numero}`, key };
}

type Verdict = 'complete' | 'incomplete' | `status ${number}` | Mishap;

/** Classifies a reply. A search is complete if no base is missing. */
export function verdictOf({ result }: Pick<Reply, 'result'>): Verdict {
  if (typeof result === 'string') return result;
  if (result.status !== 200) return `status ${result.status}`;
  const isMissing = result.body.includes('"bases_sem_resposta":[{');
  return isMissing ? 'incomplete' : 'complete';
}
