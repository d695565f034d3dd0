import type { ProcessReport } from '../part.ts';
import { get } from './api.ts';
import { formatMoment, formatWhole } from './format.ts';
import { byId, show } from './html.ts';
import { table, type Column } from './table.ts';

const COLUMNS: readonly Column<ProcessReport>[] = [
  ['processo', 'numero', ({ processo }) => formatWhole(processo)],
  ['estado', '', ({ estado }) => estado],
  ['pid', 'numero', ({ pid }) => pid ?? '–'],
  ['respostas', 'numero', ({ respostas }) => formatWhole(respostas)],
  ['memória, MB', 'numero', ({ memoria_bytes }) => formatWhole(memoria_bytes && memoria_bytes / 1e6)],
  ['no ar desde', '', ({ desde }) => formatMoment(desde)],
  ['reinícios', 'numero', ({ reinicios }) => formatWhole(reinicios)],
];

/** A table of the serving processes; nothing if there is only one. */
export async function loadProcesses() {
  const { processos } = await get('processos');
  byId('processos').hidden = processos.length === 0;
  show('processos-tabela', table(COLUMNS, processos, { keyOf: ({ processo }) => processo }));
}
