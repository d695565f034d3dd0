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

export interface FoundPage {
  readonly ms: number;
  readonly por_base: SearchPage['por_base'];
  readonly bases_sem_resposta: SearchPage['bases_sem_resposta'];
  readonly itens: readonly ReturnType<typeof itemOf>[];
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
    const page = await supervisor.search(pedido, asker);
    const body: FoundPage = {
      ms: hundredths(clock.now() - startedAt),
      por_base: page.por_base,
      bases_sem_resposta: page.bases_sem_resposta,
      itens: page.itens.map(itemOf),
      proximo_cursor: page.cursor === null ? null : reading.cursors.encode(page.cursor, pedido.parametros),
      steps: steps.map((step) => describeStep(step, startedAt)),
    };
    return adminJson(200, body);
  });
}

/** The fields by which an operator recognises a decision. @param item a Resumo as JSON text, a binary string. */
function itemOf(item: string) {
  const text = Buffer.from(item, 'latin1').toString();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the base in this form
  const { id, base, tipo, processo, classe, orgao_julgador, data_julgamento } = JSON.parse(text) as Resumo;
  return {
    id,
    base,
    tipo,
    processo,
    classe: classe.sigla ?? classe.descricao,
    orgao_julgador,
    data_julgamento,
  };
}
