import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { BaseActor } from './engine/base-actor.ts';
import type { BaseStatus } from './engine/snapshot.ts';
import { systemClock } from './engine/clock.ts';
import { CoverageActor } from './search/coverage.ts';
import { QuotaActor } from './search/quota.ts';
import type { Step } from './engine/steps.ts';
import { Supervisor } from './search/supervisor.ts';
import { createAdminApp } from './admin/app.ts';
import { applySetting } from './admin/console/apply-setting.ts';
import { Figures } from './admin/console/figures.ts';
import { consolePart, type ConsoleOptions } from './admin/console/part.ts';
import { consoleSearch } from './admin/console/search-routes.ts';
import { Tuning } from './admin/console/tuning.ts';
import { healthPart } from './admin/health.ts';
import { Metrics } from './observe/metrics/metrics.ts';
import { overloadLog } from './observe/overload-log.ts';
import { LoadMeter } from './observe/process-load.ts';
import { openapiPart } from './admin/openapi.ts';
import { PiscinaPort } from './engine/piscina-port.ts';
import { ResizablePort } from './engine/resizable-port.ts';
import { baseFile } from './index/format/schema.ts';
import { openSyntaxCheck } from './index/format/syntax-check.ts';
import { authority, listenAt, reachable } from './process/listen.ts';
import { readConfig, type Config } from './config/config.ts';
import { BASES, type Base } from './contract/vocabulary.ts';
import { createApp } from './http/app.ts';
import { ClientAddress } from './http/client-address.ts';
import { drain } from './http/drain.ts';
import { idleTimeoutOf } from './http/idle-timeout.ts';
import { IpLimit } from './http/ip-limit.ts';
import type { Observer } from './http/observer.ts';
import { RequestLog } from './http/request-log.ts';
import { KeyRing } from './keys/ring.ts';
import { CursorCodec } from './query/cursor.ts';
import { cursorSecret } from './start/secret.ts';
import type { Traces } from './observe/traces/traces.ts';
import { LAST_EVENTS_MS } from './config/limits.ts';
import type { Serving, ServingParts, System } from './processes/serving.ts';

export type { System };

/** Replacements for tests. */
export interface Substitutes {
  /** The file that a base's threads run, instead of `workers/main.ts`. */
  readonly workerEntry?: Partial<Record<Base, string>>;
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
  for (const { old, now } of config.renamed)
    log.warn({ setting: old, use: now }, 'setting has another name now');
  const load = new LoadMeter(systemClock);
  const figures = new Figures(
    systemClock,
    (base) => serving.states()[base],
    () => ({ ...load.take(), processes: 1, reporting: 1 }),
    config.slow_ms,
  );
  const quota = new QuotaActor(systemClock);
  const serving = createServing(config, {
    log,
    quota,
    keys: new KeyRing(config.data_dir, systemClock, ({ file, reason }) => {
      log.error({ file, reason }, 'keys cannot be read');
    }),
    ipLimit: new IpLimit(config.ip_requests, config.ip_window_s),
    coverage: {
      get current() {
        return coverage.current;
      },
    },
    figures,
    traces,
    reusePort: false,
    workerEntry: substitutes.workerEntry,
  });
  const coverage = createCoverage(config, serving.actors, log);
  const tuning = new Tuning({
    clock: systemClock,
    start: config,
    restart: () => readConfig(config.environment),
    machine: { cores: availableParallelism(), processes: 1 },
    apply: serving.change,
  });
  const publicUrl = () => urlOf(config.host, serving.port());
  const admin = createAdmin(config, log, { serving, quota, coverage, figures, tuning, publicUrl });
  listenAt(config, (at) => admin.listen(at), serving.listen);
  coverage.start();
  figures.start();
  serving.open();
  return {
    url: publicUrl(),
    adminUrl: urlOf(config.admin_host, admin.server?.port ?? config.admin_port),
    states: serving.states,
    tuning,
    stop: async () => {
      coverage.close();
      await serving.drain();
      figures.close();
      load.close();
      // Until now it has told that the service is stopping; what it streams ends a moment later.
      await Bun.sleep(LAST_EVENTS_MS);
      await admin.server?.stop(true);
      await serving.close();
      await traces?.stop();
    },
  };
}

