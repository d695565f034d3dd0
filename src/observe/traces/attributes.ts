import type { Attributes } from '@opentelemetry/api';
import { CAMINHOS } from '../../contract/rotas.ts';
import { pathOf, queryOf } from '../../http/routing.ts';
import type { RequestNotes } from '../../http/observer.ts';
import { readId } from '../../query/id.ts';

/**
 * The attributes of a request's span. Of `q` only its length: a query may name people, and a collector often belongs to
 * another party. No key, no digest of one and no client address; the path only if it is a route or a valid id, because a
 * client may by mistake put a key there.
 */
export function requestAttributes(notes: RequestNotes, request: Request): Attributes {
  const { requestId, refusal, isAbandoned, pedido, page } = notes;
  return {
    'jurisprudencia.request_id': requestId,
    ...(isAbandoned ? { 'jurisprudencia.abandoned': true } : {}),
    ...(refusal === null ? {} : { 'jurisprudencia.refusal': refusal }),
    ...pathAttribute(notes, request),
    ...(pedido === null
      ? {}
      : {
          'jurisprudencia.q.length': lengthOfQ(request),
          'jurisprudencia.ordem': pedido.ordem,
          'jurisprudencia.limite': pedido.limite,
          'jurisprudencia.first_page': pedido.cursor === null,
        }),
    ...(page === null || isAbandoned
      ? {}
      : {
          'jurisprudencia.itens': page.itens.length,
          'jurisprudencia.bases_sem_resposta': page.bases_sem_resposta.map(({ base }) => base),
        }),
  };
}

function pathAttribute({ route }: RequestNotes, request: Request): Attributes {
  if (route === 'cobertura' || route === 'busca') return { 'url.path': CAMINHOS[route] };
  const path = pathOf(request.url);
  const id = path.slice(path.lastIndexOf('/') + 1);
  return route === 'decisao' && readId(id) !== null ? { 'url.path': path } : {};
}

/** In Unicode characters, as the contract counts. */
function lengthOfQ(request: Request): number {
  return [...(new URLSearchParams(queryOf(request.url)).get('q') ?? '')].length;
}
