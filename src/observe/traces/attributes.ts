import type { Attributes } from '@opentelemetry/api';
import { CAMINHOS } from '../../contract/rotas.ts';
import { pathOf, queryOf } from '../../http/routing.ts';
import type { RequestNotes } from '../../http/observer.ts';
import { readId } from '../../query/id.ts';

/**
 * What is told of a request. Of `q` only its length: what people search for in court decisions may name them, and a
 * collector is often another party's. Neither the key nor its digest, no client's address, and of the path only what
 * is known for a route or an id, since anything may stand there, a key by mistake included.
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
