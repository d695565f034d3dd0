import { get } from './api.js';
import { byId, h } from './dom.js';
import { inteiro, momento } from './format.js';

const ESTADOS = { atende: 'atende', iniciando: 'iniciando', fora: 'fora' };
const COLUMNS = [
  ['processo', 'numero'],
  ['estado', ''],
  ['pid', 'numero'],
  ['respostas', 'numero'],
  ['memória, MB', 'numero'],
  ['no ar desde', ''],
  ['reinícios', 'numero'],
];
const MB = 1_000_000;

/** The processes that serve, each by itself; nothing where there is only one. */
export async function loadProcesses() {
  const { processos } = await get('processos');
  byId('processos').hidden = processos.length === 0;
  if (processos.length === 0) return;
  const head = COLUMNS.map(([name, className]) => h('th', { scope: 'col', class: className }, name));
  byId('processos-tabela').replaceChildren(
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...processos.map(row)),
  );
}

function row({ processo, pid, estado, desde, reinicios, respostas, memoria_bytes }) {
  return h(
    'tr',
    {},
    h('th', { scope: 'row', class: 'numero' }, inteiro(processo)),
    h('td', {}, ESTADOS[estado] ?? estado),
    h('td', { class: 'numero' }, pid === null ? '–' : String(pid)),
    h('td', { class: 'numero' }, inteiro(respostas)),
    h('td', { class: 'numero' }, inteiro(memoria_bytes === null ? null : memoria_bytes / MB)),
    h('td', {}, momento(desde)),
    h('td', { class: 'numero' }, inteiro(reinicios)),
  );
}
