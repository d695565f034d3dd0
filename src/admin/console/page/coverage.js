import { get } from './api.js';
import { byId, h, say, svg } from './dom.js';
import { dia, inteiro, momento } from './format.js';

const WIDTH = 400;
const HEIGHT = 26;
const ROWS = [
  ['periodo_do_julgamento', 'parte-exec', 4],
  ['periodo_da_publicacao', 'parte-linhas', 15],
];
const BAR = 7;

/** Coverage as it is published, with the periods of all bases on one line of time. */
export async function loadCoverage() {
  const { bases } = await get('cobertura');
  const missing = bases.filter(({ calculado }) => !calculado).map(({ base }) => base);
  say(
    byId('cobertura-aviso'),
    missing.length === 0
      ? ''
      : `Ainda sem cálculo: ${missing.join(', ')}. O primeiro começa cinco minutos depois do início do serviço.`,
  );
  const scale = scaleOf(bases);
  const head = [
    ['base', ''],
    ['decisões', 'numero'],
    ['julgamento', ''],
    ['publicação', ''],
    [scale === null ? '' : `${scale.from} a ${scale.to}`, 'barra'],
    ['tipos', ''],
    ['calculada em', ''],
  ].map(([name, className]) =>
    h(name === '' ? 'td' : 'th', name === '' ? {} : { scope: 'col', class: className }, name),
  );
  byId('cobertura-tabela').replaceChildren(
    h('caption', {}, 'Na linha do tempo, em cima o julgamento, embaixo a publicação'),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...bases.map((base) => row(base, scale))),
  );
}

function row(
  { base, calculado, total, periodo_do_julgamento, periodo_da_publicacao, tipos, calculado_em },
  scale,
) {
  const name = h('th', { scope: 'row' }, base);
  if (!calculado)
    return h('tr', {}, name, h('td', { colSpan: 6, class: 'texto fraco' }, 'ainda não calculada'));
  const periods = { periodo_do_julgamento, periodo_da_publicacao };
  return h(
    'tr',
    {},
    name,
    h('td', { class: 'numero' }, inteiro(total)),
    h('td', {}, period(periodo_do_julgamento)),
    h('td', {}, period(periodo_da_publicacao)),
    h('td', { class: 'barra' }, scale === null ? '' : line(base, periods, scale)),
    h('td', { class: 'texto' }, (tipos ?? []).join(', ')),
    h('td', {}, momento(calculado_em)),
  );
}

function period(value) {
  return value?.de === undefined || value.de === null ? 'sem datas' : `${dia(value.de)} a ${dia(value.ate)}`;
}

/** Whole years from the first date of any base to the last. */
function scaleOf(bases) {
  const dates = bases
    .flatMap((base) => ROWS.flatMap(([key]) => [base[key]?.de, base[key]?.ate]))
    .filter((date) => typeof date === 'string');
  if (dates.length === 0) return null;
  const years = dates.map((date) => Number(date.slice(0, 4)));
  return { from: Math.min(...years), to: Math.max(...years) + 1 };
}

function line(base, periods, { from, to }) {
  const picture = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    class: 'tempo',
    role: 'img',
    'aria-label': `Períodos de ${base}`,
  });
  const place = (date) => ((yearOf(date) - from) / (to - from)) * WIDTH;
  const step = Math.max(1, Math.ceil((to - from) / 8));
  for (let year = from; year <= to; year += step) {
    const x = place(`${year}-01-01`);
    picture.append(svg('line', { x1: x, x2: x, y1: 0, y2: HEIGHT, class: 'regua' }));
  }
  for (const [key, className, y] of ROWS) {
    const value = periods[key];
    if (typeof value?.de !== 'string' || typeof value.ate !== 'string') continue;
    const x = place(value.de);
    picture.append(
      svg('rect', { x, y, width: Math.max(2, place(value.ate) - x), height: BAR, class: className }),
    );
  }
  return picture;
}

function yearOf(date) {
  const [year, month, day] = date.split('-').map(Number);
  return year + (month - 1) / 12 + (day - 1) / 372;
}
