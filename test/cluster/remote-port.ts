import { Broker } from '../../src/cluster/connection.ts';
import type { Bus } from '../../src/cluster/bus.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import { BaseActor } from '../../src/engine/base-actor.ts';
import { systemClock } from '../../src/clock.ts';
import type { BaseReply, BaseRequest } from '../../src/engine/messages.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { ThreadPort } from '../../src/engine/thread-port.ts';
import type { BasePort } from '../../src/engine/port.ts';
import { until } from '../tools/faults/support-poll.ts';
import { LocalBroker } from './local-bus.ts';
import { brokerSettings, startNats, type NatsServers } from './nats-server.ts';
import { frontOn, nodeOn, type SmallFront } from './small-cluster.ts';

interface Ends {
  readonly front: Bus;
  readonly node: Bus;
  close(): Promise<void>;
}

/** A front and a node, for the suite of what answers for a base. */
class RemotePort implements BasePort {
  readonly #base: Base;
  readonly #open: Promise<{ readonly front: SmallFront; close(): Promise<void> }>;

  constructor(file: string, base: Base, connect: () => Promise<Ends>) {
    this.#base = base;
    this.#open = this.#start(file, connect);
  }

  async run(batch: readonly BaseRequest[]): Promise<readonly Outcome<BaseReply>[]> {
    const { front } = await this.#open;
    const base = front.base(this.#base);
    return Promise.all(batch.map(({ budget_ms, ...request }) => base.ask(request, budget_ms)));
  }

  async close(): Promise<void> {
    await (await this.#open).close();
  }

  async #start(file: string, connect: () => Promise<Ends>) {
    const ends = await connect();
    const base = this.#base;
    const actor = new BaseActor({
      base,
      port: new ThreadPort({ file, base, threads: 2 }),
      clock: systemClock,
      threads: 2,
      queueMax: 100,
      resultCacheMb: 1,
      onState: () => undefined,
    });
    const front = frontOn(ends.front);
    const node = nodeOn(ends.node, new Map([[base, actor]]));
    await until('the front knows the node', () => front.nodes.liveOf(base).length === 1);
    return {
      front,
      close: async () => {
        node.close();
        front.close();
        await ends.close();
        await actor.close();
      },
    };
  }
}

/** Over a broker in this process. */
export function overLocalBus(file: string, base: Base): BasePort {
  return new RemotePort(file, base, () => {
    const broker = new LocalBroker();
    const [front, node] = [broker.join('f'), broker.join('n')];
    return Promise.resolve({ front, node, close: () => Promise.resolve() });
  });
}

/** Over a real nats-server. */
export function overNats(file: string, base: Base): BasePort {
  return new RemotePort(file, base, async () => {
    const nats: NatsServers = await startNats();
    const [front, node] = ['f', 'n'].map((name) => new Broker(brokerSettings(nats.url, name)));
    if (front === undefined || node === undefined) throw new Error('no connection');
    await Promise.all([front.ready, node.ready]);
    return {
      front,
      node,
      close: async () => {
        await Promise.all([front.close(), node.close()]);
        await nats.stop();
      },
    };
  });
}
