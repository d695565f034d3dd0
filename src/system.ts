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
import { Tuning } from './admin/console/tuning.ts';
import { healthPart } from './admin/health.ts';
import { Metrics } from './observe/metrics/metrics.ts';
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
import { IpLimit } from './http/ip-limit.ts';
import type { Observer } from './http/observer.ts';
import { RequestLog } from './http/request-log.ts';
import { KeyRing } from './keys/ring.ts';
import { CursorCodec } from './query/cursor.ts';
import { cursorSecret } from './start/secret.ts';
import type { Traces } from './observe/traces/traces.ts';

/** A service that listens; `stop` lets requests under way end before it closes. */
export interface System {
  readonly url: string;
  /** Of the admin listener. */
  readonly adminUrl: string;
  /** Each base as it is at this moment. */
  states(): Readonly<Record<Base, BaseStatus>>;
  /** The settings that can change while the service runs. */
  readonly tuning: Tuning;
  stop(): Promise<void>;
}

const LAST_EVENTS_MS = 10;
const OVERLOAD_LOG_MS = 10_000;
/** The server counts idle time in steps of a few seconds. */
const IDLE_SPARE_S = 5;

/** Replacements for tests. */
export interface Substitutes {
  /** The file that a base's threads run, instead of `workers/main.ts`. */
  readonly workerEntry?: Partial<Record<Base, string>>;
}

/**
 * Wires ports, actors and servers: the only place that names implementations.
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
  const metrics = new Metrics(systemClock);
  const figures = new Figures(systemClock, (base) => actorOf(actors, base).status());
  const onStep = (step: Step) => {
    metrics.step(step);
    figures.noteStep(step);
  };
  const actors: ReadonlyMap<Base, BaseActor> = new Map(
    BASES.map((base) => [
      base,
      createBase(base, config, { log, onStep, entry: substitutes.workerEntry?.[base] }),
    ]),
  );
  const coverage = createCoverage(config, actors, log);
  const { supervisor, tuning, idleSeconds } = supervise(config, actors, [
    overloadLog(log),
    () => metrics.rejected(),
  ]);
  const requestLog = new RequestLog({ log, clock: systemClock, slowMs: config.slow_ms });
  const shared = {
    supervisor,
    quota: new QuotaActor(systemClock),
    quotaPerDay: config.quota_per_day,
    coverage,
    reading: { check: openSyntaxCheck(), cursors: new CursorCodec(cursorSecret(config.data_dir)) },
  };
  let isStopping = false;
  const app = createApp({
    ...shared,
    isStopping: () => isStopping,
    keys: new KeyRing(config.data_dir, systemClock, ({ file, reason }) => {
      log.error({ file, reason }, 'keys cannot be read');
    }),
    ipLimit: new IpLimit(config.ip_requests, config.ip_window_s),
    clients: new ClientAddress(config.trusted_proxies),
    idleTimeoutSeconds: idleSeconds,
    observer: observerOf(metrics, figures, requestLog, traces),
  });
  const publicUrl = () => urlOf(config.host, app.server?.port ?? config.port);
  const operated = { ...shared, publicUrl, metrics, actors, figures, tuning, isStopping: () => isStopping };
  const admin = createAdmin(config, log, operated);
  listen(app, admin, config);
  coverage.start();
  figures.start();
  for (const [base, actor] of actors) void actor.open(config.bases[base].record_ms);
  return {
    url: publicUrl(),
    adminUrl: urlOf(config.admin_host, admin.server?.port ?? config.admin_port),
    states: () => statesOf(actors),
    tuning,
    stop: async () => {
      coverage.close();
      isStopping = true;
      await drain(app, config.shutdown_ms);
      figures.close();
      // Until now the admin listener has reported that the service is stopping; its streams end a moment later.
      await Bun.sleep(LAST_EVENTS_MS);
      await admin.server?.stop(true);
      metrics.close();
      await Promise.all([...actors.values()].map((actor) => actor.close()));
      await traces?.stop();
    },
  };
}

/** Passes each answer to metrics, figures, log and traces. */
function observerOf(
  metrics: Metrics,
  figures: Figures,
  requestLog: RequestLog,
  traces: Traces | null,
): Observer {
  return (notes, status, request) => {
    metrics.observe(notes, status);
    if (!notes.isAbandoned) figures.noteSearch(notes.pedido, notes.page, notes.steps);
    requestLog.observe(notes, status);
    traces?.observe(notes, status, request);
  };
}

