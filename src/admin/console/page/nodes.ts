import type { NodeReport, NodesReport } from '../nodes-report.ts';
import { get, put } from './api.ts';
import { STATES } from './base-panel.ts';
import { confirmed } from './confirm.ts';
import { formatCount, formatElapsed, formatWhole } from './format.ts';
import { act, button, byId, html, setText, show } from './html.ts';
import { mark, numberClass, table, type Column } from './table.ts';

type Replica = NodeReport['bases'][number];

const LIVE = { no_ar: 'no ar', encerrou: 'encerrou', sumiu: 'sem sinal' };

const COLUMNS: readonly Column<NodeReport>[] = [
  ['nó', 'nome', ({ nome }) => nome],
  ['estado', '', stateOf],
  ['último sinal', '', ({ ouvido_ha_s }) => `há ${formatElapsed(ouvido_ha_s)}`],
  ['bases', 'bases-do-no', (node) => (node.bases.length === 0 ? 'nenhuma base' : basesOf(node))],
  ['em espera', 'numero', ({ em_espera }) => formatWhole(em_espera)],
  ['perdidos', ({ perdidos }) => numberClass(perdidos > 0), ({ perdidos }) => formatWhole(perdidos)],
  ['', 'acao', buttonOf],
];

/** @param isLive false for a lost node, whose last report this is. */
const baseColumns = (isLive: boolean): readonly Column<Replica>[] => [
  ['base', '', ({ base }) => base],
  ['dados nº', 'numero', ({ versao_dos_dados }) => formatWhole(versao_dos_dados)],
  ['threads', 'numero', ({ em_execucao, threads }) => `${em_execucao}/${threads}`],
  ['fila', 'numero', ({ na_fila }) => formatWhole(na_fila)],
  ['situação', 'texto', (replica) => conditionOf(replica, isLive)],
];

/** Shows the nodes as this front sees them, with buttons to take them out and put them back. */
export async function loadNodes() {
  showNodes(await get('nos'));
}

function showNodes({ ligado, segundas_consultas, nos }: NodesReport) {
  const live = nos.filter(({ estado, fora }) => estado === 'no_ar' && !fora).length;
  const asked = formatCount(segundas_consultas, 'segunda consulta', 'segundas consultas');
  setText(byId('nos-nota'), `${live} de ${formatCount(nos.length, 'nó atende', 'nós atendem')}; ${asked}.`);
  byId('nos-sem-ligacao').hidden = ligado;
  show('nos-tabela', table(COLUMNS, nos, { keyOf: ({ nome }) => nome, none: 'Nenhum nó deu sinal.' }));
}

function buttonOf({ nome, fora }: NodeReport) {
  return button(fora ? 'Pôr de volta' : 'Retirar', () => place(nome, !fora), {
    class: fora ? '' : 'perigo',
    'data-no': nome,
    'aria-label': fora ? `Pôr de volta o nó ${nome}` : `Retirar o nó ${nome}`,
  });
}

function place(nome: string, fora: boolean) {
  return act(byId('nos-aviso'), async () => {
    const answer = await put<NodesReport>(`nos/${encodeURIComponent(nome)}`, { fora }, (risk) =>
      confirmed(`${risk} Retirar ${nome} mesmo assim?`, 'Retirar'),
    );
    if (answer === null) return 'Nada mudou.';
    showNodes(answer);
    return fora ? `O nó ${nome} foi retirado deste front.` : `O nó ${nome} voltou a este front.`;
  });
}

function stateOf({ estado, fora, ha_s }: NodeReport) {
  const since = `${LIVE[estado]} há ${formatElapsed(ha_s)}`;
  if (!fora)
    return html`<span class="estado" data-estado=${estado === 'no_ar' ? 'no_ar' : 'fora'}>${since}</span>`;
  return html`
    <span class="estado" data-estado="retirado">retirado</span>
    <span class="miudo fraco">${since}</span>`;
}

function basesOf({ nome, estado, bases }: NodeReport) {
  return html`
    <table class="por-base" aria-label=${`Bases de ${nome}`}>
      ${table(baseColumns(estado === 'no_ar'), bases, { keyOf: ({ base }) => base })}
    </table>`;
}

function conditionOf({ estado, versao_dos_dados, mais_nova, congestionada }: Replica, isLive: boolean) {
  const isBehind = (versao_dos_dados ?? 0) < mais_nova;
  if (estado === 'no_ar' && !isBehind && !congestionada)
    return html`<span class="fraco">${isLive ? 'em dia' : 'dito por último'}</span>`;
  return [
    estado !== 'no_ar' && mark(estado === 'fora' ? 'falha' : '', STATES[estado]),
    isBehind && mark('aviso', `atrás do nº ${formatWhole(mais_nova)}`),
    congestionada && mark('aviso', 'congestionada'),
  ];
}
