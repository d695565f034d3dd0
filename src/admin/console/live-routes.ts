import { Elysia } from 'elysia';
import { randomUUID } from 'node:crypto';
import type { BaseStatus } from '../../engine/messages.ts';
import type { Clock } from '../../clock.ts';
import { forEachOf } from '../../contract/records.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { LatestRequests } from '../../http/latest-requests.ts';
import { serviceVersion } from '../../process/version.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { Figures } from './figures.ts';
import type { Tuning } from './tuning.ts';

export interface LiveOptions {
  readonly clock: Clock;
  readonly figures: Figures;
  readonly tuning: Tuning;
  readonly latest: Pick<LatestRequests, 'version'>;
  readonly statusOf: (base: Base) => BaseStatus;
}

/** Figures of the service and all bases; of each base also the seconds after `desde`, which the page asks for every second. */
export function liveRoutes(options: LiveOptions): AdminPart {
  const start = {
    // A changed id shows a page that the service has restarted.
    instancia: randomUUID(),
    iniciado_em: options.clock.date().toISOString(),
    versao: serviceVersion(),
  };
  return new Elysia().get('/console/api/serie', ({ request }) => {
    const desde = new URL(request.url).searchParams.get('desde') ?? '0';
    return /^\d{1,12}$/u.test(desde)
      ? adminJson(200, { ...start, ...seriesOf(options, Number(desde)) })
      : adminErro(400, 'desde: use o segundo, contado desde 1970');
  });
}

export type LiveSeries = ReturnType<typeof seriesOf> & {
  readonly instancia: string;
  readonly iniciado_em: string;
  readonly versao: string;
};

function seriesOf({ clock, figures, tuning, latest, statusOf }: LiveOptions, desde: number) {
  const agora = Math.floor(clock.date().getTime() / 1_000);
  // After a clock that was set back the page has seconds that are not here.
  const after = desde < agora ? desde : 0;
  return {
    agora,
    ajustes_versao: tuning.version,
    buscas_versao: latest.version,
    servico: figures.service,
    estados: forEachOf(BASES, (base) => stateOf(statusOf(base))),
    recentes: forEachOf(BASES, (base) => figures.bases[base].recent),
    serie: forEachOf(BASES, (base) => figures.bases[base].points.filter(({ em }) => em > after)),
  };
}

export type BaseState = ReturnType<typeof stateOf>;

function stateOf(status: BaseStatus) {
  const { state, detail, threads, threads_left_behind, restarts, waiting, threads_busy, made_up } = status;
  const estado: 'no_ar' | 'fora' | 'sem_resposta_ainda' =
    state === 'up' ? 'no_ar' : state === 'down' ? 'fora' : 'sem_resposta_ainda';
  return {
    estado,
    motivo: reasonOf(detail),
    threads,
    threads_presas: threads_left_behind,
    reinicios: restarts,
    na_fila: waiting,
    em_execucao: threads_busy,
    demonstracao: made_up,
  };
}

/** Why a base is down, in the console's language; an untranslated detail is quoted. */
function reasonOf(detail: string): string {
  const file = /^no base file at (?<path>.+)$/su.exec(detail)?.groups?.['path'];
  if (file !== undefined) return `o arquivo da base não está lá: ${file}`;
  const other = /^not a regular file: (?<path>.+)$/su.exec(detail)?.groups?.['path'];
  if (other !== undefined) return `não é um arquivo comum: ${other}`;
  return detail === '' ? '' : `falhou: ${detail}`;
}
