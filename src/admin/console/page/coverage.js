import { get } from './api.js';
import { formatDay, formatMoment, formatWhole, typeName } from './format.js';
import { byId, html, say, show } from './html.js';
import { headOf, rowOf } from './table.js';

/** @import { Column, Coverage } from './types.d.ts' */

/** @typedef {Coverage['bases'][number]} Report of a base. */
/** @typedef {{ from: number, to: number }} Scale the first and the last year. */
/** @typedef {readonly (readonly [year: number, count: number])[]} Years */

/** Units of a histogram for each year, and its height. */
const YEAR_WIDTH = 10;
const HEIGHT = 40;
/** Years of which the line below the histograms names one, at most. */
const LABELS_MAX = 6;

/** Coverage as it is published, with the decisions of each base by their year of judgment. */
export async function loadCoverage() {
  const { bases, anos } = await get('cobertura');
  const missing = bases.filter(({ calculado }) => !calculado).map(({ base }) => base);
  const notice = `Ainda sem cálculo: ${missing.join(', ')}. O primeiro começa cinco minutos depois do início do serviço.`;
  say(byId('cobertura-aviso'), missing.length === 0 ? '' : notice);
  const scale = scaleOf(bases, anos);
  /** @type {readonly Column<Report>[]} */
  const columns = [
    ['base', '', ({ base }) => base],
    ['decisões', 'numero', ({ total }) => formatWhole(total)],
    [
      'por ano do julgamento',
      'anos',
      (report) => [
        scale && picture(report, anos[report.base], scale),
        undated(report.total, anos[report.base]),
      ],
      scale && ruler(scale),
    ],
    ['julgamento', '', ({ periodo_do_julgamento }) => period(periodo_do_julgamento)],
    ['publicação', '', ({ periodo_da_publicacao }) => period(periodo_da_publicacao)],
    ['tipos', 'texto', ({ tipos }) => (tipos ?? []).map(typeName).join(', ')],
    ['calculada em', '', ({ calculado_em }) => formatMoment(calculado_em)],
  ];
  const rows = bases.map((report) =>
    report.calculado
      ? rowOf(columns, report)
      : html`<tr><th scope="row">${report.base}</th><td colspan="6" class="texto fraco">ainda não calculada</td></tr>`,
  );
  show(
    'cobertura-tabela',
    html`
      <caption>As colunas de cada base têm a sua própria altura; os anos são os mesmos para todas</caption>
      ${headOf(columns)}
      <tbody>${rows}</tbody>`,
  );
}

/** Decisions that no column can show. @param {number | undefined} total @param {Years | undefined} years */
function undated(total, years) {
  const dated = (years ?? []).reduce((sum, [, count]) => sum + count, 0);
  const text =
    years === undefined
      ? 'os anos vêm com o próximo cálculo'
      : `${formatWhole((total ?? 0) - dated)} sem data`;
  return dated !== total && html`<span class="miudo fraco">${text}</span>`;
}

/** @param {Report['periodo_do_julgamento']} value */
function period(value) {
  return value?.de ? `${formatDay(value.de)} a ${formatDay(value.ate)}` : 'sem datas';
}

/**
 * The first and the last year of judgment of any base; null without any.
 * @param {readonly Report[]} bases @param {Coverage['anos']} anos
 */
function scaleOf(bases, anos) {
  const ends = bases.flatMap(({ periodo_do_julgamento: p }) => [p?.de, p?.ate]);
  const years = [
    ...ends.flatMap((date) => (date ? [yearOf(date)] : [])),
    ...Object.values(anos).flatMap((counts) => counts.map(([year]) => year)),
  ];
  return years.length === 0 ? null : { from: Math.min(...years), to: Math.max(...years) };
}

/** @param {string} date */
function yearOf(date) {
  return Number(date.slice(0, 4));
}

/** Round years below the heading of the column. @param {Scale} scale */
function ruler({ from, to }) {
  const count = to - from + 1;
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => count / one <= LABELS_MAX) ?? count;
  const labels = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step)
    labels.push(html`<span style=${{ left: `${((year - from + 0.5) / count) * 100}%` }}>${year}</span>`);
  return html`<div class="escala">${labels}</div>`;
}

/**
 * Columns where the years are known; else, from the period alone, one line as long as it.
 * @param {Report} report @param {Years | undefined} years @param {Scale} scale
 */
function picture({ base, periodo_do_julgamento: span }, years, { from, to }) {
  const of = years === undefined ? 'período do julgamento' : 'decisões por ano do julgamento';
  const end = (to - from + 1) * YEAR_WIDTH;
  return html`
    <svg viewBox=${`0 0 ${end} ${HEIGHT}`} preserveAspectRatio="none" class="anos" role="img" aria-label=${`${base}: ${of}`}>
      <line x2=${end} y1=${HEIGHT} y2=${HEIGHT} class="regua" />
      ${years === undefined ? spanOf(span, from) : yearColumns(years, from)}
    </svg>`;
}

/** @param {Report['periodo_do_julgamento']} span @param {number} from */
function spanOf(span, from) {
  if (!span?.de || !span.ate) return null;
  const first = yearOf(span.de);
  const width = (yearOf(span.ate) - first + 1) * YEAR_WIDTH;
  return html`<rect x=${(first - from) * YEAR_WIDTH} y=${HEIGHT - 4} width=${width} height="4" class="parte-fila" />`;
}

/** @param {Years} years @param {number} from */
function yearColumns(years, from) {
  const most = Math.max(1, ...years.map(([, count]) => count));
  return years.map(([year, count]) => {
    // The least year is still seen.
    const height = Math.max(1.5, (count / most) * HEIGHT);
    return html`
      <rect x=${(year - from) * YEAR_WIDTH + 1} y=${HEIGHT - height} width=${YEAR_WIDTH - 2} height=${height} class="parte-exec">
        <title>${year}: ${formatWhole(count)}</title>
      </rect>`;
  });
}
