import { Elysia } from 'elysia';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { BaseStatus } from '../../engine/messages.ts';
import type { Clock } from '../../clock.ts';
import { forEachOf } from '../../contract/records.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { acceptsGzip } from '../../http/answer.ts';
import type { LatestRequests } from '../../http/latest-requests.ts';
import { serviceVersion } from '../../process/version.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { Figures, Instants } from './figures.ts';
import type { Tuning } from './tuning.ts';
import { FIGURES_S } from './totals.ts';

/** Most open console pages, and how many events a page may be behind before it is disconnected; it connects again. */
const CONSOLE_READERS_MAX = 32;
const CONSOLE_BEHIND_MAX = 30;

export interface LiveOptions {
  readonly clock: Clock;
  readonly figures: Figures;
  readonly tuning: Tuning;
  readonly latest: Pick<LatestRequests, 'version'>;
  readonly statusOf: (base: Base) => BaseStatus;
}

const packed = promisify(gzip);

/** Figures of the service and all bases by second: stored ones as one answer, new ones as server-sent events. */
export function liveRoutes(options: LiveOptions): AdminPart {
  // A changed id shows a page that the service has restarted.
  const instancia = randomUUID();
  const iniciado_em = options.clock.date().toISOString();
  let readers = 0;
  return new Elysia()
    .get('/console/api/serie', ({ request }) =>
      compressed(request, seriesOf(options, instancia, iniciado_em)),
    )
    .get('/console/api/eventos', ({ request }) => {
      if (readers >= CONSOLE_READERS_MAX) {
        return adminErro(503, `há ${CONSOLE_READERS_MAX} páginas do console abertas; feche uma delas`);
      }
      readers += 1;
      const stream = follow(options, instancia, request.signal, () => {
        readers -= 1;
      });
      return new Response(stream, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      });
    });
}

/** All stored figures, and the id of the service's start. */
export type LiveSeries = ReturnType<typeof seriesOf>;

function seriesOf(options: LiveOptions, instancia: string, iniciado_em: string) {
  return {
    instancia,
    iniciado_em,
    versao: serviceVersion(),
    segundos_max: FIGURES_S,
    agora: Math.floor(options.clock.date().getTime() / 1_000),
    estados: statesOf(options),
    servico: options.figures.service,
    serie: forEachOf(BASES, (base) => options.figures.history(base)),
  };
}

/** The event for a second; the first one has no figures and is sent immediately. */
export type LiveSecond = ReturnType<typeof secondOf>;

function secondOf(options: LiveOptions, instancia: string, instantes: Instants | null) {
  return {
    instancia,
    ajustes_versao: options.tuning.version,
    buscas_versao: options.latest.version,
    servico: options.figures.service,
    estados: statesOf(options),
    instantes,
  };
}

/** Fifteen minutes of six bases are more than a megabyte; compression runs outside the event loop. */
async function compressed(request: Request, body: object): Promise<Response> {
  if (!acceptsGzip(request.headers.get('accept-encoding'))) return adminJson(200, body);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  return new Response(await packed(JSON.stringify(body)), { headers });
}

function follow(
  options: LiveOptions,
  instancia: string,
  gone: AbortSignal,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stopListening: (() => void) | null = null;
  const leave = () => {
    if (stopListening === null) return;
    stopListening();
    stopListening = null;
    onEnd();
  };
  gone.addEventListener('abort', leave, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (instantes: Instants | null) => {
          const text = JSON.stringify(secondOf(options, instancia, instantes));
          controller.enqueue(encoder.encode(`data: ${text}\n\n`));
        };
        stopListening = options.figures.listen((instants) => {
          if (instants !== 'closed' && (controller.desiredSize ?? 0) > -CONSOLE_BEHIND_MAX) {
            send(instants);
            return;
          }
          leave();
          controller.close();
        });
        // An immediate first event tells the page that it is connected.
        send(null);
      },
      cancel: leave,
    },
    new CountQueuingStrategy({ highWaterMark: 1 }),
  );
}

function statesOf({ statusOf }: LiveOptions) {
  return forEachOf(BASES, (base) => stateOf(statusOf(base)));
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
