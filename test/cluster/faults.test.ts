import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASES } from '../../src/contract/vocabulary.ts';
import { CRASH } from '../support/run.ts';
import { expectNoUnhandledRejection, expectWithin, until } from '../tools/faults/support-poll.ts';
import { Traffic } from '../tools/faults/support-traffic.ts';
import { hasNatsServer } from './nats-server.ts';
import { Load, nodeAt, startProcesses, untilState, type Member, type Processes } from './support-cluster.ts';

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

  /** Nothing is lost and nothing late meanwhile, and pages and records are right. */
  async function expectWhole(fault: () => Promise<void>): Promise<void> {
    await expectWithin(LONGEST_MS, async () => {
      await cluster.untilWhole();
      load = new Load(cluster);
      await load.start();
      const { key, loaded, ranking } = cluster.data;
      const { url } = at(cluster.fronts, 1).child;
      const traffic = new Traffic({ url, key, loaded, ranking, searchers: 1, readers: 1 });
      traffic.start();
      await load.more(ANSWERS);
      await fault();
      await load.more(ANSWERS);
      await load.stop();
      expect(await traffic.stop()).toEqual([]);
      expect([...load.problems]).toEqual([]);
      return load.longestMs;
    });
  }

  test('loses nothing when a node is killed, and takes it in again', () =>
    expectWhole(async () => {
      at(cluster.nodes, 0).child.kill('SIGKILL');
      await load.more(4 * ANSWERS);
      await at(cluster.nodes, 0).start();
      await cluster.untilWhole();
    }));

  test('loses nothing when a node hangs, and takes it in again', () =>
    expectWhole(async () => {
      at(cluster.nodes, 1).child.kill('SIGSTOP');
      await untilState(at(cluster.fronts, 0), 'n2', 'gone');
      await load.more(ANSWERS);
      at(cluster.nodes, 1).child.kill('SIGCONT');
      await cluster.untilWhole();
    }));

  test('loses nothing when a node gets SIGTERM', () =>
    expectWhole(async () => {
      at(cluster.nodes, 0).child.kill('SIGTERM');
      expect(await at(cluster.nodes, 0).child.ended).toBe(0);
      await load.more(ANSWERS);
      await at(cluster.nodes, 0).start();
    }));

  test('loses nothing when a node is taken out by the operator, and asks it nothing', () =>
    expectWhole(async () => {
      const put = async (place: 'in' | 'out') => {
        for (const { child } of cluster.fronts)
          await fetch(`${child.adminUrl}/nodes/n1/${place}`, { method: 'POST' });
      };
      await put('out');
      // Also what another node has answered in its place: that is still run.
      for (const front of cluster.fronts)
        await until('it has answered all', async () => (await nodeAt(front, 'n1'))?.waiting === 0);
      const run = () => servedBy(at(cluster.nodes, 0));
      const before = await run();
      await load.more(ANSWERS);
      expect(await run()).toBe(before);
      await put('in');
      await until('it is asked again', async () => (await run()) > before);
    }));

  test('loses nothing when one of three NATS servers is killed', async () => {
    await expectWithin(LONGEST_MS, async () => {
      await cluster.untilWhole();
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
      return load.longestMs;
    });
  });

  test.each([
    ['node', 1_000],
    ['broker', 2_000],
  ] as const)('names every base while no %s is there, at once, and goes on later', async (what, msMax) => {
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
      async () => (await fetch(`${front.child.adminUrl}/health/ready`)).status === 503,
    );
    expect((await fetch(`${front.child.url}/v1/jurisprudencia/cobertura`)).status).toBe(200);
    await Promise.all((what === 'node' ? cluster.nodes : cluster.nats.servers).map((one) => one.start()));
    await until('all answer', async () => (await missing()) === 0);
  });
});

/** Requests to bases that a node has run. */
async function servedBy(node: Member): Promise<number> {
  const text = await (await fetch(`${node.child.adminUrl}/metrics`)).text();
  return [...text.matchAll(/^jurisprudencia_base_run_seconds_count\S* (\d+)$/gmu)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
