import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkedFile } from '../../src/cluster/data/base-link.ts';
import { readManifest, type Manifest } from '../../src/cluster/data/manifest.ts';
import { publishedFolder } from '../../src/cluster/data/published.ts';
import { incomingFolder } from '../../src/cluster/data/pull.ts';
import { basesFolder } from '../../src/index/format/schema.ts';
import { CRASH, run, startScript, type Child } from '../support/run.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';
import { decisions } from '../tools/faults/support-corpus.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { faultFolder } from '../tools/faults/support-service.ts';
import { hasNatsServer } from './nats-server.ts';
import { Load, startProcesses, type Member, type Processes } from './support-cluster.ts';

const ANSWERS = 40;
const NEW_WORD = 'palavraquesoanovatem';
const NEW = [
  ...decisions('stj', 4_000, 91),
  { tipo: 'acordao', chave: 'nova', ementa: `Ementa com ${NEW_WORD}.` },
];

// One cluster and one publication, which nodes go on to fetch from test to test until the last has it taken.
describe.skipIf(!hasNatsServer())('while two nodes fetch a file', () => {
  expectNoUnhandledRejection();
  const publisherDir = temporaryFolder();
  let cluster: Processes;
  let files: Child;
  let line: Line;
  let manifest: Manifest;
  let load: Load;

  beforeAll(async () => {
    faultFolder({}, publisherDir);
    loadLines(publisherDir, 'stj', NEW);
    [cluster, files] = await Promise.all([startProcesses(), startFiles()]);
    line = await Line.to(portOf(files));
    load = new Load(cluster);
    await load.start(2);
    const published = await run('cluster/data/publish-command.ts', ['stj'], {
      NATS_URL: cluster.nats.url,
      DATA_DIR: publisherDir,
      FILES_URL: `http://127.0.0.1:${line.port}`,
    });
    expect([published.exitCode, published.err]).toEqual([0, '']);
    manifest = readManifest(readFileSync(join(publishedFolder(publisherDir), 'stj.json'), 'utf8'))!;
  });
  afterAll(async () => {
    await load?.stop();
    const said = [...cluster.fronts, ...cluster.nodes].map(({ child }) => child.err());
    line.close();
    files.kill('SIGKILL');
    await files.ended;
    await cluster.stop();
    for (const text of said) expect(text).not.toMatch(CRASH);
  });

  async function startFiles(): Promise<Child> {
    const child = startScript('cluster/data/files-command.ts', [], {
      DATA_DIR: publisherDir,
      FILES_PORT: '0',
    });
    await child.says('Ctrl-C');
    return child;
  }

  const incoming = ({ dataDir }: Member): string[] =>
    existsSync(incomingFolder(dataDir)) ? readdirSync(incomingFolder(dataDir)) : [];
  const isFetching = (node: Member): boolean => incoming(node).includes(manifest.file);
  const served = ({ dataDir }: Member): string => linkedFile(dataDir, 'stj')?.name ?? '';
  const found = async (front: Member) => {
    const { body } = await cluster.search(front, { q: NEW_WORD, tribunal: 'stj', limite: '5' });
    return [body.itens.length, body.bases_sem_resposta.length];
  };
  const nodeAt = (at: number): Member => {
    const node = cluster.nodes[at];
    if (node === undefined) throw new Error('no node');
    return node;
  };

  /** Clients see the old file whole. */
  async function expectOldWhole(): Promise<void> {
    await load.more(ANSWERS);
    for (const node of cluster.nodes) expect(served(node)).not.toBe(manifest.file);
    for (const front of cluster.fronts) expect(await found(front)).toEqual([0, 0]);
    expect([...load.problems]).toEqual([]);
  }

  /** @returns whether both nodes have refused the file since. */
  function refusals(why = /base file not taken/u): () => boolean {
    const before = cluster.nodes.map(({ child }) => child.err().length);
    return () => cluster.nodes.every(({ child }, at) => why.test(child.err().slice(before[at])));
  }

  /** Each connection carries no more than a part. */
  async function untilMidway(): Promise<void> {
    const refused = refusals();
    line.connectTo(portOf(files), 'closed');
    // Else a file could be one that its node is about to remove.
    await until('both have given up what they fetched before', refused);
    line.connectTo(portOf(files), 'stuck');
    await until('both are in the middle of it', () => line.isStuck && cluster.nodes.every(isFetching));
  }

  test('one of them is killed: it serves the old one when it is back, and removes what it had', async () => {
    const node = nodeAt(0);
    await untilMidway();
    // From now on nothing comes to it, so what it had is gone only because it was removed.
    line.hold();
    node.child.kill('SIGKILL');
    await node.child.ended;
    expect(incoming(node)).toEqual([manifest.file]);
    await load.more(ANSWERS);
    await node.start();
    await until('it is removed', () => incoming(node).length === 0);
    await cluster.untilWhole();
    await expectOldWhole();
  });

  test('one of them gets SIGTERM: it announces that to all, and ends with a part of the file', async () => {
    const node = nodeAt(1);
    await untilMidway();
    node.child.kill('SIGTERM');
    expect(await node.child.ended).toBe(0);
    await load.more(ANSWERS);
    await node.start();
    await cluster.untilWhole();
    await expectOldWhole();
  });

  test('its publisher is killed: both give up, and the old one is served', async () => {
    await untilMidway();
    const refused = refusals();
    files.kill('SIGKILL');
    await files.ended;
    await until(
      'both have given up, and removed what they had',
      () => refused() && cluster.nodes.every((node) => incoming(node).length === 0),
    );
    await expectOldWhole();
  });

  test('it is cut on its way, and then damaged: both refuse it, and take it whole when it comes', async () => {
    files = await startFiles();
    const whys = { cut: /ECONNRESET|ended after/u, damaged: /is not the one of its list/u };
    for (const how of ['cut', 'damaged'] as const) {
      const refused = refusals(whys[how]);
      line.connectTo(portOf(files), how);
      await until(`both have refused the ${how} one`, refused);
      await expectOldWhole();
    }
    await load.stop();
    line.connectTo(portOf(files));
    await until('both have taken it', () => cluster.nodes.every((node) => served(node) === manifest.file));
    const whole = readFileSync(join(publishedFolder(publisherDir), manifest.file));
    for (const node of cluster.nodes) {
      expect(readFileSync(join(basesFolder(node.dataDir), served(node))).equals(whole)).toBe(true);
      expect(incoming(node)).toEqual([]);
    }
    for (const front of cluster.fronts)
      await until('it is found', async () => (await found(front)).join() === '1,0');
  });
});

