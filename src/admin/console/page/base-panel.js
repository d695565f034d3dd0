import { Chart } from './chart.js';
import {
  formatBytes,
  formatCount,
  formatElapsed,
  formatNumber,
  formatPercent,
  formatWhole,
} from './format.js';
import { html } from './html.js';
import { SettingsForm } from './settings-form.js';

/** @import { BaseFile, BaseState, Percentiles, Recent, Shown } from './types.d.ts' */

/** Fewer requests have no p99: it would be the slowest one. */
const P99_REQUESTS_LEAST = 100;
const STATES = { no_ar: 'no ar', fora: 'fora do ar', sem_resposta_ainda: 'ainda sem resposta' };
const PERCENTILES = /** @type {const} */ (['p50', 'p95', 'p99']);
/** Each with its name, and whether any at all is worth a look: an older event only says its age. */
const COUNTS = /** @type {const} */ ([
  ['relevancia', 'por relevância', false],
  ['recentes', 'por recentes', false],
  ['recuos', 'recuos', true],
  ['tempo_esgotado', 'tempo esgotado', true],
  ['recusados', 'recusados', true],
  ['falhas', 'falhas', true],
]);

/** One base: its state and figures, its charts, and its settings. @param {Shown} shown */
export function basePanel(shown) {
  const { base, state, recent, file, isOnNodes, now, isLarge, onResize, onPick } = shown;
  const reason = state?.motivo ?? '';
  const verb = isLarge ? 'Reduzir' : 'Ampliar';
  return html`
    <article key=${base} id=${`painel-${base}`} class=${isLarge ? 'painel grande' : 'painel'}
      aria-labelledby=${`base-${base}`}>
      <div class="titulo">
        <h3 id=${`base-${base}`}>${base}</h3>
        <span class="estado" data-estado=${state?.estado ?? 'desconhecido'}>
          ${state === null ? 'sem contato' : STATES[state.estado]}
        </span>
        <button type="button" class="discreto" aria-label=${`Ver as buscas mais lentas de ${base} agora`}
          onclick=${() => onPick(null)}>Buscas</button>
        <button type="button" class="discreto" aria-expanded=${String(isLarge)} aria-label=${`${verb} ${base}`}
          onclick=${onResize}>${verb}</button>
      </div>
      <p class="dados">${file && fileText(file, now, isOnNodes)}</p>
      <p class="motivo" hidden=${reason === ''}>${reason}</p>
      <div class="numeros">
        <p class="alcance">${recent && `Últimos ${recent.segundos} s: ${formatCount(recent.pedidos, 'pedido', 'pedidos')} à base`}</p>
        ${percentiles(recent)} ${gauges(recent)} ${counts(recent, now)}
        <p class="pool">${state && poolText(state)}</p>
      </div>
      <div class="graficos">
        ${shown.metrics.map((metric) => html`<${Chart} key=${`${metric.id} ${isLarge}`} metric=${metric} ...${shown} />`)}
        <${SettingsForm} ...${shown} />
      </div>
    </article>`;
}

/** @param {Recent | null} recent */
function percentiles(recent) {
  const isFew = recent !== null && recent.pedidos < P99_REQUESTS_LEAST;
  /** @param {string} name @param {Percentiles | undefined} of */
  const row = (name, of) => html`
    <tr>
      <th scope="row">${name}</th>
      ${PERCENTILES.map((one) => html`<td><span class=${one === 'p99' && isFew ? 'fraco' : ''}>${formatNumber(of?.[one])}</span></td>`)}
    </tr>`;
  return html`
    <table class="percentis">
      <thead>
        <tr><td class="canto">ms</td>${PERCENTILES.map((one) => html`<th scope="col">${one}</th>`)}</tr>
      </thead>
      <tbody>${row('execução', recent?.exec)} ${row('fila', recent?.fila)}</tbody>
    </table>`;
}

/**
 * Two of them are rates, because the percentiles cover only requests that reached the base.
 * @param {Recent | null} recent
 */
function gauges(recent) {
  return html`
    <dl class="medidores">
      <div title="pedidos que chegaram à base">
        <dt>à base</dt><dd>${formatNumber(recent?.pedidos_por_s)} /s</dd>
      </div>
      <div title="respostas do cache, sem perguntar à base">
        <dt>do cache</dt><dd>${formatNumber(recent?.guardadas_por_s)} /s</dd>
      </div>
      <div><dt>uso do pool</dt><dd>${formatPercent(recent?.uso ?? null)}</dd></div>
    </dl>`;
}

/**
 * Counts of the latest seconds, and how long ago the latest event was.
 * @param {Recent | null} recent @param {number} now
 */
export function counts(recent, now) {
  /** @type {Partial<Record<string, number | null>>} */
  const latest = recent?.ultimos ?? {};
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

/** @param {BaseFile} file @param {number} now @param {boolean} isOnNodes */
function fileText({ bytes, carregada_em, versao_dos_dados, decisoes }, now, isOnNodes) {
  const parts = [
    decisoes === null ? null : formatCount(decisoes, 'decisão', 'decisões'),
    isOnNodes ? 'nos nós' : null,
    bytes === null ? null : formatBytes(bytes),
    carregada_em === null ? null : `carregada há ${formatElapsed(now - Date.parse(carregada_em) / 1_000)}`,
    versao_dos_dados === null ? null : `dados nº ${formatWhole(versao_dos_dados)}`,
  ];
  // A line breaks between the parts alone.
  return parts.flatMap((part) => (part === null ? [] : [part.replaceAll(' ', '\u{a0}')])).join(' · ');
}

/** @param {BaseState} state */
function poolText({ threads, threads_presas, reinicios, na_fila, em_execucao }) {
  const parts = [
    formatCount(threads, 'thread', 'threads'),
    `${em_execucao} em execução`,
    `${na_fila} na fila`,
  ];
  if (threads_presas > 0) parts.push(`${threads_presas} presas`);
  if (reinicios > 0) parts.push(formatCount(reinicios, 'reinício', 'reinícios'));
  return parts.join(' · ');
}
