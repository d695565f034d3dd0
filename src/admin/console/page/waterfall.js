import { formatNumber, formatWhole } from './format.js';
import { html } from './html.js';
import { headOf } from './table.js';

/** @import { FoundPage, Passo } from './types.d.ts' */

/** @typedef {Pick<FoundPage, 'ms' | 'por_base' | 'passos'>} Search */
/** @typedef {{ end: number, step: number, count: number }} Scale steps of milliseconds, and how far they go. */

const PASSOS = {
  relevancia: 'relevância',
  recentes: 'recentes',
  linhas: 'linhas da página',
  registro: 'registro',
  cobertura: 'cobertura',
  proximos: 'termos próximos',
};
/** @type {Readonly<Record<string, string>>} */
const RESULTADOS = {
  pending: 'ainda rodava',
  abandoned: 'dispensado',
  deadline: 'tempo esgotado',
  overloaded: 'recusado: fila cheia',
  unavailable: 'base fora do ar',
};
/** Ends of a request that took nothing from the search. */
const HARMLESS = new Set(['abandoned', 'pending']);
const PARTES = /** @type {const} */ ([
  ['fila', 'fila'],
  ['exec', 'execução'],
  ['contagem', 'contagem'],
  ['linhas', 'leitura de linhas'],
]);
const WIDTH = 600;
const HEIGHT = 14;
/** Most intervals of the scale. */
const TICKS_MAX = 5;
const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });

/**
 * A legend, and a table of what each base did for a search, on one scale of time.
 * @param {Search} search @param {string} name for screen readers.
 */
export function waterfall({ ms, por_base, passos }, name) {
  const scale = scaleTo(Math.max(ms, 0.1, ...passos.map(endOf)));
  const bases = new Set([...por_base, ...passos].map(({ base }) => base));
  const head = headOf([
    ['base', ''],
    ['passo', ''],
    ['', 'barra', undefined, ruler(scale)],
    ['início', 'numero detalhe'],
    ['fila', 'numero'],
    ['execução', 'numero'],
    ['contagem', 'numero detalhe'],
    ['linhas', 'numero detalhe'],
  ]);
  const rows = [...bases].map((base) => {
    const of = por_base.find((one) => one.base === base);
    const steps = passos.filter((passo) => passo.base === base);
    const heading = html`
      <th scope="rowgroup" class="base" rowspan=${Math.max(1, steps.length)}>
        ${base}<span class="fraco">${of && appliedText(of)}</span>
      </th>`;
    if (steps.length > 0)
      return steps.map((step, at) => stepRow(step, steps[at - 1], at === 0 && heading, scale));
    const why = 'não foi pedida: o serviço estava sobrecarregado';
    return html`<tr class="primeira">${heading}<td colspan="7" class="texto erro">${why}</td></tr>`;
  });
  return html`
    ${legend()}
    <div class="rolagem" tabindex="0" role="region" aria-label=${name}>
      <table class="cascata">
        <caption>Cada pedido a cada base, em ms desde a chegada da busca</caption>
        ${head}
        <tbody>${rows}</tbody>
      </table>
    </div>`;
}

/** @param {Passo} step */
function endOf({ inicio_ms, fila_ms, exec_ms }) {
  return inicio_ms + fila_ms + exec_ms;
}

/** @param {number} longest @returns {Scale} */
function scaleTo(longest) {
  const rough = longest / TICKS_MAX;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((times) => times * power >= rough) ?? 10) * power;
  const count = Math.ceil(longest / step - 1e-9);
  return { end: count * step, step, count };
}

/** @param {Scale} scale */
function ruler({ end, step, count }) {
  const marks = Array.from({ length: count + 1 }, (_, at) => {
    const style = { left: `${((at * step) / end) * 100}%` };
    return at === count
      ? html`<span class="ultima" style=${style}>${plain.format(end)} ms</span>`
      : html`<span style=${style}>${plain.format(at * step)}</span>`;
  });
  return html`<div class="escala">${marks}</div>`;
}

/** The order of a base, and how many decisions it found. @param {Search['por_base'][number]} of */
function appliedText({ ordem_aplicada, encontrados_ate_1000: found, ha_mais_de_1000 }) {
  if (found === undefined) return PASSOS[ordem_aplicada];
  const count = `${formatWhole(found)} ${found === 1 ? 'achada' : 'achadas'}`;
  return `${PASSOS[ordem_aplicada]}, ${ha_mais_de_1000 ? 'mais de ' : ''}${count}`;
}

/**
 * @param {Passo} step @param {Passo | undefined} before @param {unknown} heading of the base, at its first step.
 * @param {Scale} scale
 */
function stepRow(step, before, heading, scale) {
  const isFallBack = step.passo === 'recentes' && before?.passo === 'relevancia';
  return html`
    <tr class=${heading === false ? '' : 'primeira'}>
      ${heading}
      <td class="texto">${isFallBack ? 'recuo a recentes' : PASSOS[step.passo]}${outcomeOf(step)}</td>
      <td class="barra">${bar(step, scale)}</td>
      <td class="numero detalhe">${formatNumber(step.inicio_ms)}</td>
      <td class="numero">${formatNumber(step.fila_ms)}</td>
      <td class="numero">${formatNumber(step.exec_ms)}</td>
      <td class="numero detalhe">${formatNumber(step.contagem_ms)}</td>
      <td class="numero detalhe">${formatNumber(step.linhas_ms)}</td>
    </tr>`;
}

/** How a request ended, where it did not just answer. @param {Passo} step */
function outcomeOf({ do_cache, resultado }) {
  if (do_cache) return html`<span class="desfecho fraco">do cache</span>`;
  if (resultado === 'ok') return null;
  const kind = HARMLESS.has(resultado) ? 'fraco' : 'erro';
  return html`<span class=${`desfecho ${kind}`}>${RESULTADOS[resultado] ?? resultado}</span>`;
}

/** Queue, then run; of the run, counting and reading rows come last. @param {Passo} passo @param {Scale} scale */
function bar(passo, { end, step, count }) {
  const { inicio_ms, fila_ms, exec_ms, contagem_ms, linhas_ms } = passo;
  const toX = (/** @type {number} */ ms) => (ms / end) * WIDTH;
  const lengths = {
    fila: fila_ms,
    exec: Math.max(0, exec_ms - contagem_ms - linhas_ms),
    contagem: Math.min(contagem_ms, exec_ms),
    linhas: Math.min(linhas_ms, exec_ms),
  };
  const ticks = Array.from({ length: count + 1 }, (_, at) => {
    const x = toX(at * step);
    return html`<line x1=${x} x2=${x} y2=${HEIGHT} class="regua" />`;
  });
  let from = inicio_ms;
  const parts = PARTES.map(([part]) => {
    const x = toX(from);
    const width = toX(lengths[part]);
    from += lengths[part];
    return (
      width > 0 &&
      html`
      <rect x=${x} y="2" width=${Math.max(2, width)} height=${HEIGHT - 4} class=${`parte-${part}`} />`
    );
  });
  const name = `de ${formatNumber(inicio_ms)} a ${formatNumber(endOf(passo))} ms`;
  return html`
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" class="barra" role="img" aria-label=${name}>
      ${ticks}${parts}
    </svg>`;
}

function legend() {
  const items = PARTES.map(
    ([part, name]) => html`
      <li>
        <svg width="14" height="10" aria-hidden="true"><rect width="14" height="10" class=${`parte-${part}`} /></svg>
        ${name}
      </li>`,
  );
  return html`<ul class="legenda">${items}</ul>`;
}
