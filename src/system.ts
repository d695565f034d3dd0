import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { BaseActor, type AskedBase } from './engine/base-actor.ts';
import { systemClock } from './engine/clock.ts';
import { ExpensiveWork, expensiveAtOnce } from './engine/expensive-work.ts';
import { CoverageActor } from './search/coverage.ts';
import { quotaOfThisProcess } from './shared/quota.ts';
import type { Step } from './engine/steps.ts';
import { Supervisor } from './search/supervisor.ts';
import { applySetting } from './admin/console/apply-setting.ts';
import { Figures } from './admin/console/figures.ts';
import { Tuning } from './admin/console/tuning.ts';
import { Metrics } from './observe/metrics/metrics.ts';
import { overloadLog } from './observe/overload-log.ts';
import { LoadMeter } from './observe/process-load.ts';
import { PiscinaPort } from './engine/piscina-port.ts';
import { ResizablePort } from './engine/resizable-port.ts';
import { baseFile, dataFiles } from './index/format/schema.ts';
import { openSyntaxCheck } from './index/format/syntax-check.ts';
import { authority, listenAt, reachable } from './process/listen.ts';
import { readConfig, type Config } from './config/config.ts';
import { BASES, type Base } from './contract/vocabulary.ts';
import { forEachOf } from './contract/records.ts';
import { createApp } from './http/app.ts';
import { ClientAddress } from './http/client-address.ts';
import { drain } from './http/drain.ts';
import { idleTimeoutOf } from './http/idle-timeout.ts';
import { IpLimit } from './http/ip-limit.ts';
import type { Observer } from './http/observer.ts';
import { RequestLog } from './http/request-log.ts';
import { folderKeys } from './keys/key-store.ts';
import { KeyRing } from './keys/ring.ts';
import { CursorCodec } from './query/cursor.ts';
import { cursorSecret } from './start/secret.ts';
import type { Traces } from './observe/traces/traces.ts';
import { LAST_EVENTS_MS } from './config/limits.ts';
import type { Serving, ServingParts, Shared, System } from './processes/serving.ts';
import { createServingAdmin } from './processes/serving-admin.ts';

export type { System };

/** Replacements for tests. */
export interface Substitutes {
  /** The file that a base's threads run, instead of `workers/main.ts`. */
  readonly workerEntry?: Partial<Record<Base, string>>;
  /** Of a front: what it has in common with its cluster. */
  readonly shared?: Shared;
}

/**
 * The whole service in this process.
 * @param traces stopped with the system.
 */
export function startSystem(
  config: Config,
  log: Logger,
  substitutes: Substitutes = {},
  traces: Traces | null = null,
): System {
  const load = new LoadMeter(systemClock);
  const figures = new Figures(
    systemClock,
    (base) => serving.states()[base],
    () => ({ ...load.take(), processes: 1, reporting: 1 }),
    config.slow_ms,
  );
  const { shared } = substitutes;
  const quota = shared?.quota ?? quotaOfThisProcess(systemClock);
  const serving = createServing(config, {
    log,
    quota,
    keys: shared?.keys ?? openKeys(config, log),
    ipLimit: new IpLimit(config.ip_requests, config.ip_window_s),
    coverage: {
      get current() {
        return coverage.current;
      },
    },
    figures,
    traces,
    secrets: shared?.secrets,
    basesElsewhere: shared?.basesElsewhere,
    reusePort: false,
    workerEntry: substitutes.workerEntry,
  });
  const { calculation, coverage } = openCoverage(config, serving.actors, log, shared);
  if (shared !== undefined) serving.metrics.registerMore(shared.registerMetrics);
  const tuning = createTuning(config, figures, serving, shared);
  shared?.follow?.(tuning, serving.change);
  const publicUrl = () => urlOf(config.host, serving.port());
  const admin = createServingAdmin(config, log, {
    serving,
    quota,
    coverage,
    figures,
    tuning,
    keyStore: shared?.keyStore ?? folderKeys(config.data_dir, 0),
    publicUrl,
    shared,
  });
  listenAt(config, (at) => admin.listen(at), serving.listen);
  calculation.start();
  figures.start();
  serving.open();
  return {
    url: publicUrl(),
    adminUrl: urlOf(config.admin_host, admin.server?.port ?? config.admin_port),
    states: serving.states,
    tuning,
    stop: async () => {
      calculation.close();
      await serving.drain();
      figures.close();
      load.close();
      // Until now it has told that the service is stopping; what it streams ends a moment later.
      await Bun.sleep(LAST_EVENTS_MS);
      await admin.server?.stop(true);
      await serving.close();
      await shared?.stop();
      await traces?.stop();
    },
  };
}

function openKeys(config: Config, log: Logger): KeyRing {
  return new KeyRing(config.data_dir, systemClock, ({ file, reason }) => {
    log.error({ file, reason }, 'keys cannot be read');
  });
}

function createTuning(config: Config, figures: Figures, serving: Serving, shared?: Shared): Tuning {
  return new Tuning({
    clock: systemClock,
    start: config,
    restart: () => readConfig(config.environment),
    machine: { cores: availableParallelism(), processes: 1, typicalMs: (base) => figures.typicalMs(base) },
    apply: shared?.change?.(serving.change) ?? serving.change,
    applyService: shared?.changeService ?? serving.changeService,
  });
}

