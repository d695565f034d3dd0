import { tribunaisDaBase } from '../../../src/contract/catalog.ts';
import type { Base, Ordem } from '../../../src/contract/vocabulary.ts';
import type { Ask } from '../../../src/tools/load/http-client.ts';

const ROUTE = '/v1/jurisprudencia';

/** A search that knows what it asks. */
export interface SearchAsk extends Ask {
  readonly q: string;
  readonly ordem: Ordem;
}

/** @param base null for all six. @param more further parameters, which go before the base's own. */
export function searchAsk(
  key: string,
  q: string,
  ordem: Ordem,
  base: Base | null,
  limite = 20,
  more: Readonly<Record<string, string>> = {},
): SearchAsk {
  const own = base === null ? {} : { tribunal: tribunaisDaBase(base).join(',') };
  const parameters = new URLSearchParams({ q, ordem, limite: String(limite), ...own, ...more });
  return { path: `${ROUTE}/busca?${parameters.toString()}`, key, q, ordem };
}

export function coverageAsk(): Ask {
  return { path: `${ROUTE}/cobertura` };
}

export function recordAsk(key: string, base: Base, numero: number): Ask {
  return { path: `${ROUTE}/${base}:${numero}`, key };
}
