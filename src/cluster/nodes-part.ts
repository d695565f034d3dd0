import { Elysia } from 'elysia';
import { adminErro, adminJson } from '../admin/answer.ts';
import type { AdminPart } from '../admin/app.ts';
import type { Node, Nodes } from './nodes.ts';

/**
 * A part of a front's admin listener: `GET /nodes` lists the nodes as this front sees them, `POST /nodes/NAME/out` takes
 * one out of its choice, and `POST /nodes/NAME/in` puts it back.
 */
export function nodesPart(nodes: Nodes): AdminPart {
  const set = (name: string, isTakenOut: boolean) => {
    const node = nodes.node(name);
    if (node === undefined) return adminErro(404, 'não há este nó; veja GET /nodes');
    node.isTakenOut = isTakenOut;
    return adminJson(200, { nodes: nodes.all.map(describe) });
  };
  return new Elysia()
    .get('/nodes', () => adminJson(200, { nodes: nodes.all.map(describe) }))
    .post('/nodes/:name/out', ({ params }) => set(params.name, true))
    .post('/nodes/:name/in', ({ params }) => set(params.name, false));
}

function describe({ name, isLive, isTakenOut, waiting, lost, bases }: Node): object {
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
