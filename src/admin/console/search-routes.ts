import { ASKERS } from '../../engine/asker.ts';
import { Elysia } from 'elysia';
import type { Clock } from '../../clock.ts';
import type { Step } from '../../engine/steps.ts';
import type { Supervisor } from '../../search/supervisor.ts';
import { queryOf } from '../../http/routing.ts';
import { describeStep, hundredths, type DescribedStep } from '../../http/described-request.ts';
import type { Resumo } from '../../contract/resumo.ts';
import { readPedido, type ReadingTools } from '../../query/parameters.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { SearchPage } from '../../search/page.ts';

export interface FoundPage extends Pick<SearchPage, 'por_base' | 'bases_sem_resposta'> {
  readonly ms: number;
  readonly itens: readonly Resumo[];
  readonly proximo_cursor: string | null;
  readonly steps: readonly DescribedStep[];
}

interface SearchTools {
  readonly clock: Clock;
  readonly supervisor: Pick<Supervisor, 'search'>;
  readonly reading: ReadingTools;
}

/** Searches as for a user, without a quota and without the cache of answers, and tells each request to a base with its times. */
export function searchRoutes({ clock, supervisor, reading }: SearchTools): AdminPart {
  return new Elysia().get('/console/api/busca', async ({ request }) => {
    const pedido = readPedido(queryOf(request.url), reading);
    if ('codigo' in pedido) return adminErro(400, pedido.erro);
    const steps: Step[] = [];
    const startedAt = clock.now();
    const asker = { id: ASKERS.console, abandoned: request.signal, steps };
    const { itens, por_base, bases_sem_resposta, cursor } = await supervisor.search(pedido, asker);
    const body: FoundPage = {
      ms: hundredths(clock.now() - startedAt),
      por_base,
      bases_sem_resposta,
      itens: itens.map(resumoIn),
      proximo_cursor: cursor === null ? null : reading.cursors.encode(cursor, pedido.parametros),
      steps: steps.map((step) => describeStep(step, startedAt)),
    };
    return adminJson(200, body);
  });
}

/** @param item JSON text as a binary string, which the base wrote in this form. */
function resumoIn(item: string): Resumo {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return JSON.parse(Buffer.from(item, 'latin1').toString()) as Resumo;
}
