import { h, svg } from './dom.js';
import { formatNumber, formatWhole } from './format.js';
import { headOf } from './table.js';

const PASSOS = {
  relevancia: 'relevância',
  recentes: 'recentes',
  linhas: 'linhas da página',
  registro: 'registro',
  cobertura: 'cobertura',
  proximos: 'termos próximos',
};
const RESULTADOS = {
  pending: 'ainda rodava',
  abandoned: 'dispensado',
  deadline: 'tempo esgotado',
  overloaded: 'recusado: fila cheia',
  unavailable: 'base fora do ar',
};
/** Ends of a request that took nothing from the search. */
const HARMLESS = new Set(['abandoned', 'pending']);
const PARTES = [
  ['fila', 'fila'],
  ['exec', 'execução'],
  ['contagem', 'contagem'],
  ['linhas', 'leitura de linhas'],
];
const WIDTH = 600;
const HEIGHT = 14;
/** Most intervals of the scale. */
const TICKS_MAX = 5;

/**
 * What each base did for a search, on one scale of time.
 * @param search as the service sends it: `ms`, `por_base` and `passos`. @param name for screen readers.
 * @returns a legend and a table.
 */
export function waterfall({ ms, por_base, passos }, name) {
  const ends = passos.map(({ inicio_ms, fila_ms, exec_ms }) => inicio_ms + fila_ms + exec_ms);
  const scale = scaleTo(Math.max(ms, 0.1, ...ends));
  const bases =
    por_base.length > 0 ? por_base : [...new Set(passos.map(({ base }) => base))].map((base) => ({ base }));
  const rows = bases.flatMap((one) =>
    baseRows(
      one,
      passos.filter(({ base }) => base === one.base),
      scale,
    ),
  );
  const head = headOf([
    ['base'],
    ['passo'],
    ['', 'barra'],
    ['início', 'numero detalhe'],
    ['fila', 'numero'],
    ['execução', 'numero'],
    ['contagem', 'numero detalhe'],
    ['linhas', 'numero detalhe'],
  ]);
  head.querySelector('.barra').append(ruler(scale));
  const table = h(
    'table',
    { class: 'cascata' },
    h('caption', {}, 'Cada pedido a cada base, em ms desde a chegada da busca'),
    head,
    h('tbody', {}, ...rows),
  );
  return [legend(), h('div', { class: 'rolagem', tabIndex: 0, role: 'region', 'aria-label': name }, table)];
}

/** Round steps of time, and how far they go. */
function scaleTo(longest) {
  const rough = longest / TICKS_MAX;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough);
  const count = Math.ceil(longest / step - 1e-9);
  return { end: count * step, step, count };
}

function ruler({ end, step, count }) {
  const marks = Array.from({ length: count + 1 }, (_, at) => {
    const last = at === count;
    const mark = h('span', { class: last ? 'ultima' : '' }, `${numeral(at * step)}${last ? ' ms' : ''}`);
    mark.style.left = `${((at * step) / end) * 100}%`;
    return mark;
  });
  return h('div', { class: 'escala' }, ...marks);
}

const plain = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });

function numeral(value) {
  return plain.format(value);
}

function baseRows({ base, ordem_aplicada, encontrados_ate_1000, ha_mais_de_1000 }, steps, scale) {
  const count =
    encontrados_ate_1000 === undefined
      ? null
      : `${ha_mais_de_1000 ? 'mais de ' : ''}${formatWhole(encontrados_ate_1000)} ${encontrados_ate_1000 === 1 ? 'achada' : 'achadas'}`;
  const name = h(
    'th',
    { scope: 'rowgroup', class: 'base', rowSpan: Math.max(1, steps.length) },
    base,
    h('span', { class: 'fraco' }, [PASSOS[ordem_aplicada], count].filter(Boolean).join(', ')),
  );
  if (steps.length === 0) {
    const why = 'não foi pedida: o serviço estava sobrecarregado';
    return [h('tr', { class: 'primeira' }, name, h('td', { colSpan: 7, class: 'texto erro' }, why))];
  }
  return steps.map((step, at) => stepRow(step, steps[at - 1], at === 0 ? name : null, scale));
}

function stepRow(step, before, name, scale) {
  const isFallBack = step.passo === 'recentes' && before?.passo === 'relevancia';
  const end = step.inicio_ms + step.fila_ms + step.exec_ms;
  const title = isFallBack ? 'recuo a recentes' : PASSOS[step.passo];
  return h(
    'tr',
    { class: name === null ? '' : 'primeira' },
    name,
    h('td', { class: 'texto' }, title, outcomeOf(step)),
    h(
      'td',
      { class: 'barra' },
      bar(step, scale, `de ${formatNumber(step.inicio_ms)} a ${formatNumber(end)} ms`),
    ),
    figure(step.inicio_ms, 'detalhe'),
    figure(step.fila_ms),
    figure(step.exec_ms),
    figure(step.contagem_ms, 'detalhe'),
    figure(step.linhas_ms, 'detalhe'),
  );
}

/** How a request ended, where it did not just answer. */
function outcomeOf({ do_cache, resultado }) {
  if (do_cache) return h('span', { class: 'desfecho fraco' }, 'do cache');
  if (resultado === 'ok') return null;
  const mark = HARMLESS.has(resultado) ? 'fraco' : 'erro';
  return h('span', { class: `desfecho ${mark}` }, RESULTADOS[resultado] ?? resultado);
}

function figure(value, className = '') {
  return h('td', { class: `numero ${className}` }, formatNumber(value));
}

/** Queue, then run; of the run, counting and reading rows come last. */
function bar({ inicio_ms, fila_ms, exec_ms, contagem_ms, linhas_ms }, { end, step, count }, name) {
  const own = Math.max(0, exec_ms - contagem_ms - linhas_ms);
  const lengths = {
    fila: fila_ms,
    exec: own,
    contagem: Math.min(contagem_ms, exec_ms),
    linhas: Math.min(linhas_ms, exec_ms),
  };
  const picture = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    class: 'barra',
    role: 'img',
    'aria-label': name,
  });
  for (let tick = 0; tick <= count; tick += 1) {
    const x = ((tick * step) / end) * WIDTH;
    picture.append(svg('line', { x1: x, x2: x, y1: 0, y2: HEIGHT, class: 'regua' }));
  }
  let from = inicio_ms;
  for (const [part] of PARTES) {
    const x = (from / end) * WIDTH;
    const width = (lengths[part] / end) * WIDTH;
    if (width > 0)
      picture.append(
        svg('rect', { x, y: 2, width: Math.max(2, width), height: HEIGHT - 4, class: `parte-${part}` }),
      );
    from += lengths[part];
  }
  return picture;
}

function legend() {
  const items = PARTES.map(([part, name]) =>
    h(
      'li',
      {},
      svg(
        'svg',
        { width: 14, height: 10, 'aria-hidden': 'true' },
        svg('rect', { width: 14, height: 10, class: `parte-${part}` }),
      ),
      name,
    ),
  );
  return h('ul', { class: 'legenda' }, ...items);
}
