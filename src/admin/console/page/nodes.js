import { get, put } from './api.js';
import { confirmed } from './confirm.js';
import { formatCount, formatElapsed, formatWhole } from './format.js';
import { byId, html, say, sayFailure, setText, show } from './html.js';
import { mark, table } from './table.js';

/** @import { Answers, Column, Node } from './types.d.ts' */

/** @typedef {Node['bases'][number]} Replica */

const LIVE = { no_ar: 'no ar', encerrou: 'encerrou', sumiu: 'sem sinal' };
const STATES = { no_ar: '', fora: 'fora do ar', sem_resposta_ainda: 'ainda sem resposta' };

/** @type {readonly Column<Node>[]} */
const COLUMNS = [
  ['nó', 'nome', ({ nome }) => nome],
  ['estado', '', stateOf],
  ['último sinal', '', ({ ouvido_ha_s }) => `há ${formatElapsed(ouvido_ha_s)}`],
  ['bases', 'bases-do-no', (node) => (node.bases.length === 0 ? 'nenhuma base' : basesOf(node))],
  ['em espera', 'numero', ({ em_espera }) => formatWhole(em_espera)],
  [
    'perdidos',
    ({ perdidos }) => (perdidos > 0 ? 'numero erro' : 'numero'),
    ({ perdidos }) => formatWhole(perdidos),
  ],
  ['', 'acao', buttonOf],
];

/** Of a node that is gone, what it said last. @type {(isLive: boolean) => readonly Column<Replica>[]} */
const baseColumns = (isLive) => [
  ['base', '', ({ base }) => base],
  ['dados nº', 'numero', ({ versao_dos_dados }) => formatWhole(versao_dos_dados)],
  ['threads', 'numero', ({ em_execucao, threads }) => `${em_execucao}/${threads}`],
  ['fila', 'numero', ({ na_fila }) => formatWhole(na_fila)],
  ['situação', 'texto', (replica) => conditionOf(replica, isLive)],
];

/** Shows the nodes as this front sees them; an operator takes them out and puts them back. */
export async function loadNodes() {
  showNodes(await get('nos'));
}

/** @param {Answers['nos']} report */
function showNodes({ ligado, segundas_consultas, nos }) {
  const live = nos.filter(({ estado, fora }) => estado === 'no_ar' && !fora).length;
  const asked = formatCount(segundas_consultas, 'segunda consulta', 'segundas consultas');
  setText(byId('nos-nota'), `${live} de ${formatCount(nos.length, 'nó atende', 'nós atendem')}; ${asked}.`);
  byId('nos-sem-ligacao').hidden = ligado;
  show('nos-tabela', table(COLUMNS, nos, { keyOf: ({ nome }) => nome, none: 'Nenhum nó deu sinal.' }));
}

/** @param {Node} node */
function buttonOf({ nome, fora }) {
  return html`
    <button type="button" class=${fora ? 'discreto' : 'discreto perigo'} data-no=${nome}
      aria-label=${fora ? `Pôr de volta o nó ${nome}` : `Retirar o nó ${nome}`}
      onclick=${() => void place(nome, !fora)}>${fora ? 'Pôr de volta' : 'Retirar'}</button>`;
}

/** @param {string} nome @param {boolean} fora */
async function place(nome, fora) {
  const told = byId('nos-aviso');
  try {
    /** @type {Answers['nos'] | null} */
    const answer = await put(`nos/${encodeURIComponent(nome)}`, { fora }, (risk) =>
      confirmed(`${risk} Retirar ${nome} mesmo assim?`, 'Retirar'),
    );
    if (answer === null) say(told, 'Nada mudou.');
    else {
      showNodes(answer);
      say(told, fora ? `O nó ${nome} foi retirado deste front.` : `O nó ${nome} voltou a este front.`);
    }
  } catch (error) {
    sayFailure(told, error);
  }
}

/** @param {Node} node */
function stateOf({ estado, fora, ha_s }) {
  const since = `${LIVE[estado]} há ${formatElapsed(ha_s)}`;
  if (!fora)
    return html`<span class="estado" data-estado=${estado === 'no_ar' ? 'no_ar' : 'fora'}>${since}</span>`;
  return html`
    <span class="estado" data-estado="retirado">retirado</span>
    <span class="miudo fraco">${since}</span>`;
}

/** @param {Node} node */
function basesOf({ nome, estado, bases }) {
  return html`
    <table class="por-base" aria-label=${`Bases de ${nome}`}>
      ${table(baseColumns(estado === 'no_ar'), bases, { keyOf: ({ base }) => base })}
    </table>`;
}

/** @param {Replica} replica @param {boolean} isLive */
function conditionOf({ estado, versao_dos_dados, mais_nova, congestionada }, isLive) {
  const isBehind = (versao_dos_dados ?? 0) < mais_nova;
  if (estado === 'no_ar' && !isBehind && !congestionada)
    return html`<span class="fraco">${isLive ? 'em dia' : 'dito por último'}</span>`;
  return [
    estado !== 'no_ar' && mark(estado === 'fora' ? 'falha' : '', STATES[estado]),
    isBehind && mark('aviso', `atrás do nº ${formatWhole(mais_nova)}`),
    congestionada && mark('aviso', 'congestionada'),
  ];
}
