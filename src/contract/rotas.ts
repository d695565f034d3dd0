/** The three routes; `decisao` has the `{id}`. */
export const PREFIXO = '/v1/jurisprudencia';
export const CAMINHOS = {
  cobertura: `${PREFIXO}/cobertura`,
  busca: `${PREFIXO}/busca`,
  decisao: `${PREFIXO}/{id}`,
} as const;
export type Rota = keyof typeof CAMINHOS;

/** The version of the contract: a closed beta. */
export const VERSAO_DO_CONTRATO = '0';
/** The realm that a 401 names. */
export const REALM = 'jurisprudencia';
/** The per-key quota's name and window in the `RateLimit` headers. */
export const COTA = { politica: 'dia', segundos: 86_400 } as const;
/** Maximum characters of the header `Jurisprudencia-Termos-Ausentes`. */
export const AUSENTES_LENGTH_MAX = 1_000;
/** The same for `Jurisprudencia-Leitura`. All headers of an answer together fit the 4 kB that proxies reserve. */
export const LEITURA_LENGTH_MAX = 1_200;
/** The same for `Jurisprudencia-Termos-Proximos`. */
export const PROXIMOS_LENGTH_MAX = 800;
/** `Cache-Control` by route. A search or a record is asked for again, with the `ETag` of the copy that the client has. */
export const CACHE_CONTROL = {
  cobertura: 'public, max-age=60',
  busca: 'private, no-cache',
  decisao: 'private, no-cache',
} as const satisfies Record<Rota, string>;