/** Wires ports, actors and the public listener: the only place that names implementations. */
export function createServing(config: Config, parts: ServingParts): Serving {
  const { log, figures, traces, coverage } = parts;
  const metrics = new Metrics(systemClock);
  const onStep = (step: Step) => {
    metrics.step(step);
    figures.noteStep(step);
  };
  const actors: ReadonlyMap<Base, BaseActor> = new Map(
    BASES.map((base) => [base, createBase(base, config, { log, onStep, entry: parts.workerEntry?.[base] })]),
  );
  const { supervisor, change, idleSeconds } = supervise(config, actors, [
    overloadLog(log),
    () => metrics.rejected(),
  ]);
  const requestLog = new RequestLog({ log, clock: systemClock, slowMs: config.slow_ms });
  const reading = { check: openSyntaxCheck(), cursors: new CursorCodec(cursorSecret(config.data_dir)) };
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
  const states = () => statesOf(actors);
  metrics.registerStates({ bases: states, coverage: () => coverage.current });
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

interface Operated extends Pick<ConsoleOptions, 'coverage' | 'figures' | 'tuning' | 'quota'> {
  readonly serving: Serving;
  /** Known once the public app listens. */
  readonly publicUrl: () => string;
}

function createAdmin(config: Config, log: Logger, operated: Operated) {
  const { publicUrl, serving } = operated;
  const { actors, metrics, isStopping } = serving;
  return createAdminApp({
    host: config.admin_host,
    token: config.admin_token,
    parts: [
      healthPart({ bases: actors, isStopping }),
      openapiPart(publicUrl),
      metrics.part(),
      consolePart({
        ...operated,
        log,
        clock: systemClock,
        quotaPerDay: config.quota_per_day,
        slowMs: config.slow_ms,
        search: consoleSearch({ clock: systemClock, ...serving }),
        statusOf: (base) => actorOf(actors, base).status(),
        dataDir: config.data_dir,
        configFile: join(config.data_dir, 'config.toml'),
      }),
    ],
    onFault: (requestId, error) => {
      log.error({ request_id: requestId, err: error }, 'admin request failed');
    },
  });
}

function statesOf(actors: ReadonlyMap<Base, BaseActor>): Record<Base, BaseStatus> {
  const states = BASES.map((base): [Base, BaseStatus] => [base, actorOf(actors, base).status()]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of the list that the type is
  return Object.fromEntries(states) as Record<Base, BaseStatus>;
}

function actorOf(actors: ReadonlyMap<Base, BaseActor>, base: Base): BaseActor {
  const actor = actors.get(base);
  if (actor === undefined) throw new Error(`no actor for base ${base}`);
  return actor;
}

interface Supervised {
  readonly supervisor: Supervisor;
  readonly change: Serving['change'];
  /** How long the server must let a connection wait for its answer, with the windows as they are. */
  readonly idleSeconds: () => number;
}

/** The supervisor of the bases, and the settings of both that can change. */
function supervise(
  config: Config,
  actors: ReadonlyMap<Base, BaseActor>,
  onRejected: readonly (() => void)[],
): Supervised {
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

interface BaseParts {
  readonly log: Logger;
  readonly onStep: (step: Step) => void;
  readonly entry: string | undefined;
}

function createCoverage(config: Config, bases: ReadonlyMap<Base, BaseActor>, log: Logger): CoverageActor {
  return new CoverageActor({
    clock: systemClock,
    file: join(config.data_dir, 'cobertura.json'),
    bases,
    log: (event, detail) => {
      log.warn(detail, event);
    },
  });
}

function createBase(base: Base, config: Config, { log, onStep, entry }: BaseParts): BaseActor {
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
    batchesMax: threads,
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
