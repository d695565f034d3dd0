import { get } from './api.js';
import { byId, h } from './dom.js';
import { formatMoment, formatWhole } from './format.js';
import { cell, headOf } from './table.js';

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
  byId('processos-tabela').replaceChildren(headOf(COLUMNS), h('tbody', {}, ...processos.map(row)));
}

function row({ processo, pid, estado, desde, reinicios, respostas, memoria_bytes }) {
  return h(
    'tr',
    {},
    h('th', { scope: 'row', class: 'numero' }, formatWhole(processo)),
    cell('estado', '', ESTADOS[estado] ?? estado),
    cell('pid', 'numero', pid === null ? '–' : String(pid)),
    cell('respostas', 'numero', formatWhole(respostas)),
    cell('memória, MB', 'numero', formatWhole(memoria_bytes === null ? null : memoria_bytes / MB)),
    cell('no ar desde', '', formatMoment(desde)),
    cell('reinícios', 'numero', formatWhole(reinicios)),
  );
}
