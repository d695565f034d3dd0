import { get, put } from './api.js';
import { confirmed } from './confirm.js';
import { byId, h, say, sayFailure, setText } from './dom.js';
import { formatCount, formatElapsed, formatWhole } from './format.js';
import { cell, headOf } from './table.js';

const COLUMNS = [
  ['nó'],
  ['estado'],
  ['último sinal'],
  ['bases'],
  ['em espera', 'numero'],
  ['perdidos', 'numero'],
  [''],
];
const BASE_COLUMNS = [
  ['base'],
  ['dados nº', 'numero'],
  ['threads', 'numero'],
  ['fila', 'numero'],
  ['situação'],
];
const LIVE = { no_ar: 'no ar', encerrou: 'encerrou', sumiu: 'sem sinal' };
const STATES = { no_ar: '', fora: 'fora do ar', sem_resposta_ainda: 'ainda sem resposta' };

/** The nodes as this front sees them, in a section of their own. An operator takes them out and puts them back. */
export class Nodes {
  #section = section();
  #link = h('a', { href: '#nos' }, 'Nós');

  constructor() {
    byId('bases').after(this.#section);
    document.querySelector('nav a[href="#bases"]').after(this.#link);
  }

  remove() {
    this.#section.remove();
    this.#link.remove();
  }

  async load() {
    this.#show(await get('nos'));
  }

  #show({ ligado, segundas_consultas, nos }) {
    const live = nos.filter(({ estado, fora }) => estado === 'no_ar' && !fora).length;
    const asked = formatCount(segundas_consultas, 'segunda consulta', 'segundas consultas');
    setText(byId('nos-nota'), `${live} de ${formatCount(nos.length, 'nó atende', 'nós atendem')}; ${asked}.`);
    byId('nos-sem-ligacao').hidden = ligado;
    const none = h('tr', {}, h('td', { colSpan: COLUMNS.length, class: 'texto' }, 'Nenhum nó deu sinal.'));
    // A button that has the focus keeps it: the table is rebuilt every few seconds.
    const focused = document.activeElement?.closest('#nos-tabela')?.contains(document.activeElement)
      ? document.activeElement.dataset.no
      : undefined;
    const rows = nos.map((node) => this.#row(node));
    byId('nos-tabela').replaceChildren(
      headOf(COLUMNS),
      h('tbody', {}, ...(rows.length === 0 ? [none] : rows)),
    );
    if (focused !== undefined) focusOn(focused);
  }

  #row(node) {
    const { nome, fora, ouvido_ha_s, bases, em_espera, perdidos } = node;
    const button = h(
      'button',
      {
        type: 'button',
        class: fora ? 'discreto' : 'discreto perigo',
        'data-no': nome,
        'aria-label': fora ? `Pôr de volta o nó ${nome}` : `Retirar o nó ${nome}`,
        onclick: () => void this.#place(nome, !fora),
      },
      fora ? 'Pôr de volta' : 'Retirar',
    );
    return h(
      'tr',
      {},
      h('th', { scope: 'row', class: 'nome' }, nome),
      cell('estado', '', ...stateOf(node)),
      cell('último sinal', '', `há ${formatElapsed(ouvido_ha_s)}`),
      cell('bases', 'bases-do-no', bases.length === 0 ? 'nenhuma base' : basesOf(node)),
      cell('em espera', 'numero', formatWhole(em_espera)),
      cell('perdidos', perdidos > 0 ? 'numero erro' : 'numero', formatWhole(perdidos)),
      h('td', { class: 'acao' }, button),
    );
  }

  async #place(nome, fora) {
    const place = byId('nos-aviso');
    try {
      const answer = await this.#put(nome, fora);
      if (answer === null) say(place, 'Nada mudou.');
      else {
        this.#show(answer);
        say(place, fora ? `O nó ${nome} foi retirado deste front.` : `O nó ${nome} voltou a este front.`);
      }
    } catch (error) {
      sayFailure(place, error);
    }
    // The dialog gives the focus to a button that may have been rebuilt.
    focusOn(nome);
  }