function portOf(files: Child): number {
  return Number(/:(\d+)\n/u.exec(files.out())?.[1]);
}

/** What a connection carries before its fault: more than headers and chunk lists, and less than a part of the file. */
const SOUND_BYTES = 100_000;

/** `closed`: it takes no connection; `held`: all are open, and carry nothing. */
type Fault = 'closed' | 'held' | 'stuck' | 'cut' | 'damaged';

/** A line to the publisher. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #target: number;
  #isStuck = false;
  #fault: Fault | null = 'stuck';

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => {
      if (this.#fault === 'closed') client.destroy();
      else this.#carry(client);
    });
  }

  static async to(target: number): Promise<Line> {
    const line = new Line(target);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    line.#server.listen(0, '127.0.0.1', () => {
      resolve(undefined);
    });
    await promise;
    return line;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** From now on it carries nothing. */
  hold(): void {
    this.#fault = 'held';
  }

  /** From now on it carries everything, but for its fault. What was on its way is lost. */
  connectTo(target: number, fault: Fault | null = null): void {
    this.#target = target;
    this.#fault = fault;
    this.#isStuck = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #carry(client: Socket): void {
    const publisher = connect(this.#target, '127.0.0.1');
    for (const [one, other] of [
      [client, publisher],
      [publisher, client],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(publisher);
    let carried = 0;
    publisher.on('data', (bytes) => {
      carried += bytes.length;
      const fault = carried > SOUND_BYTES || this.#fault === 'held' ? this.#fault : null;
      if (fault === 'stuck') this.#isStuck = true;
      else if (fault === 'cut') client.destroy();
      else if (fault !== 'held') client.write(fault === 'damaged' ? damaged(bytes) : bytes);
    });
  }
}

/** Headers stay as they are: without them there is no file to refuse. */
function damaged(bytes: Uint8Array | string): Uint8Array {
  const other = Buffer.from(bytes);
  if (!other.includes('HTTP/1.1')) other[0]! ^= 1;
  return other;
}
