import { Elysia } from 'elysia';
import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import type { LatestRequests } from '../../http/latest-requests.ts';
import type { CoverageActor } from '../../search/coverage.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import { keysRoutes, type KeysOptions } from './keys-routes.ts';
import { liveRoutes, type LiveOptions } from './live-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { settingsRoutes, type SettingsOptions } from './settings-routes.ts';

export interface ConsoleOptions extends Omit<KeysOptions, 'log' | 'figures'>, LiveOptions, SettingsOptions {
  readonly search: AdminPart;
  readonly coverage: Pick<CoverageActor, 'current'>;
  readonly latest: LatestRequests;
  /** The setting: with 0 no request is slow, and no text is shown. */
  readonly slowMs: number;
}

export function consolePart(options: ConsoleOptions): AdminPart {
  const { clock, coverage, figures } = options;
  return new Elysia()
    .use(pageRoutes())
    .use(liveRoutes(options))
    .use(settingsRoutes(options))
    .use(keysRoutes(options))
    .use(options.search)
    .get('/console/api/buscas', ({ request }) => latestRequests(request, options))
    .get('/console/api/ausentes', () => {
      const now = clock.date().getTime() / 1_000;
      return adminJson(200, { palavras: figures.absentWords?.listed(now) ?? null });
    })
    .get('/console/api/cobertura', () => adminJson(200, coverage.current));
}

/** The latest slow, failed and incomplete requests; with `base` and `em`, those behind the percentiles of that base at that second. */
function latestRequests(request: Request, { latest, slowMs }: ConsoleOptions): Response {
  const asked = new URL(request.url).searchParams;
  const [base, em] = [asked.get('base'), asked.get('em')];
  if (base === null && em === null) return adminJson(200, { lenta_ms: slowMs, buscas: latest.listed });
  if (!isOneOf(BASES, base)) return adminErro(400, `base: use uma de ${BASES.join(', ')}`);
  if (!/^\d{1,12}$/u.test(em ?? '')) return adminErro(400, 'em: use o segundo, contado desde 1970');
  return adminJson(200, { lenta_ms: slowMs, buscas: latest.around(base, Number(em)) });
}
