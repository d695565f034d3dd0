/** The three routes (spec section 4); `decisao` is the one with `{id}`. */
export const PREFIXO = '/v1/jurisprudencia';
export const CAMINHOS = {
  cobertura: `${PREFIXO}/cobertura`,
  busca: `${PREFIXO}/busca`,
  decisao: `${PREFIXO}/{id}`,
} as const;
export type Rota = keyof typeof CAMINHOS;

/** The version of the contract (spec section 9): a closed beta. */
export const VERSAO_DO_CONTRATO = '0';
/** The realm that a 401 names. */
export const REALM = 'jurisprudencia';
/** The per-key quota's name and window in the `RateLimit` headers. */
export const COTA = { politica: 'dia', segundos: 86_400 } as const;
/** Characters of the header `Jurisprudencia-Termos-Ausentes`, at the most. */
export const AUSENTES_LENGTH_MAX = 1_000;
/** How long an answer of each route may be kept, as `Cache-Control` says it; a search never. */
export const CACHE_CONTROL = {
  cobertura: 'public, max-age=60',
  busca: 'no-store',
  decisao: 'private, no-cache',
} as const satisfies Record<Rota, string>;