  /** @returns null where the operator does not confirm it. */
  async #put(nome, fora) {
    const path = `nos/${encodeURIComponent(nome)}`;
    try {
      return await put(path, { fora });
    } catch (error) {
      if (error.risk === null || error.risk === undefined) throw error;
      if (!(await confirmed(`${error.risk} Retirar ${nome} mesmo assim?`, 'Retirar'))) return null;
      return put(path, { fora, confirmado: true });
    }
  }
}

function focusOn(nome) {
  byId('nos-tabela')
    .querySelector(`[data-no="${CSS.escape(nome)}"]`)
    ?.focus();
}

function stateOf({ estado, fora, ha_s }) {
  const since = `${LIVE[estado] ?? estado} há ${formatElapsed(ha_s)}`;
  if (!fora)
    return [h('span', { class: 'estado', 'data-estado': estado === 'no_ar' ? 'no_ar' : 'fora' }, since)];
  return [
    h('span', { class: 'estado', 'data-estado': 'retirado' }, 'retirado'),
    h('span', { class: 'miudo fraco' }, since),
  ];
}

function basesOf({ nome, estado, bases }) {
  return h(
    'table',
    { class: 'por-base', 'aria-label': `Bases de ${nome}` },
    headOf(BASE_COLUMNS),
    h('tbody', {}, ...bases.map((one) => baseRow(one, estado === 'no_ar'))),
  );
}

/** Of a node that is gone, what it said last. */
function baseRow(of, isLive) {
  const { base, estado, versao_dos_dados, mais_nova, threads, em_execucao, na_fila, congestionada } = of;
  const isBehind = (versao_dos_dados ?? 0) < mais_nova;
  const marks = [
    estado === 'no_ar' ? null : mark(estado === 'fora' ? 'falha' : '', STATES[estado] ?? estado),
    isBehind ? mark('aviso', `atrás do nº ${formatWhole(mais_nova)}`) : null,
    congestionada ? mark('aviso', 'congestionada') : null,
  ].filter((one) => one !== null);
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, base),
    h('td', { class: 'numero' }, formatWhole(versao_dos_dados)),
    h('td', { class: 'numero' }, `${em_execucao}/${threads}`),
    h('td', { class: 'numero' }, formatWhole(na_fila)),
    h(
      'td',
      { class: 'texto' },
      ...(marks.length === 0
        ? [h('span', { class: 'fraco' }, isLive ? 'em dia' : 'dito por último')]
        : marks),
    ),
  );
}

function mark(kind, text) {
  return h('span', { class: 'marca', 'data-marca': kind }, text);
}

function section() {
  return h(
    'section',
    { id: 'nos', 'aria-labelledby': 'nos-h', tabIndex: -1 },
    h(
      'div',
      { class: 'cabeca' },
      h('h2', { id: 'nos-h' }, 'Nós'),
      h('span', { id: 'nos-nota', class: 'fraco' }),
    ),
    h(
      'p',
      { id: 'nos-sem-ligacao', class: 'resposta erro', role: 'status', hidden: true },
      'Este front não está ligado ao NATS: o que está aqui é o que se sabia antes.',
    ),
    h('p', { id: 'nos-aviso', class: 'resposta', role: 'status' }),
    h(
      'div',
      { class: 'rolagem', tabIndex: 0, role: 'region', 'aria-labelledby': 'nos-h' },
      h('table', { id: 'nos-tabela', class: 'empilha' }),
    ),
    h(
      'p',
      { class: 'nota' },
      'Como este front os vê. Em espera: pedidos deste front que o nó ainda não respondeu. Perdidos: os que perdeu para ',
      'outro nó desde a sua última resposta. Segunda consulta: um pedido que foi também a outro nó, porque o primeiro ',
      'demorava. Threads: em uso e ao todo. Retirar um nó vale neste front, até ele reiniciar; o nó continua no ar para os outros.',
    ),
  );
}