type OfConsole = 'coverage' | 'figures' | 'tuning' | 'supervisor' | 'quota' | 'quotaPerDay' | 'reading';
interface Operated extends Pick<ConsoleOptions, OfConsole> {
  /** Known once the public app listens. */
  readonly publicUrl: () => string;
  readonly metrics: Metrics;
  readonly actors: ReadonlyMap<Base, BaseActor>;
  readonly isStopping: () => boolean;
}

function createAdmin(config: Config, log: Logger, operated: Operated) {
  const { publicUrl, metrics, actors, coverage, isStopping } = operated;
  return createAdminApp({
    host: config.admin_host,
    token: config.admin_token,
    parts: [
      healthPart({ bases: actors, isStopping }),
      openapiPart(publicUrl),
      metrics.part({ bases: () => statesOf(actors), coverage: () => coverage.current }),
      consolePart({
        ...operated,
        log,
        clock: systemClock,
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

type App = ReturnType<typeof createApp>;
type AdminApp = ReturnType<typeof createAdminApp>;

function listen(app: App, admin: AdminApp, config: Config): void {
  listenAt(
    config,
    (at) => admin.listen(at),
    (at) => app.listen(at),
  );
}

/** To the server, a connection that waits for its answer is idle; it must not be closed before the windows end. */
function idleTimeoutOf(idle_timeout_s: number, bases: Config['bases']): number {
  const windowsMs = Object.values(bases).map(({ relevance_ms, recency_ms, count_ms, record_ms }) =>
    Math.max(relevance_ms + recency_ms + count_ms, record_ms),
  );
  return Math.max(idle_timeout_s, Math.ceil(Math.max(...windowsMs) / 1_000) + IDLE_SPARE_S);
}

/** Logs overload when it begins, and every ten seconds while it lasts, with the number of rejected searches. */
function overloadLog(log: Logger): () => void {
  let rejected = 0;
  let isWaiting = false;
  const report = () => {
    isWaiting = rejected > 0;
    if (!isWaiting) return;
    log.warn({ searches: rejected }, 'overload: searches rejected');
    rejected = 0;
    setTimeout(report, OVERLOAD_LOG_MS).unref();
  };
  return () => {
    rejected += 1;
    if (!isWaiting) report();
  };
}

function statesOf(actors: ReadonlyMap<Base, BaseActor>): Record<Base, BaseStatus> {
  const of = (base: Base): BaseStatus => actorOf(actors, base).status();
  return {
    tst: of('tst'),
    stf: of('stf'),
    stj: of('stj'),
    tjmg: of('tjmg'),
    trt3: of('trt3'),
    eproc: of('eproc'),
  };
}

function actorOf(actors: ReadonlyMap<Base, BaseActor>, base: Base): BaseActor {
  const actor = actors.get(base);
  if (actor === undefined) throw new Error(`no actor for base ${base}`);
  return actor;
}

interface Supervised {
  readonly supervisor: Supervisor;
  readonly tuning: Tuning;
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
  const tuning = new Tuning({
    clock: systemClock,
    start: config,
    restart: () => readConfig(config.environment),
    apply: async (base, settings, key) => {
      const inForce = await applySetting(actorOf(actors, base), supervisor, { base, settings, key });
      idleSeconds = idleTimeoutOf(config.idle_timeout_s, { ...tuning.current, [base]: settings });
      return inForce;
    },
  });
  return { supervisor, tuning, idleSeconds: () => idleSeconds };
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
