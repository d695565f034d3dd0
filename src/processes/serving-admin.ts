import { join } from 'node:path';
import type { Logger } from 'pino';
import { createAdminApp } from '../admin/app.ts';
import { consolePart, type ConsoleOptions } from '../admin/console/part.ts';
import { consoleSearch } from '../admin/console/search-routes.ts';
import { healthPart } from '../admin/health.ts';
import { openapiPart } from '../admin/openapi.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../engine/clock.ts';
import type { Serving, Shared } from './serving.ts';

export interface Operated extends Pick<
  ConsoleOptions,
  'coverage' | 'figures' | 'tuning' | 'quota' | 'keyStore'
> {
  readonly serving: Serving;
  /** Known once the public app listens. */
  readonly publicUrl: () => string;
  /** Of a front: what it has in common with its cluster, which has the bases. */
  readonly shared: Pick<Shared, 'adminParts' | 'clockSkewMs'> | undefined;
}

/** The admin listener of a process that serves by itself. */
export function createServingAdmin(config: Config, log: Logger, operated: Operated) {
  const { publicUrl, serving, shared } = operated;
  const { actors, metrics, isStopping } = serving;
  return createAdminApp({
    host: config.admin_host,
    token: config.admin_token,
    parts: [
      healthPart({ bases: actors, isStopping, quota: operated.quota, clockSkewMs: shared?.clockSkewMs }),
      openapiPart(publicUrl),
      metrics.part(),
      ...(shared?.adminParts ?? []),
      consolePart({
        ...operated,
        log,
        clock: systemClock,
        quotaPerDay: config.quota_per_day,
        slowMs: config.slow_ms,
        search: consoleSearch({ clock: systemClock, ...serving }),
        statusOf: (base) => serving.states()[base],
        dataDir: config.data_dir,
        areOnNodes: shared !== undefined,
        configFile: join(config.data_dir, 'config.toml'),
      }),
    ],
    log,
  });
}
