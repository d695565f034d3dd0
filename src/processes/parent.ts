import type { Logger } from 'pino';
import { Figures } from '../admin/console/figures.ts';
import type { ServiceLoad } from '../admin/console/service-figures.ts';
import type { Config } from '../config/config.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { forEachOf } from '../contract/records.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { systemClock, type Clock } from '../clock.ts';
import { IpLimit } from '../http/ip-limit.ts';
import { Metrics } from '../observe/metrics/metrics.ts';
import { LoadMeter, type ProcessLoad } from '../observe/process-load.ts';
import { Tallies } from '../observe/tallies.ts';
import { PlainError } from '../process/fail.ts';
import { listenAt } from '../process/listen.ts';
import { MemoryCounters } from '../shared/counters.ts';
import { SharedQuota } from '../shared/quota.ts';
import { cursorSecret } from '../start/secret.ts';
import { Children } from './children.ts';
import type { Counted, Counts } from './messages.ts';
import { metricsPart } from './metrics.ts';
import { createOperator, urlOf } from './operator.ts';
import type { System } from './serving.ts';
import { ASKER_RECENT_MS } from '../search/askers.ts';

/** The parent has what may exist only once: counts, settings, coverage, admin listener. @throws PlainError if it cannot start. */
export async function startParent(config: Config, log: Logger): Promise<System> {
  refuseOtherSystems(process.platform);
  // Created once, before all children need it.
  cursorSecret(config.data_dir);
  const counters = new MemoryCounters();
  const metrics = new Metrics(systemClock);
  const meter = new LoadMeter(systemClock);
  const load = new SummedLoad(meter);
  let { port } = config;
  let isStopping = false;
  const children = new Children({
    clock: systemClock,
    log,
    config,
    count: countIn(systemClock, counters, new IpLimit(config.ip_requests, config.ip_window_s)),
    onReport: (report) => {
      tallies.set.add(report.tallies);
      figures.noteSeenElsewhere(report.keys, report.searches);
      load.note(report.load);
      children.shareCoverage(operator.coverage.current);
    },
  });
  const statusOf = (base: Base) => children.statusOf(base);
  const readLoad = () => load.take(children.loads(), config.processes);
  const tallies = new Tallies();
  const figures = new Figures(systemClock, statusOf, tallies, readLoad, config.slow_ms);
  const publicUrl = () => urlOf(config.host, port);
  const operator = createOperator(config, log, {
    bases: new Map(BASES.map((base) => [base, childrenAs(children, base)])),
    figures,
    quota: new SharedQuota({ clock: systemClock, counters, peers: () => 1 }),
    metrics: metricsPart(metrics, children),
    publicUrl,
    change: (...change) => children.change(...change),
    changeService: (_, value) => {
      children.changeExpensive(value);
      return Promise.resolve();
    },
    statusOf,
    isStopping: () => isStopping,
    processes: () => children.states(),
    search: (query) => children.search(query),
  });
  port = await listenFirst(config, operator.listen);
  await children.start(port, operator.coverage.current);
  operator.start();
  return {
    url: publicUrl(),
    adminUrl: operator.url(),
    states: () => forEachOf(BASES, statusOf),
    tuning: operator.tuning,
    stop: async () => {
      isStopping = true;
      await operator.stop(() => children.stop(config.shutdown_ms));
      metrics.close();
      meter.close();
    },
  };
}

/** On other systems the port is not shared, or a single process gets all connections. @throws PlainError */
export function refuseOtherSystems(platform: string): void {
  if (platform === 'linux') return;
  throw new PlainError(
    `PROCESSES: several processes share a port on Linux only, not on ${platform}; set it to 1`,
  );
}

export function countIn(clock: Clock, counters: MemoryCounters, ipLimit: IpLimit): (said: Counts) => Counted {
  /** When each key asked, the latest last. */
  const asked = new Map<string, number>();
  return (said) => {
    const now = clock.now();
    for (const [name, units] of said.counters) {
      if (units <= 0) continue;
      asked.delete(name);
      asked.set(name, now);
    }
    for (const [name, at] of asked) {
      if (at >= now - ASKER_RECENT_MS) break;
      asked.delete(name);
    }
    return {
      kind: 'counted',
      counters: said.counters.map(([name, units]) => counters.add(name, units)),
      clients: said.clients.map(([client, requests]) => ipLimit.add(client, requests)),
      several_keys: asked.size > 1,
    };
  };
}

/** A base for health and coverage, which only sends requests for slices. */
function childrenAs(children: Children, base: Base): Pick<AskedBase, 'ask' | 'status'> {
  type Request = Parameters<Children['cover']>[1];
  const ask = (request: Request, budgetMs: number) => children.cover(base, request, budgetMs);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a request gets a reply of the same kind
  return { status: () => children.statusOf(base), ask: ask as unknown as AskedBase['ask'] };
}

/** Tries the public port without sharing it: children would share it with any other service. @returns the public port. */
async function listenFirst(config: Config, admin: Parameters<typeof listenAt>[1]): Promise<number> {
  const probes: Bun.Server<undefined>[] = [];
  listenAt(config, admin, (at) => {
    probes.push(Bun.serve({ ...at, reusePort: false, fetch: () => new Response(null, { status: 503 }) }));
  });
  const port = probes[0]?.port ?? config.port;
  for (const probe of probes) await probe.stop(true);
  return port;
}

/** The load of this process and the children together, between two readings. */
export class SummedLoad {
  readonly #own: Pick<LoadMeter, 'take'>;
  #cpuMs = 0;
  #delayMs = 0;

  constructor(own: Pick<LoadMeter, 'take'>) {
    this.#own = own;
  }

  /** Adds a child's load since the last report. */
  note({ cpu_ms, loop_delay_ms }: ProcessLoad): void {
    this.#cpuMs += cpu_ms;
    this.#delayMs = Math.max(this.#delayMs, loop_delay_ms);
  }

  /** The total load since the last call. @param reports of the children that reported in time. */
  take(reports: readonly ProcessLoad[], processes: number): ServiceLoad {
    const own = this.#own.take();
    const memories = [own, ...reports].map(({ memory_bytes }) => memory_bytes ?? Number.NaN);
    const memory = memories.reduce((sum, bytes) => sum + bytes, 0);
    const load: ServiceLoad = {
      cpu_ms: this.#cpuMs + own.cpu_ms,
      // No child has reported an event loop delay, and the parent's event loop serves no clients.
      loop_delay_ms: reports.length === 0 ? null : this.#delayMs,
      memory_bytes: Number.isNaN(memory) ? null : memory,
      processes,
      reporting: reports.length,
    };
    this.#cpuMs = 0;
    this.#delayMs = 0;
    return load;
  }
}
