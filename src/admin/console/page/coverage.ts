import { get, type Answers } from './api.ts';
import { formatDay, formatMoment, formatWhole, typeName } from './format.ts';
import { byId, html, say, show } from './html.ts';
import { headOf, rowOf, type Column } from './table.ts';

type Report = Answers['cobertura']['bases'][number];
type Years = readonly (readonly [year: number, count: number])[];

interface Scale {
  readonly from: number;
  readonly to: number;
}

/** A histogram's width in units for each year, and its height. */
const YEAR_WIDTH = 10;
const HEIGHT = 40;
/** Maximum number of years named below the histograms. */
const LABELS_MAX = 6;

/** Coverage as published, with every base's decisions by year of judgment. */
export async function loadCoverage() {
  const { bases, anos } = await get('cobertura');
  const missing = bases.filter(({ calculado }) => !calculado).map(({ base }) => base);
  const notice = `Ainda sem cálculo: ${missing.join(', ')}. O primeiro começa cinco minutos depois do início do serviço.`;
  say(byId('cobertura-aviso'), missing.length === 0 ? '' : notice);
  const scale = scaleOf(bases, anos);
  const columns: readonly Column<Report>[] = [
    ['base', '', ({ base }) => base],
    ['decisões', 'numero', ({ total }) => formatWhole(total)],
    [
      'por ano do julgamento',
      'anos',
      (report) => [
        scale && picture(report.base, anos[report.base] ?? [], scale),
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

/** Decisions that no column shows. */
function undated(total: number | undefined, years: Years | undefined) {
  const dated = (years ?? []).reduce((sum, [, count]) => sum + count, 0);
  const text =
    years === undefined
      ? 'os anos vêm com o próximo cálculo'
      : `${formatWhole((total ?? 0) - dated)} sem data`;
  return dated !== total && html`<span class="miudo fraco">${text}</span>`;
}

function period(value: Report['periodo_do_julgamento']) {
  return value?.de ? `${formatDay(value.de)} a ${formatDay(value.ate)}` : 'sem datas';
}

/** The first and the last year of judgment over all bases; null if none. */
function scaleOf(bases: readonly Report[], byBase: Answers['cobertura']['anos']): Scale | null {
  const ends = bases.flatMap(({ periodo_do_julgamento: p }) => [p?.de, p?.ate]);
  const years = [
    ...ends.flatMap((date) => (date ? [Number(date.slice(0, 4))] : [])),
    ...Object.values(byBase).flatMap((counts) => counts.map(([year]) => year)),
  ];
  return years.length === 0 ? null : { from: Math.min(...years), to: Math.max(...years) };
}

/** Round years below the column's heading. */
function ruler({ from, to }: Scale) {
  const count = to - from + 1;
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => count / one <= LABELS_MAX) ?? count;
  const labels = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step)
    labels.push(html`<span style=${{ left: `${((year - from + 0.5) / count) * 100}%` }}>${year}</span>`);
  return html`<div class="escala">${labels}</div>`;
}

function picture(base: string, years: Years, { from, to }: Scale) {
  const end = (to - from + 1) * YEAR_WIDTH;
  const most = Math.max(1, ...years.map(([, count]) => count));
  const columns = years.map(([year, count]) => {
    // Even the smallest year is visible.
    const height = Math.max(1.5, (count / most) * HEIGHT);
    return html`
      <rect x=${(year - from) * YEAR_WIDTH + 1} y=${HEIGHT - height} width=${YEAR_WIDTH - 2} height=${height} class="parte-exec">
        <title>${year}: ${formatWhole(count)}</title>
      </rect>`;
  });
  return html`
    <svg viewBox=${`0 0 ${end} ${HEIGHT}`} preserveAspectRatio="none" class="anos" role="img"
      aria-label=${`${base}: decisões por ano do julgamento`}>
      <line x2=${end} y1=${HEIGHT} y2=${HEIGHT} class="regua" />
      ${columns}
    </svg>`;
}
