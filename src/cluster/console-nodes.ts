import { Elysia } from 'elysia';
import type { Logger } from 'pino';
import { adminErro, adminJson } from '../admin/answer.ts';
import type { AdminPart } from '../admin/app.ts';
import { isNodePlace, readBody } from '../admin/console/body.ts';
import type { NodeReport, NodesReport } from '../admin/console/nodes-report.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { Node, Nodes } from './nodes.ts';
import type { AskParts } from './remote-ask.ts';

interface ConsoleNodesOptions extends Required<Omit<AskParts, 'caller'>> {
  readonly isConnected: () => boolean;
  /** Logs every node that is taken out or put back. */
  readonly log: Pick<Logger, 'info'>;
}

const PLACE = '{"fora": true}';

/** Lists the nodes as this front sees them; takes one out, after a confirmation if a base would be left without a node. */
export function consoleNodesPart(options: ConsoleNodesOptions): AdminPart {
  const { nodes, log } = options;
  return new Elysia()
    .get('/console/api/nos', () => adminJson(200, report(options)))
    .put(
      '/console/api/nos/:nome',
      async ({ request, params }) => {
        const body = await readBody(request, isNodePlace, PLACE);
        if (body instanceof Response) return body;
        const node = nodes.node(params.nome);
        if (node === undefined) return adminErro(404, 'não há este nó; veja GET /console/api/nos');
        const alone = body.fora ? onlyOn(nodes, node) : [];
        if (alone.length > 0 && body.confirmado !== true) return unconfirmed(node.name, alone);
        node.isTakenOut = body.fora;
        log.info({ node: node.name }, body.fora ? 'console: node taken out' : 'console: node put back');
        return adminJson(200, report(options));
      },
      { parse: 'none' },
    );
}

/** Bases that only this node serves. */
function onlyOn(nodes: Nodes, node: Node): readonly Base[] {
  return BASES.filter((base) => {
    const answering = nodes.askableOf(base).filter(({ bases }) => bases.get(base)?.status.state !== 'down');
    return answering.length === 1 && answering[0] === node;
  });
}

/** Explains the effect and how to confirm it; `risco` is the effect alone, for the page's question. */
function unconfirmed(name: string, bases: readonly Base[]): Response {
  const which = bases.length === 1 ? `a base ${bases[0]} ficaria` : `as bases ${bases.join(', ')} ficariam`;
  const risco = `nenhum outro nó responde: sem ${name}, ${which} sem resposta`;
  const how = 'para retirar mesmo assim, envie {"fora": true, "confirmado": true}';
  return adminJson(409, { erro: `${risco}; nada mudou: ${how}`, risco, bases });
}

function report({ nodes, hedges, clock, shown, isConnected }: ConsoleNodesOptions): NodesReport {
  const newest = new Map(BASES.map((base) => [base, Math.max(shown(base), nodes.newest(base))]));
  const now = clock.now();
  const all = nodes.all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    ligado: isConnected(),
    segundas_consultas: hedges.total,
    nos: all.map((node) => describe(node, newest, now)),
  };
}

function describe(node: Node, newest: ReadonlyMap<Base, number>, now: number): NodeReport {
  const seconds = (since: number) => Math.max(0, (now - since) / 1_000);
  return {
    nome: node.name,
    estado: node.isLive ? 'no_ar' : node.isStopping ? 'encerrou' : 'sumiu',
    fora: node.isTakenOut,
    ha_s: seconds(node.changedAt),
    ouvido_ha_s: seconds(node.beatAt),
    em_espera: node.waiting,
    perdidos: node.lost,
    bases: BASES.flatMap((base) => {
      const replica = node.bases.get(base);
      if (replica === undefined) return [];
      const { status, late } = replica;
      return [
        {
          base,
          estado: status.state === 'up' ? 'no_ar' : status.state === 'down' ? 'fora' : 'sem_resposta_ainda',
          versao_dos_dados: status.generation,
          mais_nova: newest.get(base) ?? 0,
          threads: status.threads,
          em_execucao: status.threads_busy,
          na_fila: status.waiting,
          congestionada: late,
        },
      ];
    }),
  };
}

/** `GET /nodes` lists the nodes as this front sees them; `POST /nodes/NAME/out` and `/in` take one out, and put it back. */
export function nodesPart(nodes: Nodes): AdminPart {
  const set = (name: string, isTakenOut: boolean) => {
    const node = nodes.node(name);
    if (node === undefined) return adminErro(404, 'não há este nó; veja GET /nodes');
    node.isTakenOut = isTakenOut;
    return adminJson(200, { nodes: nodes.all.map(stateOf) });
  };
  return new Elysia()
    .get('/nodes', () => adminJson(200, { nodes: nodes.all.map(stateOf) }))
    .post('/nodes/:name/out', ({ params }) => set(params.name, true))
    .post('/nodes/:name/in', ({ params }) => set(params.name, false));
}

function stateOf({ name, isLive, isTakenOut, waiting, lost, bases }: Node): object {
  return {
    name,
    state: isLive ? (isTakenOut ? 'out' : 'live') : 'gone',
    waiting,
    lost,
    bases: Object.fromEntries(
      [...bases].map(([base, { status, late }]) => [
        base,
        { state: status.state, generation: status.generation, decisions: status.docs, late },
      ]),
    ),
  };
}
