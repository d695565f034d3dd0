import { Elysia } from 'elysia';
import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import { SLOW_MS_SHOWN } from '../../config/limits.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { Figures } from './figures.ts';

export interface RecentSearchesOptions {
  readonly figures: Pick<Figures, 'searches'>;
  /** The setting: 0 allows no text to be shown. */
  readonly slowMs: number;
}

/**
 * The latest slow and incomplete searches; with `base` and `em`, those behind the percentiles of that base at that second,
 * which need be neither.
 */
export function recentSearchesRoutes({ figures, slowMs }: RecentSearchesOptions): AdminPart {
  const scope = { lenta_ms: slowMs === 0 ? SLOW_MS_SHOWN : slowMs, com_texto: slowMs > 0 };
  return new Elysia().get('/console/api/buscas', ({ request }) => {
    const { searches } = figures;
    const asked = new URL(request.url).searchParams;
    const [base, em] = [asked.get('base'), asked.get('em')];
    if (base === null && em === null) return adminJson(200, { ...scope, buscas: searches.listed });
    if (!isOneOf(BASES, base)) return adminErro(400, `base: use uma de ${BASES.join(', ')}`);
    if (!/^\d{1,12}$/u.test(em ?? '')) return adminErro(400, 'em: use o segundo, contado desde 1970');
    return adminJson(200, { ...scope, buscas: searches.around(base, Number(em)) });
  });
}
