import { recusa, type Recusa } from '../contract/recusa.ts';
import { CAMINHOS, PREFIXO, type Rota } from '../contract/rotas.ts';

const ROTAS = Object.values(CAMINHOS).join(', ');
export const ROTA_NAO_ENCONTRADA = recusa('ROTA_NAO_ENCONTRADA', `não há esta rota; as rotas são ${ROTAS}`);

/** The route of a path, or null. A trailing or doubled slash matches no route. */
export function routeOf(path: string): Rota | null {
  if (!path.startsWith(`${PREFIXO}/`)) return null;
  const name = path.slice(PREFIXO.length + 1);
  if (name === 'cobertura' || name === 'busca') return name;
  return name === '' || name.includes('/') ? null : 'decisao';
}

/** The path of a URL as the server gives it, without the query; the host is missing if the client sent none. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const end = url.indexOf('?', start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** The raw query of a URL, without the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The refusal of a request before the key is read: 404 for the path, then 405 for the method; null when it may pass. */
export function refuseRoute(route: Rota | 'nenhuma', method: string): Recusa | null {
  if (route === 'nenhuma') return ROTA_NAO_ENCONTRADA;
  return method === 'GET'
    ? null
    : recusa('METODO_NAO_PERMITIDO', 'só GET é aceito nesta rota; repita com GET');
}
