import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { connect, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { Broker } from '../../src/cluster/connection.ts';
import { accountsText, makeNkey, type Member } from '../../src/cluster/users.ts';
import { temporaryFolder } from '../support/service.ts';
import { until } from '../tools/faults/support-poll.ts';
import { brokerSettings, startNats, type NatsServers } from './nats-server.ts';

export const MEMBERS: readonly Member[] = [
  ...['f1', 'f2'].map((name) => ({ role: 'front', name }) as const),
  ...['n1', 'n2'].map((name) => ({ role: 'base', name }) as const),
  { role: 'publisher', name: 'publisher' },
  { role: 'operator', name: 'operator' },
];

/** Calls with what comes to these subjects, and never with what the servers refuse. */
export function hear(
  client: NatsConnection,
  subjects: readonly string[],
  onMessage: (message: Msg) => void,
): Subscription[] {
  return subjects.map((subject) =>
    client.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) onMessage(message);
      },
    }),
  );
}

type Made = Member & { readonly user: string };

/** Leaves the secret of a member in the folder. */
function withSecret(folder: string, { role, name }: Member): Made {
  const { seed, user } = makeNkey();
  writeFileSync(join(folder, `${name}.nk`), seed);
  return { role, name, user };
}

function textOf(members: readonly Made[]): string {
  const root = 'jetstream: enabled\n    users: [ { user: root, password: root } ]';
  return accountsText(members).replace('jetstream: enabled', root);
}

/** Real servers with the users of `bun run cluster-users`, and a user who may do everything in the common account. */
export class Guarded {
  readonly nats: NatsServers;
  readonly #folder: string;
  #members: readonly Made[];
  readonly #ends: (() => Promise<unknown>)[] = [];

  private constructor(nats: NatsServers, folder: string, members: readonly Made[]) {
    this.nats = nats;
    this.#folder = folder;
    this.#members = members;
  }

  static async start(): Promise<Guarded> {
    const folder = temporaryFolder();
    const members = MEMBERS.map((member) => withSecret(folder, member));
    const file = join(folder, 'users.conf');
    writeFileSync(file, textOf(members));
    const include = `include ${JSON.stringify(join('..', basename(folder), 'users.conf'))}`;
    return new Guarded(await startNats(1, include), folder, members);
  }

  /** Has the servers know further members, as their operator would. */
  async reload(more: readonly Member[]): Promise<void> {
    this.#members = [...this.#members, ...more.map((member) => withSecret(this.#folder, member))];
    writeFileSync(join(this.#folder, 'users.conf'), textOf(this.#members));
    for (const server of this.nats.servers) server.signal('SIGHUP');
    const name = more.at(-1)?.name ?? '';
    await until('the servers know them', async () => !(await this.broker(name).ready).isClosed());
  }

  /** What a process of this name has in `NATS_CREDS`, `NODE_NAME` and `NATS_URL`. */
  settings(name: string) {
    return { ...brokerSettings(this.nats.url, name), nats_creds: join(this.#folder, `${name}.nk`) };
  }

  broker(name: string): Broker {
    const broker = new Broker(this.settings(name));
    this.#ends.push(() => broker.close());
    return broker;
  }

  /** With the secret of a member, and nothing else of this project. */
  async as(name: string): Promise<NatsConnection> {
    return this.broker(name).ready;
  }

  async root(): Promise<NatsConnection> {
    const root = await connect({ servers: this.nats.url.split(','), user: 'root', pass: 'root' });
    this.#ends.push(() => root.close());
    return root;
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) await end();
    await this.nats.stop();
  }
}
