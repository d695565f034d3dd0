import type { Base } from '../../../contract/vocabulary.ts';
import type { Recent } from '../base-gauge.ts';
import type { BaseStatus } from '../../../engine/messages.ts';
import type { FollowedFile } from '../../../observe/metrics/states.ts';
import type { LiveSeries } from '../live-routes.ts';
import type { Percentiles } from '../../../observe/histogram.ts';
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
import { FAILURES, type Count } from './metrics.ts';
import { showSearchesOf } from './recent.ts';
import { SettingsForm } from './settings.ts';
import { page, serviceNow } from './state.ts';

/** With fewer requests there is no p99: it would be the slowest request. */
const P99_REQUESTS_LEAST = 100;
const STATES = { up: 'no ar', down: 'fora do ar', unknown: 'ainda sem resposta' };
const FILE_STATES = {
  current: 'em dia',
  fetching: 'buscando',
  behind: 'ainda não está aqui',
  unpublished: 'não publicado',
};
const PERCENTILES = ['p50', 'p95', 'p99'] as const;
/** Names of the counts, and whether a count is of events that matter; an older event only shows its age. */
const COUNTS: readonly (readonly [key: Count, name: string, isEvent: boolean])[] = [
  ['relevancia', 'por relevância', false],
  ['recentes', 'por recentes', false],
  ...FAILURES.map(([key, name]) => [key, name, true] as const),
];

/** A base's state, figures, chart and settings. */
export function basePanel(base: Base, frame: Frame) {
  const { series, lostAt } = page;
  const status = lostAt === null ? (series?.estados[base] ?? null) : null;
  const followed = series?.seguidos[base];
  const recent = series?.recentes[base] ?? undefined;
  const now = serviceNow();
  const fault = followed?.fault ?? null;
  const unfollowed = fault !== null && `O arquivo publicado não pode ser seguido: ${fault}`;
  const reason = [status && reasonOf(status.detail), unfollowed].filter(Boolean).join('. ');
  return html`
    <article key=${base} id=${`painel-${base}`} class="painel" aria-labelledby=${`base-${base}`}>
      <div class="titulo">
        <h3 id=${`base-${base}`}>${base}</h3>
        <span class="estado" data-estado=${status?.state}>
          ${status === null ? (lostAt === null ? 'carregando…' : 'sem contato') : STATES[status.state]}
        </span>
        ${button('Buscas', () => showSearchesOf(base), { 'aria-label': `Ver as buscas mais lentas de ${base} agora` })}
      </div>
      <p class="dados" title=${followed?.file}>${series && dataText(base, series, now)}</p>
      <p class="motivo" hidden=${reason === ''}>${reason}</p>
      <div class="numeros">
        <p class="alcance">${recent && `Últimos ${recent.segundos} s: ${formatCount(recent.pedidos, 'pedido', 'pedidos')} à base`}</p>
        ${percentiles(recent)} ${gauges(recent)} ${counts(recent, now)}
        <p class="pool">${status && poolText(status)}</p>
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

/** Why a base is down, in the console's language; an untranslated detail is quoted. */
function reasonOf(detail: string) {
  const [, what, path] = /^(no base file at|not a regular file:) (.+)$/su.exec(detail) ?? [];
  if (path === undefined) return detail === '' ? '' : `falhou: ${detail}`;
  return `${what === 'no base file at' ? 'o arquivo da base não está lá' : 'não é um arquivo comum'}: ${path}`;
}

function dataText(base: Base, { estados, arquivos, seguidos }: LiveSeries, now: number) {
  const since = (ms: number) => `há ${formatElapsed(now - ms / 1_000)}`;
  const [{ docs, generation }, file, followed] = [estados[base], arquivos[base], seguidos[base]];
  const parts = [
    docs !== null && formatCount(docs, 'decisão', 'decisões'),
    file !== null && formatBytes(file.bytes),
    file !== null && `carregada ${since(file.changedMs)}`,
    generation !== null && `dados nº ${formatWhole(generation)}`,
    followed !== undefined && followedText(followed, since),
  ];
  // Lines break only between the parts.
  return parts.flatMap((part) => (part === false ? [] : [part.replaceAll(' ', '\u{a0}')])).join(' · ');
}

/** `stj-12-9f3a04c1… publicado há 5 min, em dia`; the whole name is in the title. */
function followedText({ file, published_at, state, fault }: FollowedFile, since: (ms: number) => string) {
  if (file === null || published_at === null) return FILE_STATES[state];
  const name = `${file.slice(0, file.lastIndexOf('-') + 9)}…`;
  return `${name} publicado ${since(Date.parse(published_at))}${fault === null ? `, ${FILE_STATES[state]}` : ''}`;
}

function poolText({ threads, threads_busy, threads_left_behind, restarts, waiting }: BaseStatus) {
  const parts = [
    formatCount(threads, 'thread', 'threads'),
    `${threads_busy} em execução`,
    `${waiting} na fila`,
  ];
  if (threads_left_behind > 0) parts.push(`${threads_left_behind} presas`);
  if (restarts > 0) parts.push(formatCount(restarts, 'reinício', 'reinícios'));
  return parts.join(' · ');
}
