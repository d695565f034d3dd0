import type { Replica } from '../live-routes.ts';
import { BASES } from './vocabulary.js';
import { formatCount, formatWhole, listed } from './format.ts';
import { byId, html, setText, show } from './html.ts';
import { page } from './state.ts';
import { mark, table, type Column } from './table.ts';

const STATES = { serving: 'atende', starting: 'iniciando', stopping: 'encerrando' };

const COLUMNS: readonly Column<Replica>[] = [
  ['réplica', 'nome', ({ name }) => name],
  ['estado', '', ({ state }) => STATES[state]],
  ['console', '', ({ address }) => html`<a href=${`${address}/console`}>${address}</a>`],
  ['dados', 'texto', dataOf],
];

/** Shows the other replicas, and their data where these differ from the data here. @param replicas null for a single process. */
export function showReplicas(replicas: readonly Replica[] | null) {
  for (const id of ['replicas', 'replicas-atalho']) byId(id).hidden = replicas === null;
  if (replicas === null) return;
  setText(byId('replicas-nota'), `Além desta, ${formatCount(replicas.length, 'réplica', 'réplicas')}.`);
  show('replicas-tabela', table(COLUMNS, replicas, { keyOf: ({ name }) => name, none: 'Nenhuma outra.' }));
}

function dataOf({ bases }: Replica) {
  const down = BASES.filter((base) => bases[base]?.state === 'down');
  const differing = BASES.flatMap((base) => {
    const here = page.series?.estados[base].generation ?? null;
    const there = down.includes(base) ? null : (bases[base]?.generation ?? null);
    const differs = here !== null && there !== null && here !== there;
    return differs ? `${base} nº ${formatWhole(there)}` : [];
  });
  if (down.length + differing.length === 0) return html`<span class="fraco">como aqui</span>`;
  return [
    down.length > 0 && mark('falha', `${listed(down)} fora do ar`),
    differing.length > 0 && mark('aviso', differing.join(', ')),
  ];
}