/** Wires ports, actors and the public listener: the only place that names implementations. */
export function createServing(config: Config, parts: ServingParts): Serving {
  const { log, figures, traces, coverage } = parts;
  const metrics = new Metrics(systemClock);
  const onStep = (step: Step) => {
    metrics.step(step);
    figures.noteStep(step);
  };
  const atOnce = expensiveAtOnce(config.expensive_at_once);
  const expensive = new ExpensiveWork(systemClock, atOnce, parts.permits);
  const create = (base: Base) =>
    createBase(base, config, { log, onStep, expensive, entry: parts.workerEntry?.[base] });
  const actors: ReadonlyMap<Base, AskedBase> =
    parts.basesElsewhere?.(onStep) ?? new Map(BASES.map((base) => [base, create(base)]));
  const { supervisor, change, idleSeconds } = supervise(config, actors, [
    overloadLog(log),
    () => metrics.rejected(),
  ]);
  const requestLog = new RequestLog({ log, clock: systemClock, slowMs: config.slow_ms });
  const reading = {
    check: openSyntaxCheck(),
    cursors: new CursorCodec(parts.secrets ?? cursorSecret(config.data_dir)),
  };
  let isStopping = false;
  const app = createApp({
    ...parts,
    supervisor,
    reading,
    quotaPerDay: config.quota_per_day,
    isStopping: () => isStopping,
    clients: new ClientAddress(config.trusted_proxies),
    idleTimeoutSeconds: idleSeconds,
    observer: observerOf(metrics, figures, requestLog, traces),
  });
  const states = () => forEachOf(BASES, (base) => actorOf(actors, base).status());
  const gauges = { coverage: () => coverage.current, waiting: () => supervisor.waiting };
  metrics.registerStates({ bases: states, ...gauges, ...dataFiles(config.data_dir) });
  return {
    actors,
    supervisor,
    reading,
    metrics,
    listen: (at) => app.listen(at),
    port: () => app.server?.port ?? config.port,
    open: () => {
      for (const [base, actor] of actors) void actor.open(config.bases[base].record_ms);
    },
    change,
    changeService: (_, value) => {
      expensive.atOnce = expensiveAtOnce(value);
      return Promise.resolve();
    },
    states,
    isStopping: () => isStopping,
    drain: () => {
      isStopping = true;
      return drain(app, config.shutdown_ms);
    },
    close: async () => {
      metrics.close();
      await Promise.all([...actors.values()].map((actor) => actor.close()));
    },
  };
}

/** Passes each answer to metrics, figures, log and traces. */
function observerOf(
  metrics: Metrics,
  figures: ServingParts['figures'],
  requestLog: RequestLog,
  traces: Traces | null,
): Observer {
  return (notes, status, request) => {
    metrics.observe(notes, status);
    const { pedido, page, steps, startedAt } = notes;
    const ms = performance.now() - startedAt;
    if (!notes.isAbandoned) {
      figures.noteSearch(pedido, page, steps);
      figures.noteAnswer({ status, ms, page, steps });
    }
    figures.noteSeen({ notes, status, ms, url: request.url, em: Date.now() / 1_000 });
    requestLog.observe(notes, status);
    traces?.observe(notes, status, request);
  };
}

function actorOf(actors: ReadonlyMap<Base, AskedBase>, base: Base): AskedBase {
  const actor = actors.get(base);
  if (actor === undefined) throw new Error(`no actor for base ${base}`);
  return actor;
}

/** The supervisor of the bases, and the settings of both that can change. */
function supervise(
  config: Config,
  actors: ReadonlyMap<Base, AskedBase>,
  onRejected: readonly (() => void)[],
) {
  const supervised = new Map(
    [...actors].map(([base, actor]) => [base, { actor, windows: config.bases[base] }]),
  );
  const supervisor = new Supervisor(systemClock, supervised, () => {
    for (const notify of onRejected) notify();
  });
  let idleSeconds = idleTimeoutOf(config.idle_timeout_s, config.bases);
  let bases = config.bases;
  const change: Serving['change'] = async (base, settings, key) => {
    const inForce = await applySetting(actorOf(actors, base), supervisor, { base, settings, key });
    bases = { ...bases, [base]: settings };
    idleSeconds = idleTimeoutOf(config.idle_timeout_s, bases);
    return inForce;
  };
  return { supervisor, change, idleSeconds: () => idleSeconds };
}

export interface BaseParts {
  readonly log: Logger;
  readonly onStep: (step: Step) => void;
  readonly expensive: ExpensiveWork;
  /** What its threads run, instead of `workers/main.ts`. */
  readonly entry?: string | undefined;
}

function openCoverage(
  config: Config,
  bases: ReadonlyMap<Base, AskedBase>,
  log: Logger,
  shared: Shared | undefined,
) {
  const calculation = new CoverageActor({
    clock: systemClock,
    file: join(config.data_dir, 'cobertura.json'),
    bases,
    log: (event, detail) => {
      log.warn(detail, event);
    },
  });
  return { calculation, coverage: shared?.coverage?.(calculation) ?? calculation };
}

/** A base with threads of its own. */
export function createBase(
  base: Base,
  config: Config,
  { log, onStep, expensive, entry }: BaseParts,
): BaseActor {
  const { threads, queue_max, result_cache_mb } = config.bases[base];
  return new BaseActor({
    base,
    port: new ResizablePort(
      threads,
      (count) =>
        new PiscinaPort({
          file: baseFile(config.data_dir, base),
          base,
          threads: count,
          entry,
          onLeftBehind: (leftBehind) => {
            log.error(
              { base, threads_left_behind: leftBehind },
              'thread left behind: its statement does not end',
            );
          },
        }),
    ),
    clock: systemClock,
    threads,
    expensive,
    queueMax: queue_max,
    resultCacheMb: result_cache_mb,
    onStep,
    onState: (_, state, detail) => {
      if (state === 'down') log.error({ base, detail }, 'base down');
      else log.info({ base }, 'base up again');
    },
  });
}

/** An address to reach the service at from this machine. */
function urlOf(host: string, port: number): string {
  return `http://${authority(reachable(host), port)}`;
}
