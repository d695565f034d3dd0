import type { ReplicasReport } from '../part.ts';
import { formatCount, formatWhole, listed } from './format.ts';
import { byId, html, setText, show } from './html.ts';
import { page } from './state.ts';
import { mark, table, type Column } from './table.ts';

type Replica = NonNullable<ReplicasReport['replicas']>[number];

const COLUMNS: readonly Column<Replica>[] = [
  ['réplica', 'nome', ({ nome }) => nome],
  ['estado', '', ({ estado }) => estado],
  ['console', '', ({ endereco }) => html`<a href=${`${endereco}/console`}>${endereco}</a>`],
  ['dados', 'texto', dataOf],
];

/** Shows the other replicas; their data where these differ from the data here. */
export function showReplicas(replicas: readonly Replica[]) {
  setText(byId('replicas-nota'), `Além desta, ${formatCount(replicas.length, 'réplica', 'réplicas')}.`);
  show('replicas-tabela', table(COLUMNS, replicas, { keyOf: ({ nome }) => nome, none: 'Nenhuma outra.' }));
}

function dataOf({ bases }: Replica) {
  const down = bases.filter(({ fora }) => fora).map(({ base }) => base);
  const others = bases.filter(({ base, fora, versao_dos_dados }) => {
    const here = page.files.get(base)?.versao_dos_dados ?? null;
    return !fora && here !== null && versao_dos_dados !== null && here !== versao_dos_dados;
  });
  const differing = others.map(({ base, versao_dos_dados }) => `${base} nº ${formatWhole(versao_dos_dados)}`);
  if (down.length + differing.length === 0) return html`<span class="fraco">como aqui</span>`;
  return [
    down.length > 0 && mark('falha', `${listed(down)} fora do ar`),
    differing.length > 0 && mark('aviso', differing.join(', ')),
  ];
}
