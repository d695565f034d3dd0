// Not by the package's own door, which loads its limiters for every database: 15 ms of a start.
import MemoryStorage from 'rate-limiter-flexible/lib/component/MemoryStorage/MemoryStorage.js';
import { recusa, type Recusa } from '../contract/recusa.ts';
import { CAMINHOS, PREFIXO, type Rota } from '../contract/rotas.ts';

const ROTAS = Object.values(CAMINHOS).join(', ');
export const ROTA_NAO_ENCONTRADA = recusa('ROTA_NAO_ENCONTRADA', `não há esta rota; as rotas são ${ROTAS}`);

/** The route of a path, or null. A trailing slash or a doubled one is another route. */
export function routeOf(path: string): Rota | null {
  if (!path.startsWith(`${PREFIXO}/`)) return null;
  const rest = path.slice(PREFIXO.length + 1);
  if (rest === 'cobertura' || rest === 'busca') return rest;
  return rest === '' || rest.includes('/') ? null : 'decisao';
}

/** The path of a URL as the server gives it, without the query; the host is missing where the client sent none. */
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

/** What is wrong with a request before its key is looked at: 404 for its path, then 405 for its method. */
export function refuseRoute(route: Rota | 'nenhuma', method: string): Recusa | null {
  if (route === 'nenhuma') return ROTA_NAO_ENCONTRADA;
  return method === 'GET'
    ? null
    : recusa('METODO_NAO_PERMITIDO', 'só GET é aceito nesta rota; repita com GET');
}

/**
 * The per-IP speed limit, before everything else (spec sections 7 and 8). Its counts live for one window, so
 * what it keeps is bounded by what one window brings. The counting is the package's own; its limiter around that
 * answers by a promise, for which every request would wait a turn.
 */
export class IpLimit {
  readonly #counts = new MemoryStorage();
  readonly #requests: number;
  readonly #windowSeconds: number;

  constructor(requests: number, windowSeconds: number) {
    this.#requests = requests;
    this.#windowSeconds = windowSeconds;
  }

  /** Counts requests that another process has let pass or refused. @returns those in the window, and its end. */
  add(client: string, requests: number): { readonly counted: number; readonly endsInMs: number } {
    const { consumedPoints, msBeforeNext } = this.#counts.incrby(client, requests, this.#windowSeconds);
    return { counted: consumedPoints, endsInMs: Math.max(0, Math.ceil(msBeforeNext)) };
  }

  /** Counts one request. @returns null when it may pass, else the seconds to wait. */
  refuse(client: string): number | null {
    const { consumedPoints, msBeforeNext } = this.#counts.incrby(client, 1, this.#windowSeconds);
    return consumedPoints <= this.#requests ? null : Math.max(1, Math.ceil(msBeforeNext / 1000));
  }
}
