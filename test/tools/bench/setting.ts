import { ORDENS } from '../../../src/contract/vocabulary.ts';
import type { Ask } from '../../../src/tools/load/http-client.ts';
import { searchAsk } from '../measure/load.ts';
import { startReady, temporaryKey, type ServiceChild } from '../measure/service.ts';
import type { Row } from '../measure/report.ts';
import type { Cost } from './cost.ts';
import type { DataSet } from './data.ts';
import type { EnginePeer } from './engines/engine-peer.ts';
import { runLoad, type Generator, type Load, type LoadWish } from './generator.ts';
import type { Queries } from './queries.ts';

export interface Bench {
  readonly folder: string;
  /** Six bases of the size of the fan-out. @param withRaw whether they are compared with raw FTS5. */
  readonly six: (withRaw: boolean) => Promise<DataSet>;
  /** One base of each size of the measurements by size, the smallest first. */
  readonly ones: () => Promise<DataSet[]>;
  readonly relevance: () => Promise<DataSet>;
  /** In each of the six bases. */
  readonly decisions: number;
  readonly queries: Queries;
  readonly rounds: number;
  /** Length of each load and of each repeated work in a round. */
  readonly seconds: number;
  /** Length of the soak. */
  readonly minutes: number;
  readonly generator: Generator;
  /** Search engines that were asked for, set up or not. */
  readonly enginePeers: readonly EnginePeer[];
  readonly say: (line: string) => void;
}

export interface Running {
  readonly service: ServiceChild;
  readonly key: string;
}

const WARM_CONNECTIONS = 32;
/**
 * Each of a dozen threads compiles the same code for itself. Until that is over a search takes twice the CPU: some
 * 15 seconds of load, so many rounds' worth.
 */
const WARM_ROUNDS = 6;

type OwnRunning = Running & AsyncDisposable;

/** Starts a service on a set of data, with a key that is revoked when it stops. */
export async function startCold(
  set: Pick<DataSet, 'dataDir'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnRunning> {
  await using ends = new AsyncDisposableStack();
  const { key } = ends.use(temporaryKey('bench', set.dataDir));
  const service = ends.use(await startReady(set.dataDir, key, 'de', environment));
  const later = ends.move();
  return { service, key, [Symbol.asyncDispose]: () => later.disposeAsync() };
}

/** The same after a load that warms its threads. */
export async function startWarm(
  set: DataSet,
  bench: Bench,
  environment: Readonly<Record<string, string>> = {},
): Promise<OwnRunning> {
  await using ends = new AsyncDisposableStack();
  const running = ends.use(await startCold(set, environment));
  await warm(running.service.url, running.key, bench);
  ends.move();
  return running;
}

export interface LoadCost extends Cost {
  readonly load: Load;
  readonly mainMs: number;
}

/** One load on a process, and what it took of its CPU for each request. */
export async function loadCost(
  of: Pick<ServiceChild, 'url' | 'probe'>,
  wish: Omit<LoadWish, 'url'>,
): Promise<LoadCost> {
  const [before, mainBefore] = [of.probe.fineCpuMs(), of.probe.mainCpuMs()];
  const load = await runLoad({ ...wish, url: of.url });
  const cpuMs = (of.probe.fineCpuMs() - before) / load.requests;
  const mainMs = (of.probe.mainCpuMs() - mainBefore) / load.requests;
  return { load, cpuMs, mainMs, wallMs: (load.seconds * 1000) / load.requests };
}

/** A load of all queries, before anything is measured. */
export async function warm(url: string, key: string, { queries, seconds, generator }: Bench): Promise<void> {
  const asks = inBothOrders(key, [...queries.ordinary, ...queries.users]);
  await runLoad({ url, asks, connections: WARM_CONNECTIONS, seconds: WARM_ROUNDS * seconds, generator });
}

export function inBothOrders(key: string, texts: readonly string[]): Ask[] {
  return texts.flatMap((q) => ORDENS.map((ordem) => searchAsk(key, q, ordem, null)));
}

/** What no comparison may hide: answers that lacked a base, or came in another order. */
export function failedRow(measure: string, loads: readonly LoadCost[]): Row {
  const failed = loads.reduce((sum, { load }) => sum + load.failed, 0);
  return { measure, aim: '0', reached: String(failed), ok: failed === 0 };
}
