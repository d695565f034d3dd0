import { Elysia } from 'elysia';
import type { Clock } from '../../engine/clock.ts';
import type { Step } from '../../engine/steps.ts';
import type { Supervisor } from '../../search/supervisor.ts';
import { queryOf } from '../../http/routing.ts';
import { readPedido, type ReadingTools } from '../../query/parameters.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';

export interface SearchRouteOptions {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'search'>;
  readonly reading: ReadingTools;
}

/**
 * Runs one search as for a user, but without a quota and without the result cache, and returns every request to a base
 * with its times.
 */
export function searchRoutes({ clock, supervisor, reading }: SearchRouteOptions): AdminPart {
  return new Elysia().get('/console/api/busca', async ({ request }) => {
    const pedido = readPedido(queryOf(request.url), reading);
    if ('codigo' in pedido) return adminErro(400, pedido.erro);
    const steps: Step[] = [];
    const startedAt = clock.now();
    const page = await supervisor.search(pedido, { abandoned: request.signal, steps, isAnew: true });
    const ms = rounded(clock.now() - startedAt);
    return adminJson(200, {
      ms,
      por_base: page.por_base,
      bases_sem_resposta: page.bases_sem_resposta,
      itens: page.itens.length,
      passos: steps.map((step) => describe(step, startedAt)),
    });
  });
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
