import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { BaseActor, type BaseActorOptions } from './engine/base-actor.ts';
import { systemClock } from './clock.ts';
import { ExpensiveWork, expensiveAtOnce } from './engine/expensive-work.ts';
import { quotaOfThisProcess } from './shared/quota.ts';
import { Askers, searchesAtOnce } from './search/askers.ts';
import { Supervisor } from './search/supervisor.ts';
import { Figures } from './admin/console/figures.ts';
import { searchRoutes } from './admin/console/search-routes.ts';
import { metricsPart } from './observe/metrics/metrics.ts';
import { loadMeter } from './observe/process-load.ts';
import { openSearchLog, type SearchLog } from './observe/search-log.ts';
import { Tallies } from './observe/tallies.ts';
import { ThreadPort } from './engine/thread-port.ts';
import { baseFile, dataFiles } from './index/format/schema.ts';
import { openSyntaxCheck } from './query/syntax-check.ts';
import { listenAt, reachable } from './process/listen.ts';
import type { Config } from './config/config.ts';
import type { BaseKey } from './config/settings.ts';
import { BASES, type Base } from './contract/vocabulary.ts';
import { forEachOf } from './contract/records.ts';
import { AnswerCache } from './http/answer-cache.ts';
import { createApp } from './http/app.ts';
import { ClientAddress } from './http/client-address.ts';
import { drain } from './http/drain.ts';
import { idleTimeoutOf } from './http/idle-timeout.ts';
import { IpLimit } from './http/ip-limit.ts';
import type { Observer } from './http/observer.ts';
import { overloadLog } from './http/line-bound.ts';
import { LatestRequests } from './http/latest-requests.ts';
import { RequestLog } from './http/request-log.ts';
import { openKeyRing } from './keys/ring.ts';
import { folderKeys } from './keys/store.ts';
import { CursorCodec } from './query/cursor.ts';
import { cursorSecret } from './start/secret.ts';
import type { Following } from './replicas/files/follow.ts';
import type { Traces } from './observe/traces/open.ts';
import { createOperator, urlOf } from './operator.ts';
import type { CreateServing, Serving, Shared, System } from './serving.ts';

type Observed = Parameters<CreateServing>[3];
type WorkerEntry = NonNullable<Observed['workerEntry']>;

export type { System };

/** The whole service in this process. @param traces stopped with the system. */
export function startSystem(
  config: Config,
  log: Logger,
  {
    shared = sharedInFolder(config, log),
    files = null,
    ...tested
  }: {
    readonly shared?: Shared;
    readonly files?: Following | null;
    readonly workerEntry?: WorkerEntry;
  } = {},
  traces: Traces | null = null,
): System {
  const tallies = new Tallies();
  const load = loadMeter(systemClock, (delayMs) => {
    tallies.loopDelay.observe(delayMs);
  });
  const statusOf = (base: Base) => actorOf(serving.actors, base).status();
  const figures = new Figures(systemClock, statusOf, tallies, load.take, config.slow_ms);
  const latest = new LatestRequests();
  const serving: Serving = createServing(config, log, shared, {
    ...tested,
    coverage: {
      get current() {
        return operator.coverage.current;
      },
    },
    figures,
    latest,
    traces,
    files,
  });
  const publicUrl = () => urlOf(config.host, serving.port());
  const { actors, states } = serving;
  const operated = { ...serving, bases: actors, figures, latest, statusOf, publicUrl, files };
  const operator = createOperator(config, log, operated, shared);
  listenAt(config, operator.listen, serving.listen);
  operator.start();
  files?.start(
    (base) => statusOf(base).state === 'down',
    (report) => {
      operator.coverage.take(report);
    },
  );
  serving.open();
  shared.announce(() => ({
    ...replicaOf(config.admin_host, operator.url()),
    state: serving.isStopping() ? 'stopping' : 'serving',
    bases: forEachOf(BASES, (base) => {
      const { state, generation } = statusOf(base);
      return { state, generation };
    }),
  }));
  return {
    url: publicUrl(),
    adminUrl: operator.url(),
    states,
    tuning: operator.tuning,
    stop: async () => {
      await operator.stop(serving.drain);
      load.close();
      await files?.close();
      await serving.close();
      await shared.stop();
      await traces?.stop();
    },
  };
}

