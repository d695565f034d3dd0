import { get } from './api.js';
import { byId, h, sayFailure, svg } from './dom.js';
import { inteiro, numero } from './format.js';

const PASSOS = {
  relevancia: 'relevância',
  recentes: 'recentes',
  linhas: 'linhas da página',
  registro: 'registro',
  cobertura: 'cobertura',
};
const RESULTADOS = {
  ok: '',
  abandoned: 'dispensado',
  deadline: 'tempo esgotado',
  overloaded: 'recusado: fila cheia',
  unavailable: 'base fora do ar',
  invalid_query: 'consulta não lida',
};
const PARTES = [
  ['fila', 'fila'],
  ['exec', 'execução'],
  ['contagem', 'contagem'],
  ['linhas', 'leitura de linhas'],
];
const WIDTH = 600;
const HEIGHT = 14;
const TICKS = 4;

export function startSearch() {
  const form = byId('busca-form');
  const place = byId('busca-resultado');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search(new FormData(form), place);
  });
}

async function search(data, place) {
  place.replaceChildren(h('p', { class: 'resposta' }, 'Buscando…'));
  try {
    const found = await get(`busca?${new URLSearchParams(data).toString()}`);
    place.replaceChildren(...result(found));
  } catch (error) {
    const answer = h('p', { class: 'resposta' });
    sayFailure(answer, error);
    place.replaceChildren(answer);
  }
}

function result({ ms, itens, por_base, bases_sem_resposta, passos }) {
  const unanswered = bases_sem_resposta.map(
    ({ base, tempo_esgotado }) =>
      `${base} (${tempo_esgotado ? 'tempo esgotado' : 'falhou ou está sobrecarregada'})`,
  );
  const summary = `${inteiro(itens)} itens em ${numero(ms)} ms.${unanswered.length > 0 ? ` Sem resposta: ${unanswered.join(', ')}.` : ''}`;
  const longest = Math.max(ms, 1);
  const rows = por_base.flatMap((one) =>
    baseRows(
      one,
      passos.filter(({ base }) => base === one.base),
      longest,
    ),
  );
  const head = [
    ['base', ''],
    ['passo', ''],
    [`de 0 a ${numero(longest)} ms`, 'barra'],
    ['início', 'numero'],
    ['fila', 'numero'],
    ['execução', 'numero'],
    ['contagem', 'numero'],
    ['linhas', 'numero'],
    ['', ''],
  ].map(([name, className]) =>
    h(name === '' ? 'td' : 'th', name === '' ? {} : { scope: 'col', class: className }, name),
  );
  const table = h(
    'table',
    { class: 'cascata' },
    h('caption', {}, 'Cada pedido a cada base, em ms desde o início da busca'),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...rows),
  );
  return [
    h('p', { class: unanswered.length > 0 ? 'resposta erro' : 'resposta' }, summary),
    legend(),
    h('div', { class: 'rolagem', tabIndex: 0, role: 'region', 'aria-label': 'Cascata da busca' }, table),
  ];
}

function baseRows({ base, ordem_aplicada, encontrados_ate_1000, ha_mais_de_1000 }, steps, longest) {
  const count =
    encontrados_ate_1000 === undefined
      ? ''
      : `, ${ha_mais_de_1000 ? 'mais de ' : ''}${inteiro(encontrados_ate_1000)}`;
  const name = h(
    'th',
    { scope: 'rowgroup', class: 'base', rowSpan: Math.max(1, steps.length) },
    base,
    h('span', { class: 'fraco' }, `${PASSOS[ordem_aplicada]}${count}`),
  );
  if (steps.length === 0) {
    return [
      h(
        'tr',
        { class: 'primeira' },
        name,
        h('td', { colSpan: 8, class: 'texto' }, 'não foi pedida: o serviço estava sobrecarregado'),
      ),
    ];
  }
  return steps.map((step, at) => stepRow(step, steps[at - 1], at === 0 ? name : null, longest));
}

function stepRow(step, before, name, longest) {
  const isFallBack = step.passo === 'recentes' && before?.passo === 'relevancia';
  const end = step.inicio_ms + step.fila_ms + step.exec_ms;
  const figures = [step.inicio_ms, step.fila_ms, step.exec_ms, step.contagem_ms, step.linhas_ms];
  return h(
    'tr',
    { class: name === null ? '' : 'primeira' },
    name,
    h('td', { class: 'texto' }, isFallBack ? 'recuo a recentes' : PASSOS[step.passo]),
    h('td', { class: 'barra' }, bar(step, longest, `de ${numero(step.inicio_ms)} a ${numero(end)} ms`)),
    ...figures.map((figure) => h('td', { class: 'numero' }, numero(figure))),
    h('td', { class: step.resultado === 'ok' ? 'texto' : 'texto erro' }, RESULTADOS[step.resultado]),
  );
}

/** Queue, then run; of the run, counting and reading rows come last. */
function bar({ inicio_ms, fila_ms, exec_ms, contagem_ms, linhas_ms }, longest, name) {
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
  for (let tick = 0; tick <= TICKS; tick += 1) {
    const x = (WIDTH / TICKS) * tick;
    picture.append(svg('line', { x1: x, x2: x, y1: 0, y2: HEIGHT, class: 'regua' }));
  }
  let from = inicio_ms;
  for (const [part] of PARTES) {
    const x = (from / longest) * WIDTH;
    const width = (lengths[part] / longest) * WIDTH;
    if (width > 0)
      picture.append(
        svg('rect', { x, y: 2, width: Math.max(1, width), height: HEIGHT - 4, class: `parte-${part}` }),
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
