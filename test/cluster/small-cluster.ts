import type { BaseStatus } from '../../src/engine/messages.ts';
import type { Bus } from '../../src/cluster/bus.ts';
import { Caller } from '../../src/cluster/caller.ts';
import { HedgeBudget } from '../../src/cluster/hedging.ts';
import { NodeListener, type NodeListenerOptions } from '../../src/cluster/node-listener.ts';
import { Nodes } from '../../src/cluster/nodes.ts';
import { RemoteBase } from '../../src/cluster/remote-base.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import type { AskedBase } from '../../src/engine/base-actor.ts';
import { systemClock, type Clock } from '../../src/clock.ts';

/** What a base of one thread and one decision says of itself. */
export const STATUS_UP: BaseStatus = {
  state: 'up',
  detail: '',
  threads: 1,
  threads_busy: 0,
  threads_left_behind: 0,
  restarts: 0,
  waiting: 0,
  under_way: 0,
  result_cache_bytes: 0,
  generation: 1,
  docs: 1,
  made_up: false,
};

/** What a node asks of a base. */
export type NodeBase = Pick<AskedBase, 'ask' | 'status' | 'isCongestedFor'>;

/** The half of a front that asks nodes. */
export interface SmallFront {
  readonly nodes: Nodes;
  readonly caller: Caller;
  readonly hedges: HedgeBudget;
  base(base: Base): RemoteBase;
  close(): void;
}

export function frontOn(
  bus: Bus,
  clock: Clock = systemClock,
  random: () => number = Math.random,
): SmallFront {
  const hedges = new HedgeBudget();
  const nodes = new Nodes({ bus, clock, random });
  const caller = new Caller({
    bus,
    clock,
    instance: 'test',
    nodes,
    onStrange: (subject) => {
      throw new Error(`not understood: ${subject}`);
    },
  });
  nodes.start();
  caller.start();
  return {
    nodes,
    caller,
    hedges,
    base: (base) => new RemoteBase({ base, clock, nodes, caller, hedges }),
    close: () => {
      nodes.close();
    },
  };
}

/** The listener of a node with these bases. */
export function nodeOn(
  bus: Bus,
  bases: ReadonlyMap<Base, NodeBase>,
  clock: Clock = systemClock,
  more: Partial<NodeListenerOptions> = {},
): NodeListener {
  const onFault = (event: string, detail: object) => {
    throw new Error(`${event} ${JSON.stringify(detail)}`);
  };
  const listener = new NodeListener({ bus, clock, bases, nodeCount: () => 1, onFault, ...more });
  listener.start();
  return listener;
}