/** Quotas in memory; keys and the secret of cursors in the data folder. */
function sharedInFolder({ data_dir }: Config, log: Logger): Shared {
  const secret = cursorSecret(data_dir);
  return {
    quota: quotaOfThisProcess(systemClock),
    keys: openKeyRing(data_dir, systemClock, log),
    keyStore: folderKeys(data_dir, 0),
    secrets: () => [secret],
    settings: { apply: (here) => here, follow: () => undefined },
    replicas: () => null,
    health: () => ({}),
    registerMetrics: () => undefined,
    announce: () => undefined,
    stop: () => Promise.resolve(),
  };
}

/** Wires ports, actors and the public listener: the only place that names implementations. */
const createServing: CreateServing = (config, log, shared, observed) => {
  const { figures, latest, traces, coverage, workerEntry, files } = observed;
  const { tallies } = figures;
  const atOnce = expensiveAtOnce(config.expensive_at_once);
  const expensive = new ExpensiveWork(atOnce);
  const actors = actorsOf(config, { log, tallies, expensive, files }, workerEntry);
  const logOverload = overloadLog(log, systemClock);
  const { supervisor, askers, change, idleSeconds } = supervise(config, actors, () => {
    logOverload();
    tallies.rejected.add();
  });
  const requestLog = new RequestLog({ log, clock: systemClock, slowMs: config.slow_ms, latest });
  const searchLog = config.search_log === '' ? null : openSearchLog(config.search_log, log);
  const reading = { check: openSyntaxCheck(), cursors: new CursorCodec(shared.secrets) };
  const answers = new AnswerCache(config.result_cache_mb, (base, abandoned) =>
    actorOf(actors, base).dataVersion(abandoned),
  );
  const { quota } = shared;
  let isStopping = false;
  const app = createApp({
    supervisor,
    reading,
    answers,
    coverage,
    quota,
    quotaPerDay: config.quota_per_day,
    keys: shared.keys,
    ipLimit: new IpLimit(config.ip_requests, config.ip_window_s),
    isStopping: () => isStopping,
    clients: new ClientAddress(config.trusted_proxies),
    idleTimeoutSeconds: idleSeconds,
    reusePort: config.share_port === 1,
    observer: observerOf(tallies, figures, requestLog, traces, searchLog),
  });
  const states = () => forEachOf(BASES, (base) => actorOf(actors, base).status());
  const gauges = {
    files: files?.states,
    coverage: () => coverage.current,
    waiting: () => askers.waiting,
    cacheBytes: () => answers.bytes,
  };
  const metrics = metricsPart({
    tallies,
    states: { bases: states, ...gauges, ...dataFiles(config.data_dir) },
    registerMore: shared.registerMetrics,
  });
  return {
    actors,
    quota,
    metrics,
    search: searchRoutes({ clock: systemClock, supervisor, reading }),
    listen: (at) => app.listen(at),
    port: () => app.server?.port ?? config.port,
    open: () => {
      for (const [base, actor] of actors) void actor.open(systemClock.now() + config.bases[base].record_ms);
    },
    change: changeOf(answers, expensive, change),
    states,
    isStopping: () => isStopping,
    drain: () => {
      isStopping = true;
      return drain(app, config.shutdown_ms);
    },
    close: async () => {
      searchLog?.close();
      await Promise.all([...actors.values()].map((actor) => actor.close()));
    },
  };
};

/** Passes a changed setting to what it is of. @param ofBase changes one of a base. */
function changeOf(answers: AnswerCache, expensive: ExpensiveWork, ofBase: ChangeOfBase): Serving['change'] {
  return async (place, key, value) => {
    if (key === 'result_cache_mb') answers.mbMax = value;
    else if (key === 'expensive_at_once') expensive.atOnce = expensiveAtOnce(value);
    else if (place !== 'servico') return ofBase(place, key, value);
    return value;
  };
}

