import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASES } from '../../src/contract/vocabulary.ts';
import { CRASH } from '../support/run.ts';
import { expectNoUnhandledRejection, expectWithin, until } from '../tools/faults/support-poll.ts';
import { Traffic } from '../tools/faults/support-traffic.ts';
import { hasNatsServer } from './nats-server.ts';
import { Load, startProcesses, untilState, type Member, type Processes } from './support-cluster.ts';

/** Answers before a fault, and after it: long enough that requests are running when it comes. */
const ANSWERS = 60;
/** A hang is found out in 30 ms, a host that is gone in 2.5 s; the rest is for a machine that is busy with other things. */
const LONGEST_MS = 5_000;

function at(members: readonly Member[], index: number): Member {
  const member = members[index];
  if (member === undefined) throw new Error(`no member ${index}`);
  return member;
}

describe.skipIf(!hasNatsServer())('a cluster with two replicas of each base', () => {
  expectNoUnhandledRejection();
  let cluster: Processes;
  let load: Load;
  let traffic: Traffic;
  beforeAll(async () => {
    cluster = await startProcesses({ servers: 3 });
  });
  afterEach(async () => {
    await cluster.untilWhole();
  });
  afterAll(async () => {
    const said = [...cluster.fronts, ...cluster.nodes].map(({ child }) => child.err());
    await cluster.stop();
    for (const text of said) expect(text).not.toMatch(CRASH);
  });

  async function begin(): Promise<void> {
    load = new Load(cluster);
    await load.start();
    const { key, loaded, ranking } = cluster.data;
    traffic = new Traffic({ url: at(cluster.fronts, 1).url, key, loaded, ranking, searchers: 1, readers: 1 });
    traffic.start();
    await load.more(ANSWERS);
  }
  /** Nothing was lost, nothing was late, and pages and records were right all the while. */
  async function expectWhole(): Promise<void> {
    await load.stop();
    expect(await traffic.stop()).toEqual([]);
    expect([...load.problems]).toEqual([]);
    expect(load.longestMs).toBeLessThan(LONGEST_MS);
  }

  test('loses nothing when a node is killed, and takes it in again', async () => {
    await begin();
    at(cluster.nodes, 0).child.kill('SIGKILL');
    await load.more(4 * ANSWERS);
    await at(cluster.nodes, 0).start();
    await cluster.untilWhole();
    await load.more(ANSWERS);
    await expectWhole();
  });

  test('loses nothing when a node hangs, and takes it in again', async () => {
    await begin();
    at(cluster.nodes, 1).child.kill('SIGSTOP');
    await untilState(at(cluster.fronts, 0), 'n2', 'gone');
    await load.more(ANSWERS);
    at(cluster.nodes, 1).child.kill('SIGCONT');
    await cluster.untilWhole();
    await load.more(ANSWERS);
    await expectWhole();
  });

  test('loses nothing when a node is told to stop', async () => {
    await begin();
    at(cluster.nodes, 0).child.kill('SIGTERM');
    expect(await at(cluster.nodes, 0).child.ended).toBe(0);
    await load.more(ANSWERS);
    await at(cluster.nodes, 0).start();
    await expectWhole();
  });

  test('loses nothing when a node is taken out by the operator, and asks it nothing', async () => {
    await begin();
    for (const front of cluster.fronts) await fetch(`${front.adminUrl}/nodes/n1/out`, { method: 'POST' });
    const run = () => servedBy(at(cluster.nodes, 0));
    await load.more(20);
    const before = await run();
    await load.more(ANSWERS);
    expect(await run()).toBe(before);
    for (const front of cluster.fronts) await fetch(`${front.adminUrl}/nodes/n1/in`, { method: 'POST' });
    await until('it is asked again', async () => (await run()) > before);
    await expectWhole();
  });

  test('loses nothing when one of three NATS servers is killed', async () => {
    load = new Load(cluster);
    await load.start();
    for (const server of cluster.nats.servers) {
      await load.more(ANSWERS);
      await server.kill();
      await load.more(ANSWERS);
      await server.start();
    }
    await load.more(ANSWERS);
    await load.stop();
    expect([...load.problems]).toEqual([]);
    expect(load.longestMs).toBeLessThan(LONGEST_MS);
  });

  test.each([
    ['node', 1_000],
    ['broker', 2_000],
  ] as const)(
    'names every base while no %s is there, at once, and goes on after that',
    async (what, msMax) => {
      const front = at(cluster.fronts, 0);
      const missing = async () => (await cluster.search(front)).body.bases_sem_resposta.length;
      if (what === 'node') for (const { child } of cluster.nodes) child.kill('SIGKILL');
      else await Promise.all(cluster.nats.servers.map((server) => server.kill()));
      await until('all are missed', async () => (await missing()) === 6);
      const { status, body, ms } = await cluster.search(front);
      expect([status, body.itens]).toEqual([200, []]);
      expect(body.bases_sem_resposta).toEqual(BASES.map((base) => ({ base, tempo_esgotado: false })));
      await expectWithin(msMax, async (tries) => (tries === 0 ? ms : (await cluster.search(front)).ms));
      await until(
        'it is not ready',
        async () => (await fetch(`${front.adminUrl}/health/ready`)).status === 503,
      );
      expect((await fetch(`${front.url}/v1/jurisprudencia/cobertura`)).status).toBe(200);
      await Promise.all((what === 'node' ? cluster.nodes : cluster.nats.servers).map((one) => one.start()));
      await until('all answer', async () => (await missing()) === 0);
    },
  );
});

/** Requests to bases that a node has run. */
async function servedBy(node: Member): Promise<number> {
  const text = await (await fetch(`${node.adminUrl}/metrics`)).text();
  return [...text.matchAll(/^jurisprudencia_base_run_seconds_count\S* (\d+)$/gmu)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
