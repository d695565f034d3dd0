import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createAdminApp, type AdminPart } from './admin/app.ts';
import type { Figures } from './admin/console/figures.ts';
import { consolePart, type ConsoleOptions } from './admin/console/part.ts';
import { Tuning } from './admin/console/tuning.ts';
import { healthPart, type HealthOptions } from './admin/health.ts';
import { openapiPart } from './admin/openapi.ts';
import { readConfig, type Config } from './config/config.ts';
import type { Base } from './contract/vocabulary.ts';
import type { AskedBase } from './engine/base-actor.ts';
import { systemClock } from './clock.ts';
import type { LatestRequests } from './http/latest-requests.ts';
import { authority, reachable } from './process/listen.ts';
import { CoverageActor } from './search/coverage.ts';
import type { Quota } from './shared/quota.ts';
import type { Serving, Shared } from './serving.ts';

/** The public half, for the operator's half. */
export interface Operated
  extends Pick<Serving, 'change' | 'isStopping'>, Pick<ConsoleOptions, 'statusOf' | 'search'> {
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'ask'>> & HealthOptions['bases'];
  readonly figures: Figures;
  readonly latest: LatestRequests;
  readonly quota: Quota;
  readonly metrics: AdminPart;
  readonly publicUrl: () => string;
  readonly files: ConsoleOptions['files'];
}

/** The operator's half of a service: the coverage calculation, changes of settings, and the admin listener. */
export function createOperator(config: Config, log: Logger, operated: Operated, shared: Shared) {
  const { bases, figures, files, isStopping, quota } = operated;
  const coverage = coverageOf(config, log, bases);
  const tuning = new Tuning({
    clock: systemClock,
    start: config,
    restart: () => readConfig(config.environment),
    cores: availableParallelism(),
    apply: shared.settings.apply(operated.change),
  });
  shared.settings.follow(tuning, operated.change);
  const more = () => ({ ...shared.health(), ...(files !== null && { files: files.states() }) });
  const admin = createAdminApp({
    host: config.admin_host,
    token: config.admin_token,
    parts: [
      healthPart({ bases, isStopping, more }),
      openapiPart(operated.publicUrl),
      operated.metrics,
      consolePart({
        log,
        clock: systemClock,
        statusOf: operated.statusOf,
        search: operated.search,
        figures,
        latest: operated.latest,
        tuning,
        coverage,
        quota,
        quotaPerDay: config.quota_per_day,
        slowMs: config.slow_ms,
        dataDir: config.data_dir,
        keyStore: shared.keyStore,
        replicas: shared.replicas,
        files,
        liveFile: join(config.data_dir, 'live.toml'),
      }),
    ],
    log,
  });
  return {
    coverage,
    tuning,
    listen: (at: { readonly hostname: string; readonly port: number }) => admin.listen(at),
    url: () => urlOf(config.admin_host, admin.server?.port ?? config.admin_port),
    start: () => {
      coverage.start();
      figures.start();
    },
    /** @param drain finishes running requests; until then health and console show that the service is stopping. */
    stop: async (drain: () => Promise<void>) => {
      coverage.close();
      await drain();
      figures.close();
      await admin.server?.stop(true);
    },
  };
}

function coverageOf(config: Config, log: Logger, bases: Operated['bases']): CoverageActor {
  return new CoverageActor({
    clock: systemClock,
    file: join(config.data_dir, 'cobertura.json'),
    bases,
    log: (event, detail) => {
      log.warn(detail, event);
    },
  });
}

/** The service's URL, reachable from this machine. */
export function urlOf(host: string, port: number): string {
  return `http://${authority(reachable(host), port)}`;
}