/** The host, and the port by which replicas of one host differ; a listener on all addresses has the host's. */
function replicaOf(adminHost: string, adminUrl: string): { readonly name: string; readonly address: string } {
  const name = `${hostname()}:${new URL(adminUrl).port}`;
  return { name, address: reachable(adminHost) === adminHost ? adminUrl : `http://${name}` };
}

/** Passes answers to tallies, figures, log and traces. */
function observerOf(
  tallies: Tallies,
  figures: Observed['figures'],
  requestLog: RequestLog,
  traces: Traces | null,
  searchLog: SearchLog | null,
): Observer {
  return (notes, status, request, response) => {
    const ms = performance.now() - notes.startedAt;
    tallies.answer(notes, status, ms);
    const answered = { notes, status, ms, em: Date.now() / 1_000, request };
    const seen = { ...answered, traceId: traces?.observe(answered) ?? null };
    figures.noteSeen(seen);
    requestLog.observe(seen);
    searchLog?.observe(notes, status, request, response);
  };
}

function actorOf<Actor>(actors: ReadonlyMap<Base, Actor>, base: Base): Actor {
  const actor = actors.get(base);
  if (actor === undefined) throw new Error(`no actor for base ${base}`);
  return actor;
}

type ChangeOfBase = (base: Base, key: BaseKey, value: number) => Promise<number>;

/** The supervisor of the bases, and the settings that can change. */
function supervise(config: Config, actors: ReadonlyMap<Base, BaseActor>, onRejected: () => void) {
  const supervised = new Map(
    [...actors].map(([base, actor]) => [base, { actor, windows: config.bases[base] }]),
  );
  const askers = new Askers(systemClock, searchesAtOnce());
  const supervisor = new Supervisor(systemClock, supervised, onRejected, askers);
  let idleSeconds = idleTimeoutOf(config.idle_timeout_s, config.bases);
  let bases = config.bases;
  const change: ChangeOfBase = async (base, key, value) => {
    const actor = actorOf(actors, base);
    if (key === 'threads') return actor.changeThreads(value);
    if (key === 'queue_max') actor.changeQueueMax(value);
    else {
      bases = { ...bases, [base]: { ...bases[base], [key]: value } };
      supervisor.changeWindows(base, bases[base]);
      idleSeconds = idleTimeoutOf(config.idle_timeout_s, bases);
    }
    return value;
  };
  return { supervisor, askers, change, idleSeconds: () => idleSeconds };
}

interface BaseParts {
  readonly log: Logger;
  readonly tallies: Tallies;
  readonly expensive: ExpensiveWork;
  /** The module that threads run, instead of `workers/main.ts`. */
  readonly entry?: string | undefined;
  readonly files: Following | null;
}

function actorsOf(
  config: Config,
  parts: Omit<BaseParts, 'entry'>,
  entries: Observed['workerEntry'],
): ReadonlyMap<Base, BaseActor> {
  const create = (base: Base) => createBase(base, config, { ...parts, entry: entries?.[base] });
  return new Map(BASES.map((base) => [base, create(base)]));
}

/** A base with local threads. */
function createBase(base: Base, config: Config, parts: BaseParts): BaseActor {
  const { log, tallies, expensive, entry, files } = parts;
  const { threads, queue_max } = config.bases[base];
  const options: BaseActorOptions = {
    base,
    port: new ThreadPort({
      file: baseFile(config.data_dir, base),
      base,
      threads,
      entry,
      onLeftBehind: (leftBehind) => {
        log.error(
          { base, threads_left_behind: leftBehind },
          'thread left behind: its statement does not end',
        );
      },
    }),
    clock: systemClock,
    threads,
    expensive,
    queueMax: queue_max,
    onStep: (step) => {
      tallies.step(step);
    },
    onState: (_, state, detail) => {
      if (state === 'down') log.error({ base, detail }, 'base down');
      else log.info({ base }, 'base up again');
    },
  };
  return files === null ? new BaseActor(options) : files.actor(options);
}
