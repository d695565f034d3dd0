import type { CoverRequest, Filtro, ReadRequest, SearchRequest } from '../../src/engine/messages.ts';
import { openSyntaxCheck } from '../../src/index/format/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';

const check = openSyntaxCheck();
export const NO_FILTER: Filtro = { tribunais: null, tipo: null, julgamento_de: null, julgamento_ate: null };

/** A search message for a query as a user types it. */
export function searchFor(q: string, overrides: Partial<SearchRequest> = {}): SearchRequest {
  const consulta = readQuery(q, check);
  if ('codigo' in consulta) throw new Error(consulta.erro);
  return {
    kind: 'search',
    tree: consulta.tree,
    termos: [...consulta.termos],
    filtro: NO_FILTER,
    ordem: 'recentes',
    posicao: null,
    numeros_max: 1000,
    rows_max: 0,
    count_ms: null,
    budget_ms: 60_000,
    ...overrides,
  };
}

export function readOf(numeros: number[], tabela: ReadRequest['tabela'] = 'documento'): ReadRequest {
  return { kind: 'read', tabela, numeros, budget_ms: 60_000 };
}

export function coverFrom(acima_de: number, linhas_max: number): CoverRequest {
  return { kind: 'cover', acima_de, linhas_max, budget_ms: 60_000 };
}
