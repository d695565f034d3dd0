import { Elysia } from 'elysia';
import type { Clock } from '../../engine/clock.ts';
import type { Step } from '../../engine/steps.ts';
import type { Supervisor } from '../../search/supervisor.ts';
import { queryOf } from '../../http/routing.ts';
import { readPedido, type ReadingTools } from '../../query/parameters.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';

export interface SearchRouteOptions {
  readonly search: ConsoleSearch;
}

/** Runs a search for the console. @param query as it stands in the URL. @param gone aborted when nobody waits any more. */
export type ConsoleSearch = (query: string, gone: AbortSignal) => Promise<ConsoleAnswer>;
export type ConsoleAnswer =
  { readonly status: 200; readonly body: object } | { readonly status: 400 | 503; readonly erro: string };

export function searchRoutes({ search }: SearchRouteOptions): AdminPart {
  return new Elysia().get('/console/api/busca', async ({ request }) => {
    const answer = await search(queryOf(request.url), request.signal);
    return answer.status === 200 ? adminJson(200, answer.body) : adminErro(answer.status, answer.erro);
  });
}

interface Searching {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'search'>;
  readonly reading: ReadingTools;
}

/**
 * Runs one search as for a user, but without a quota and without the result cache, and returns every request to a base
 * with its times.
 */
export function consoleSearch({ clock, supervisor, reading }: Searching): ConsoleSearch {
  return async (query, gone) => {
    const pedido = readPedido(query, reading);
    if ('codigo' in pedido) return { status: 400, erro: pedido.erro };
    const steps: Step[] = [];
    const startedAt = clock.now();
    const page = await supervisor.search(pedido, { abandoned: gone, steps, isAnew: true });
    const ms = rounded(clock.now() - startedAt);
    const body = {
      ms,
      por_base: page.por_base,
      bases_sem_resposta: page.bases_sem_resposta,
      itens: page.itens.length,
      passos: steps.map((step) => describe(step, startedAt)),
    };
    return { status: 200, body };
  };
}

/** Times in milliseconds from the start of the search. */
function describe(step: Step, startedAt: number): object {
  return {
    base: step.base,
    passo: step.kind,
    inicio_ms: rounded(step.startedAt - startedAt),
    fila_ms: rounded(step.queueMs),
    exec_ms: rounded(step.runMs),
    contagem_ms: rounded(step.countMs),
    linhas_ms: rounded(step.rowsMs),
    resultado: step.outcome,
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
