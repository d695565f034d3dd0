import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Broker } from '../../src/cluster/connection.ts';
import { BUSCA } from '../http/checks.ts';
import { run } from '../support/run.ts';
import { COMUM } from '../tools/faults/support-corpus.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { brokerSettings, hasNatsServer } from './nats-server.ts';
import { askAdmin, startProcesses, type Member, type Processes } from './support-cluster.ts';

const LIMIT = 500;
const BEFORE = 20;
const CLIENTS = 4;
/** A search asks again elsewhere what was under way at the server; the rest is for a machine that is busy. */
const LONGEST_MS = 5_000;

describe.skipIf(!hasNatsServer())('while the leader of the counters is gone', () => {
  expectNoUnhandledRejection();
  let cluster: Processes;
  let key: string;
  beforeAll(async () => {
    cluster = await startProcesses({ servers: 3, fronts: 2, nodes: 1 });
    const issued = await run('keys/command.ts', ['issue', 'ana', '--quota', String(LIMIT)], {
      NATS_URL: cluster.nats.url,
      DATA_DIR: cluster.data.dataDir,
    });
    expect([issued.exitCode, issued.err]).toEqual([0, '']);
    key = issued.out.trim().split('\n').at(-1) ?? '';
  });
  afterAll(() => cluster.stop());

  const search = async (front: Member) => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${front.url}${BUSCA}?q=${COMUM}&limite=1`, { headers });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - startedAt };
  };
  const metric = async (front: Member, name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'mu').exec(await (await askAdmin(front, '/metrics')).text())?.[1]);
  const isCounted = async (front: Member) =>
    (await metric(front, 'jurisprudencia_quota_counted')) === 1 &&
    (await metric(front, 'jurisprudencia_quota_owed_charges')) === 0;

  test('clients are answered in time, and get no more beyond their quota than one front’s part of it', async () => {
    const statuses = new Map<number, number>();
    let longestMs = 0;
    const end = { isReached: false };
    const note = ({ status, ms }: Awaited<ReturnType<typeof search>>) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      longestMs = Math.max(longestMs, ms);
    };
    const granted = () => statuses.get(200) ?? 0;
    const searchOn = async (front: Member) => {
      while (!end.isReached) note(await search(front));
    };
    for (const front of cluster.fronts) {
      await until(`${front.name} knows the key`, async () => {
        const found = await search(front);
        if (found.status !== 401) note(found);
        return found.status !== 401;
      });
    }
    for (let at = 0; at < BEFORE; at += 1) for (const front of cluster.fronts) note(await search(front));
    // Until then the fronts grant their parts by themselves, and there may be no counters to lead.
    for (const front of cluster.fronts) await until('all is counted', () => isCounted(front));
    await killLeader(cluster);
    const clients = Array.from({ length: CLIENTS }, (_, at) => cluster.fronts[at % 2]!).map(searchOn);
    for (const front of cluster.fronts)
      await until(
        'it grants its part',
        async () => (await metric(front, 'jurisprudencia_quota_counted')) === 0,
      );
    const atBreak = granted();
    await until('some were granted meanwhile', () => granted() > atBreak);
    for (const front of cluster.fronts) await until('all is counted', () => isCounted(front));
    await until('the quota is used up', () => granted() >= LIMIT);
    end.isReached = true;
    await Promise.all(clients);
    expect(new Set(statuses.keys())).toEqual(new Set([200, 429]));
    // A front that counts again first does not know yet what the other one has granted: at most half of what remained.
    expect(granted()).toBeLessThanOrEqual(LIMIT + (LIMIT - 2 * BEFORE) / 2);
    expect(longestMs).toBeLessThan(LONGEST_MS);
    for (const front of cluster.fronts) expect((await search(front)).status).toBe(429);
  });
});

async function killLeader({ nats }: Processes): Promise<void> {
  const broker = new Broker(brokerSettings(nats.url, 'test'));
  try {
    const manager = await jetstreamManager(await broker.ready, { checkAPI: false });
    const leader = (await manager.streams.info('jur_quota')).cluster?.leader ?? '';
    await nats.servers[Number(leader.slice(1))]?.kill();
  } finally {
    await broker.close();
  }
}
