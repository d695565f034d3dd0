import type { Base } from '../../../contract/vocabulary.ts';
import type { Recent } from '../base-gauge.ts';
import type { BaseState } from '../live-routes.ts';
import type { BaseFilesReport } from '../part.ts';
import type { Percentiles } from '../increase.ts';
import { Chart, type Frame } from './chart.ts';
import {
  formatBytes,
  formatCount,
  formatElapsed,
  formatNumber,
  formatPercent,
  formatWhole,
} from './format.ts';
import { button, html } from './html.ts';
import { showSearchesOf } from './recent.ts';
import { SettingsForm } from './settings.ts';
import { page, serviceNow } from './state.ts';

type BaseFile = BaseFilesReport['bases'][number];

/** With fewer requests there is no p99: it would be the slowest request. */
const P99_REQUESTS_LEAST = 100;
export const STATES = { no_ar: 'no ar', fora: 'fora do ar', sem_resposta_ainda: 'ainda sem resposta' };
const PERCENTILES = ['p50', 'p95', 'p99'] as const;
/** Names of the counts, and whether a count is of events that matter; an older event only shows its age. */
const COUNTS = [
  ['relevancia', 'por relevância', false],
  ['recentes', 'por recentes', false],
  ['recuos', 'recuos', true],
  ['tempo_esgotado', 'tempo esgotado', true],
  ['recusados', 'recusados', true],
  ['falhas', 'falhas', true],
] as const;

/** A base's state, figures, chart and settings. */
export function basePanel(base: Base, frame: Frame) {
  const [state, file] = [page.states?.[base] ?? null, page.files.get(base)];
  const recent = page.recents.get(base) ?? undefined;
  const now = serviceNow();
  const fault = file?.seguido?.falha ?? null;
  const unfollowed = fault !== null && `O arquivo publicado não pode ser seguido: ${fault}`;
  const reason = [state?.motivo, unfollowed].filter(Boolean).join('. ');
  return html`
    <article key=${base} id=${`painel-${base}`} class="painel" aria-labelledby=${`base-${base}`}>
      <div class="titulo">
        <h3 id=${`base-${base}`}>${base}</h3>
        <span class="estado" data-estado=${state?.estado ?? 'desconhecido'}>
          ${state === null ? (page.states === null ? 'sem contato' : 'carregando…') : STATES[state.estado]}
        </span>
        ${button('Buscas', () => showSearchesOf(base), { 'aria-label': `Ver as buscas mais lentas de ${base} agora` })}
      </div>
      <p class="dados" title=${file?.seguido?.arquivo}>${file && fileText(file, now)}</p>
      <p class="motivo" hidden=${reason === ''}>${reason}</p>
      <div class="numeros">
        <p class="alcance">${recent && `Últimos ${recent.segundos} s: ${formatCount(recent.pedidos, 'pedido', 'pedidos')} à base`}</p>
        ${percentiles(recent)} ${gauges(recent)} ${counts(recent, now)}
        <p class="pool">${state && poolText(state)}</p>
      </div>
      <${Chart} key=${page.metric.id} base=${base} metric=${page.metric} frame=${frame} />
      <${SettingsForm} base=${base} />
    </article>`;
}

function percentiles(recent: Recent | undefined) {
  const isFew = recent !== undefined && recent.pedidos < P99_REQUESTS_LEAST;
  const row = (name: string, of: Percentiles | undefined) => html`
    <tr>
      <th scope="row">${name}</th>
      ${PERCENTILES.map((one) => html`<td><span class=${one === 'p99' && isFew ? 'fraco' : ''}>${formatNumber(of?.[one])}</span></td>`)}
    </tr>`;
  return html`
    <table class="percentis">
      <thead>
        <tr><td>ms</td>${PERCENTILES.map((one) => html`<th scope="col">${one}</th>`)}</tr>
      </thead>
      <tbody>${row('execução', recent?.exec)} ${row('fila', recent?.fila)}</tbody>
    </table>`;
}

function gauge(name: string, value: string, about?: string) {
  return html`<div title=${about}><dt>${name}</dt><dd>${value}</dd></div>`;
}

function gauges(recent: Recent | undefined) {
  return html`
    <dl class="medidores">
      ${gauge('à base', `${formatNumber(recent?.pedidos_por_s)} /s`, 'pedidos que chegaram à base')}
      ${gauge('uso do pool', formatPercent(recent?.uso ?? null))}
    </dl>`;
}

export function counts(recent: Recent | undefined, now: number) {
  const latest: Partial<Record<string, number | null>> = recent?.ultimos ?? {};
  const shown = COUNTS.map(([key, name, isEvent]) => {
    const last = latest[key] ?? null;
    const title = isEvent
      ? 'nos últimos 10 s; ao lado, há quanto tempo foi o último'
      : 'buscas dos usuários nos últimos 10 s, as do cache incluídas';
    return html`
      <div title=${title} class=${isEvent && (recent?.[key] ?? 0) > 0 ? 'atencao' : ''}>
        <dt>${name}</dt>
        <dd class="idade"><span>${last !== null && `há ${formatElapsed(now - last)}`}</span></dd>
        <dd class="conta">${recent && formatWhole(recent[key])}</dd>
      </div>`;
  });
  return html`<dl class="contagens">${shown}</dl>`;
}

function fileText({ bytes, carregada_em, versao_dos_dados, decisoes, seguido }: BaseFile, now: number) {
  const since = (time: string) => `há ${formatElapsed(now - Date.parse(time) / 1_000)}`;
  const parts = [
    decisoes !== null && formatCount(decisoes, 'decisão', 'decisões'),
    bytes !== null && formatBytes(bytes),
    carregada_em !== null && `carregada ${since(carregada_em)}`,
    versao_dos_dados !== null && `dados nº ${formatWhole(versao_dos_dados)}`,
    seguido !== null && followedText(seguido, since),
  ];
  // Lines break only between the parts.
  return parts.flatMap((part) => (part === false ? [] : [part.replaceAll(' ', '\u{a0}')])).join(' · ');
}

/** `stj-12-9f3a04c1… publicado há 5 min, em dia`; the whole name is in the title. */
function followedText(
  { arquivo, publicado_em, estado, falha }: NonNullable<BaseFile['seguido']>,
  since: (time: string) => string,
) {
  if (arquivo === null || publicado_em === null) return estado;
  return `${arquivo.slice(0, arquivo.lastIndexOf('-') + 9)}… publicado ${since(publicado_em)}${falha === null ? `, ${estado}` : ''}`;
}

function poolText({ threads, threads_presas, reinicios, na_fila, em_execucao }: BaseState) {
  const parts = [
    formatCount(threads, 'thread', 'threads'),
    `${em_execucao} em execução`,
    `${na_fila} na fila`,
  ];
  if (threads_presas > 0) parts.push(`${threads_presas} presas`);
  if (reinicios > 0) parts.push(formatCount(reinicios, 'reinício', 'reinícios'));
  return parts.join(' · ');
}
