import { Elysia } from 'elysia';
import type { CoverageActor } from '../../search/coverage.ts';
import { adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { Figures } from './figures.ts';
import { keysRoutes, type KeysOptions } from './keys-routes.ts';
import { liveRoutes, type LiveOptions } from './live-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { processesRoutes, type ProcessesOptions } from './processes-routes.ts';
import { baseFilesRoutes, type BaseFilesOptions } from './base-files-routes.ts';
import { recentSearchesRoutes, type RecentSearchesOptions } from './recent-searches-routes.ts';
import { searchRoutes, type SearchRouteOptions } from './search-routes.ts';
import { settingsRoutes, type SettingsOptions } from './settings-routes.ts';

export interface ConsoleOptions
  extends
    Omit<KeysOptions, 'log' | 'figures'>,
    Omit<LiveOptions, 'figures'>,
    BaseFilesOptions,
    ProcessesOptions,
    Omit<RecentSearchesOptions, 'figures'>,
    SearchRouteOptions,
    SettingsOptions {
  readonly figures: Figures;
  readonly coverage: Pick<CoverageActor, 'current' | 'years'>;
}

/** The operator's console: the page and its API. */
export function consolePart(options: ConsoleOptions): AdminPart {
  return new Elysia()
    .use(pageRoutes())
    .use(liveRoutes(options))
    .use(settingsRoutes(options))
    .use(keysRoutes(options))
    .use(searchRoutes(options))
    .use(recentSearchesRoutes(options))
    .use(baseFilesRoutes(options))
    .use(processesRoutes(options))
    .get('/console/api/cobertura', () =>
      adminJson(200, { ...options.coverage.current, anos: options.coverage.years }),
    );
}
