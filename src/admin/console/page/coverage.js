import { get } from './api.js';
import { byId, h, say, svg } from './dom.js';
import { formatDay, formatMoment, formatWhole } from './format.js';
import { typeName } from './names.js';
import { cell, headOf } from './table.js';

/** Units of a histogram for each year, and its height. */
const YEAR_WIDTH = 10;
const HEIGHT = 40;
/** Years of which the line below the histograms names one, at most. */
const LABELS_MAX = 6;

/** Coverage as it is published, with the decisions of each base by their year of judgment. */
export async function loadCoverage() {
  const { bases, anos } = await get('cobertura');
  const missing = bases.filter(({ calculado }) => !calculado).map(({ base }) => base);
  say(
    byId('cobertura-aviso'),
    missing.length === 0
      ? ''
      : `Ainda sem cálculo: ${missing.join(', ')}. O primeiro começa cinco minutos depois do início do serviço.`,
  );
  const scale = scaleOf(bases, anos);
  const head = headOf([
    ['base'],
    ['decisões', 'numero'],
    ['por ano do julgamento', 'anos'],
    ['julgamento'],
    ['publicação'],
    ['tipos'],
    ['calculada em'],
  ]);
  if (scale !== null) head.querySelector('.anos').append(ruler(scale));
  byId('cobertura-tabela').replaceChildren(
    h('caption', {}, 'As colunas de cada base têm a sua própria altura; os anos são os mesmos para todas'),
    head,
    h('tbody', {}, ...bases.map((base) => row(base, anos[base.base], scale))),
  );
}

function row(report, years, scale) {
  const { base, calculado, total, periodo_do_julgamento, periodo_da_publicacao, tipos, calculado_em } =
    report;
  const name = h('th', { scope: 'row' }, base);
  if (!calculado)
    return h('tr', {}, name, h('td', { colSpan: 6, class: 'texto fraco' }, 'ainda não calculada'));
  return h(
    'tr',
    {},
    name,
    cell('decisões', 'numero', formatWhole(total)),
    cell('por ano', 'anos', scale === null ? '' : picture(report, years, scale), undated(total, years)),
    cell('julgamento', '', period(periodo_do_julgamento)),
    cell('publicação', '', period(periodo_da_publicacao)),
    cell('tipos', 'texto', (tipos ?? []).map(typeName).join(', ')),
    cell('calculada em', '', formatMoment(calculado_em)),
  );
}

/** Decisions that no column can show. */
function undated(total, years) {
  const dated = (years ?? []).reduce((sum, [, count]) => sum + count, 0);
  if (years === undefined) return h('span', { class: 'miudo fraco' }, 'os anos vêm com o próximo cálculo');
  return dated === total
    ? null
    : h('span', { class: 'miudo fraco' }, `${formatWhole(total - dated)} sem data`);
}

function period(value) {
  return value?.de === undefined || value.de === null
    ? 'sem datas'
    : `${formatDay(value.de)} a ${formatDay(value.ate)}`;
}

/** The first and the last year of judgment of any base. */
function scaleOf(bases, anos) {
  const ends = bases.flatMap(({ periodo_do_julgamento: p }) => [p?.de, p?.ate]);
  const years = [
    ...ends.filter((date) => typeof date === 'string').map((date) => Number(date.slice(0, 4))),
    ...Object.values(anos).flatMap((counts) => counts.map(([year]) => year)),
  ];
  return years.length === 0 ? null : { from: Math.min(...years), to: Math.max(...years) };
}

/** Round years below the heading of the column. */
function ruler({ from, to }) {
  const count = to - from + 1;
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => count / one <= LABELS_MAX) ?? count;
  const labels = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) {
    const label = h('span', {}, String(year));
    label.style.left = `${((year - from + 0.5) / count) * 100}%`;
    labels.push(label);
  }
  return h('div', { class: 'escala' }, ...labels);
}

/** Columns where the years are known; else, from the period alone, one line as long as it. */
function picture({ base, periodo_do_julgamento: span }, years, { from, to }) {
  const of = years === undefined ? 'período do julgamento' : 'decisões por ano do julgamento';
  const place = svg('svg', {
    viewBox: `0 0 ${(to - from + 1) * YEAR_WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    class: 'anos',
    role: 'img',
    'aria-label': `${base}: ${of}`,
  });
  const ground = { x1: 0, x2: (to - from + 1) * YEAR_WIDTH, y1: HEIGHT, y2: HEIGHT, class: 'regua' };
  place.append(svg('line', ground));
  if (years === undefined) {
    if (typeof span?.de !== 'string' || typeof span.ate !== 'string') return place;
    const [first, last] = [span.de, span.ate].map((date) => Number(date.slice(0, 4)));
    const width = (last - first + 1) * YEAR_WIDTH;
    place.append(
      svg('rect', { x: (first - from) * YEAR_WIDTH, y: HEIGHT - 4, width, height: 4, class: 'parte-fila' }),
    );
    return place;
  }
  const most = Math.max(1, ...years.map(([, count]) => count));
  for (const [year, count] of years) {
    // The least year is still seen.
    const height = Math.max(1.5, (count / most) * HEIGHT);
    const column = svg('rect', {
      x: (year - from) * YEAR_WIDTH + 1,
      y: HEIGHT - height,
      width: YEAR_WIDTH - 2,
      height,
      class: 'parte-exec',
    });
    column.append(svg('title', {}));
    column.firstChild.textContent = `${year}: ${formatWhole(count)}`;
    place.append(column);
  }
  return place;
}
