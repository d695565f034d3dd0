import { Elysia } from 'elysia';
import { randomUUID } from 'node:crypto';
import type { BaseStatus } from '../../engine/messages.ts';
import type { Clock } from '../../clock.ts';
import { forEachOf } from '../../contract/records.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { LatestRequests } from '../../http/latest-requests.ts';
import { baseFile } from '../../index/format/schema.ts';
import { baseFileFacts, diskOf } from '../../observe/data-disk.ts';
import type { FollowedFile } from '../../observe/metrics/states.ts';
import { serviceVersion } from '../../process/version.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { Figures } from './figures.ts';
import type { Tuning } from './tuning.ts';

/** A replica as it describes itself to the others. */
export interface Replica {
  readonly name: string;
  /** The URL of its admin listener. */
  readonly address: string;
  readonly state: 'starting' | 'serving' | 'stopping';
  readonly bases: Readonly<Partial<Record<Base, Pick<BaseStatus, 'state' | 'generation'>>>>;
}

export interface LiveOptions {
  readonly clock: Clock;
  readonly figures: Figures;
  readonly tuning: Tuning;
  readonly latest: Pick<LatestRequests, 'version'>;
  readonly statusOf: (base: Base) => BaseStatus;
  readonly dataDir: string;
  /** Published base files, if they are followed. */
  readonly files: { readonly states: () => Readonly<Partial<Record<Base, FollowedFile>>> } | null;
  /** The other live replicas; null for a single process. */
  readonly replicas: () => readonly Replica[] | null;
}

/** What the page asks for every second: the service and all bases now, and of each base the seconds after `desde`. */
export function liveRoutes(options: LiveOptions): AdminPart {
  const start = startOf(options);
  return new Elysia().get('/console/api/serie', ({ request }) => {
    const desde = new URL(request.url).searchParams.get('desde') ?? '0';
    return /^\d{1,12}$/u.test(desde)
      ? adminJson(200, { ...start, ...seriesOf(options, Number(desde)) })
      : adminErro(400, 'desde: use o segundo, contado desde 1970');
  });
}

export type LiveSeries = ReturnType<typeof seriesOf> & ReturnType<typeof startOf>;

/** A changed id shows a page that the service has restarted. */
function startOf({ clock }: LiveOptions) {
  return { instancia: randomUUID(), iniciado_em: clock.date().toISOString(), versao: serviceVersion() };
}

function seriesOf(options: LiveOptions, desde: number) {
  const { clock, figures, tuning, latest, statusOf, dataDir, files, replicas } = options;
  const agora = Math.floor(clock.date().getTime() / 1_000);
  // After a clock that was set back the page has seconds that are not here.
  const after = desde < agora ? desde : 0;
  return {
    agora,
    ajustes_versao: tuning.version,
    buscas_versao: latest.version,
    servico: figures.service.recent,
    estados: forEachOf(BASES, statusOf),
    arquivos: forEachOf(BASES, (base) => baseFileFacts(baseFile(dataDir, base))),
    seguidos: files?.states() ?? {},
    disco: diskOf(dataDir),
    replicas: replicas()?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? null,
    recentes: forEachOf(BASES, (base) => figures.bases[base].recent),
    serie: forEachOf(BASES, (base) => figures.bases[base].points.filter(({ em }) => em > after)),
  };
}
