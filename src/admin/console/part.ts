import { Elysia } from 'elysia';
import { BASES, isOneOf, type Base } from '../../contract/vocabulary.ts';
import type { BaseStatus } from '../../engine/messages.ts';
import type { LatestRequests } from '../../http/latest-requests.ts';
import { baseFile } from '../../index/format/schema.ts';
import { baseFileFacts, diskOf } from '../../observe/data-disk.ts';
import type { FollowedFile } from '../../observe/metrics/states.ts';
import type { CoverageActor } from '../../search/coverage.ts';
import { adminErro, adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';
import type { Figures } from './figures.ts';
import { keysRoutes, type KeysOptions } from './keys-routes.ts';
import { liveRoutes, type LiveOptions } from './live-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { settingsRoutes, type SettingsOptions } from './settings-routes.ts';

export interface ConsoleOptions
  extends Omit<KeysOptions, 'log' | 'figures'>, Omit<LiveOptions, 'figures'>, SettingsOptions {
  readonly figures: Figures;
  readonly search: AdminPart;
  readonly coverage: Pick<CoverageActor, 'current'>;
  readonly latest: LatestRequests;
  /** The setting: with 0 no request is slow, and no text is shown. */
  readonly slowMs: number;
  readonly dataDir: string;
  /** The other live replicas; null for a single process. */
  readonly replicas: () => readonly Replica[] | null;
  /** Published base files, if they are followed. */
  readonly files: { readonly states: () => Readonly<Partial<Record<Base, FollowedFile>>> } | null;
}

export function consolePart(options: ConsoleOptions): AdminPart {
  const { coverage } = options;
  return new Elysia()
    .use(pageRoutes())
    .use(liveRoutes(options))
    .use(settingsRoutes(options))
    .use(keysRoutes(options))
    .use(options.search)
    .get('/console/api/buscas', ({ request }) => latestRequests(request, options))
    .get('/console/api/ausentes', () => {
      const now = options.clock.date().getTime() / 1_000;
      return adminJson(200, { palavras: options.figures.absentWords?.listed(now) ?? null });
    })
    .get('/console/api/replicas', () => adminJson(200, replicasReport(options)))
    .get('/console/api/bases', () => adminJson(200, baseFiles(options)))
    .get('/console/api/cobertura', () => adminJson(200, coverage.current));
}

/** The latest slow, failed and incomplete requests; with `base` and `em`, those behind the percentiles of that base at that second. */
function latestRequests(request: Request, { latest, slowMs }: ConsoleOptions): Response {
  const asked = new URL(request.url).searchParams;
  const [base, em] = [asked.get('base'), asked.get('em')];
  if (base === null && em === null) return adminJson(200, { lenta_ms: slowMs, buscas: latest.listed });
  if (!isOneOf(BASES, base)) return adminErro(400, `base: use uma de ${BASES.join(', ')}`);
  if (!/^\d{1,12}$/u.test(em ?? '')) return adminErro(400, 'em: use o segundo, contado desde 1970');
  return adminJson(200, { lenta_ms: slowMs, buscas: latest.around(base, Number(em)) });
}

export type BaseFilesReport = ReturnType<typeof baseFiles>;

const ESTADOS_DO_ARQUIVO = {
  current: 'em dia',
  fetching: 'buscando',
  behind: 'ainda não está aqui',
  unpublished: 'não publicado',
} as const;

/** For each base: file size, last load, reported data, and the followed file; and the free space on their disk. */
function baseFiles({ dataDir, statusOf, files }: ConsoleOptions) {
  const followed = files?.states();
  const bases = BASES.map((base) => {
    const { generation, docs } = statusOf(base);
    const file = baseFileFacts(baseFile(dataDir, base));
    const published = followed?.[base];
    return {
      base,
      bytes: file?.bytes ?? null,
      carregada_em: file === null ? null : new Date(file.changedMs).toISOString(),
      versao_dos_dados: generation,
      decisoes: docs,
      seguido:
        published === undefined
          ? null
          : {
              arquivo: published.file,
              publicado_em: published.published_at,
              estado: ESTADOS_DO_ARQUIVO[published.state],
              falha: published.fault,
            },
    };
  });
  const disk = diskOf(dataDir);
  const disco = disk === null ? null : { livre_bytes: disk.freeBytes, bytes: disk.bytes };
  return { bases, disco };
}

/** A replica as it describes itself to the others. */
export interface Replica {
  readonly name: string;
  /** The URL of its admin listener. */
  readonly address: string;
  readonly state: 'starting' | 'serving' | 'stopping';
  readonly bases: Readonly<Partial<Record<Base, Pick<BaseStatus, 'state' | 'generation'>>>>;
}

const ESTADOS = { serving: 'atende', starting: 'iniciando', stopping: 'encerrando' } as const;

export type ReplicasReport = ReturnType<typeof replicasReport>;

/** The other replicas, by name; null for a single process. */
function replicasReport({ replicas }: ConsoleOptions) {
  const all = replicas()?.toSorted((a, b) => (a.name < b.name ? -1 : 1)) ?? null;
  return {
    replicas:
      all?.map(({ name, address, state, bases }) => ({
        nome: name,
        endereco: address,
        estado: ESTADOS[state],
        bases: BASES.map((base) => ({
          base,
          fora: bases[base]?.state === 'down',
          versao_dos_dados: bases[base]?.generation ?? null,
        })),
      })) ?? null,
  };
}
