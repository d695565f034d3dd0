import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NODE_SILENT_MS_MAX } from '../../src/cluster/nodes.ts';
import { expectNoUnhandledRejection, expectWithin, msUntil, until } from '../tools/faults/support-poll.ts';
import { Lan, hasNamespaces } from './lan.ts';
import { hasNatsServer } from './nats-server.ts';
import { Load, askAdmin, nodeAt, startProcesses, untilState, type Processes } from './support-cluster.ts';

/** Answers before a fault, and after it. */
const ANSWERS = 40;
/** A host that is gone is found out in 2.5 s; the rest is for a machine that is busy with other things. */
const LONGEST_MS = 2 * NODE_SILENT_MS_MAX;
/** Two pings without an answer, and tries to connect to the servers of the other half; the rest as above. */
const HALVED_MS_MAX = 20_000;
/** As in deploy/cluster/nats.conf. */
const PINGS = 'ping_interval: "5s"\nping_max: 2';

interface OnHosts {
  readonly lan: Lan;
  readonly cluster: Processes;
  readonly stop: () => Promise<void>;
}

/** Each process on another host, on two switches. */
async function startOnHosts(environment: Readonly<Record<string, string>> = {}): Promise<OnHosts> {
  const lan = new Lan([
    ['s1', 'f1', 'n1'],
    ['s2', 's3', 'f2', 'n2'],
  ]);
  const cluster = await startProcesses({ servers: 3, natsExtra: PINGS, lan, environment });
  const stop = async () => {
    try {
      await cluster.stop();
    } finally {
      lan.close();
    }
  };
  return { lan, cluster, stop };
}

describe.skipIf(!hasNatsServer() || !hasNamespaces())('a cluster on separate hosts', () => {
  expectNoUnhandledRejection();
  let lan: Lan;
  let cluster: Processes;
  let stop: OnHosts['stop'];
  beforeAll(async () => {
    ({ lan, cluster, stop } = await startOnHosts());
  });
  afterEach(async () => {
    lan.setCut(false);
    lan.setSilent('n1', false);
    await cluster.untilWhole();
  });
  afterAll(() => stop());

  test('loses nothing, and nothing is late, when the host of a node goes silent; and takes it in again', async () => {
    await expectWithin(LONGEST_MS, async () => {
      await cluster.untilWhole();
      const load = new Load(cluster);
      await load.start();
      await load.more(ANSWERS);
      lan.setSilent('n1', true);
      const goneMs = await msUntil('all fronts know', async () => {
        const seen = await Promise.all(cluster.fronts.map((front) => nodeAt(front, 'n1')));
        return seen.every((node) => node?.state === 'gone');
      });
      await load.more(ANSWERS);
      lan.setSilent('n1', false);
      await cluster.untilWhole();
      await load.more(ANSWERS);
      await load.stop();
      expect([...load.problems]).toEqual([]);
      return Math.max(load.longestMs, goneMs);
    });
  });

  test('goes on in two halves when the network is cut, each with its own nodes, and is one again after that', async () => {
    const [f1, f2] = cluster.fronts;
    if (f1 === undefined || f2 === undefined) throw new Error('no fronts');
    const halves = [
      { front: f1, own: 'n1', other: 'n2' },
      { front: f2, own: 'n2', other: 'n1' },
    ];
    const loads = halves.map(
      ({ front }) => new Load({ fronts: [front], search: (...asked) => cluster.search(...asked) }),
    );
    lan.setCut(true);
    const since = performance.now();
    for (const { front, own, other } of halves) {
      await untilState(front, other, 'gone');
      await untilState(front, own, 'live');
      await until(`${front.name} answers whole`, async () => {
        const { status, body } = await cluster.search(front);
        return status === 200 && body.bases_sem_resposta.length === 0;
      });
    }
    expect(performance.now() - since).toBeLessThan(HALVED_MS_MAX);
    for (const load of loads) await load.start(2);
    for (const load of loads) await load.more(ANSWERS);
    for (const { front, own, other } of halves) {
      expect((await askAdmin(front, '/health/ready')).status).toBe(200);
      const states = [own, other].map(async (node) => (await nodeAt(front, node))?.state);
      expect(await Promise.all(states)).toEqual(['live', 'gone']);
    }
    lan.setCut(false);
    await cluster.untilWhole();
    for (const load of loads) {
      await load.more(ANSWERS);
      await load.stop();
      expect([...load.problems]).toEqual([]);
      expect(load.longestMs).toBeLessThan(LONGEST_MS);
    }
  });
});

const SERVERS = ['s1', 's2', 's3'];
/** A connection is left after two pings without an answer, 2 to 3 s, and made anew at another server; the rest as above. */
const ELSEWHERE_MS_MAX = 8_000;
/** As by default: a search ends within them and 50 ms; the rest as above. */
const WINDOWS = { BASES_RELEVANCE_MS: '1500', BASES_RECENCY_MS: '1000' };
const SEARCH_MS_MAX = 2 * 2_550;

describe.skipIf(!hasNatsServer() || !hasNamespaces())('a cluster of NATS servers on separate hosts', () => {
  expectNoUnhandledRejection();
  let lan: Lan;
  let cluster: Processes;
  let stop: OnHosts['stop'];
  beforeAll(async () => {
    ({ lan, cluster, stop } = await startOnHosts(WINDOWS));
  });
  afterAll(() => stop());

  test.each(SERVERS)(
    'answers in time, names what did not answer, and is soon whole again when the host of %s goes silent',
    async (server) => {
      // The greater part of its bound.
      await expectWithin(1, async () => {
        await cluster.untilWhole();
        const during = new Load(cluster);
        await during.start();
        await during.more(ANSWERS);
        lan.setSilent(server, true);
        const since = performance.now();
        // Whoever was connected there is lost meanwhile.
        await until('its clients have gone to another', () => performance.now() - since > NODE_SILENT_MS_MAX);
        await until('a search at each front is whole', async () => {
          const found = await Promise.all(cluster.fronts.map((front) => cluster.search(front)));
          return found.every(({ status, body }) => status === 200 && body.bases_sem_resposta.length === 0);
        });
        await cluster.untilWhole();
        const elsewhereMs = performance.now() - since;
        await during.stop();
        expect([...during.problems].filter((problem) => !problem.startsWith('without'))).toEqual([]);
        const after = new Load(cluster);
        await after.start();
        await after.more(ANSWERS);
        lan.setSilent(server, false);
        await after.more(ANSWERS);
        await after.stop();
        expect([...after.problems]).toEqual([]);
        for (const front of cluster.fronts)
          await until(`${front.name} counts quotas`, async () =>
            (await (await askAdmin(front, '/metrics')).text()).includes('jurisprudencia_quota_counted 1'),
          );
        return Math.max(elsewhereMs / ELSEWHERE_MS_MAX, during.longestMs / SEARCH_MS_MAX);
      });
    },
  );
});
