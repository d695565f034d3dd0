import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { createBase, type System } from '../../src/system.ts';
import { Broker } from '../../src/cluster/connection.ts';
import { readAsks, type Ask } from '../../src/cluster/messages.ts';
import { firstCells } from '../docs/page.ts';
import { adminApi } from '../admin/support-api.ts';
import { loadLines, type Body } from '../support/service.ts';
import { expectNoUnhandledRejection, expectWithin, msUntil, until } from '../tools/faults/support-poll.ts';
import { brokerSettings, hasNatsServer } from './nats-server.ts';
import { WholeCluster } from './whole-cluster.ts';

const LINES = [...demoLines('stj', 401, DEMO_SEED_DEFAULT)];

/** The metrics of a front, once they have a line. */
async function metricsOf({ adminUrl }: System, line: RegExp): Promise<string> {
  let text = '';
  await until(`the metrics have ${line}`, async () => {
    text = await (await fetch(`${adminUrl}/metrics`)).text();
    return line.test(text);
  });
  return text;
}

describe.skipIf(!hasNatsServer())('a cluster shares', () => {
  expectNoUnhandledRejection();
  let cluster: WholeCluster;
  /** As a console has set it. */
  let relevanceMs = 0;

  beforeAll(async () => {
    cluster = await WholeCluster.start();
    loadLines(cluster.publisherDir, 'stj', LINES.slice(0, 300));
  });
  afterAll(() => cluster.stop());

  test('files: what is published is served by all nodes, and its coverage is the manifest’s', async () => {
    const { out, generation } = await cluster.publish();
    expect(out).toMatch(/^stj: generation \d+ published, 300 decisions, [\d.]+ MB\n$/u);
    await until('both nodes have it', () => cluster.isEverywhere(generation));
    for (const front of cluster.fronts) {
      await until('coverage is known', async () => {
        const response = await fetch(`${front.url}/v1/jurisprudencia/cobertura`);
        const { bases } = (await response.json()) as { bases: { base: string; total?: number }[] };
        return bases.find(({ base }) => base === 'stj')?.total === 300;
      });
    }
  });

  test('keys: one issued anywhere is good everywhere, and one revoked is not, within a second', async () => {
    await expectWithin(1_000, async (at) => {
      const name = at === 0 ? 'ana' : `ana-${at}`;
      const key = await cluster.issueKey(name);
      for (const front of cluster.fronts)
        expect((await cluster.get(front, 'busca?q=dano&tribunal=stj', key)).status).toBe(200);
      expect((await cluster.keys('list')).out).toContain(name);
      await adminApi(cluster.front(1))('POST', `chaves/${name}/revogar`);
      return msUntil('it is refused', async () => {
        const answers = await Promise.all(cluster.fronts.map((front) => cluster.get(front, 'stj:1', key)));
        return answers.every(({ status }) => status === 401);
      });
    });
    expect((await cluster.keys('revoke', 'ana')).err).toContain('already revoked');
    expect((await cluster.keys('issue', 'ana')).exitCode).toBe(0);
    expect((await cluster.keys('issue', 'ana')).err).toContain('there is a key named ana');
  });

  test('traces: the traceparent of a search and of a record goes to the node, and nothing else that is sent as one', async () => {
    const key = await cluster.issueKey('traces');
    const watcher = new Broker(brokerSettings(cluster.nats.url, 'watcher'));
    const seen: Ask[] = [];
    watcher.subscribe('jur.v1.ask.>', (message) => seen.push(...(readAsks(message.string()) ?? [])));
    await (await watcher.ready).flush();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const get = (path: string, sent: string) =>
      fetch(`${cluster.front(0).url}/v1/jurisprudencia/${path}`, {
        headers: { authorization: `Bearer ${key}`, traceparent: sent },
      });
    for (const sent of [traceparent, `${traceparent}-${key}`]) {
      expect((await get('busca?q=recurso&tribunal=stj&limite=50', sent)).status).toBe(200);
      expect((await get('stj:1', sent)).status).toBe(200);
    }
    // A slow one is asked twice, so that their number tells nothing.
    await (await watcher.ready).flush();
    const of = (kind: string) => seen.filter(({ request }) => request.kind === kind);
    for (const kind of ['search', 'read']) {
      expect(of(kind).at(0)?.traceparent).toBe(traceparent);
      expect(of(kind).at(-1)?.traceparent).toBeUndefined();
    }
    await watcher.close();
  });

  test('quotas: a key has as many requests as its quota, whichever front it asks', async () => {
    const breaks = () => cluster.said.filter((line) => line.includes('quotas are not counted')).length;
    let statuses: number[] = [];
    // On a busy machine an answer of the counters may be late, which breaks off the count for a second.
    await until('the counters have answered all the while', async () => {
      for (const front of cluster.fronts) await metricsOf(front, /^jurisprudencia_quota_counted 1$/mu);
      const before = breaks();
      const key = await cluster.issueKey(`bia-${before}`, '--quota', '25');
      const asked = Array.from({ length: 60 }, (_, at) => cluster.get(cluster.front(at), 'stj:1', key));
      statuses = (await Promise.all(asked)).map(({ status }) => status);
      return breaks() === before;
    });
    expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  test('near words: a front names those that its nodes find, in each node’s time', async () => {
    const key = await cluster.issueKey('lia');
    for (const front of cluster.fronts)
      await until('the front names them', async () => {
        const { headers } = await cluster.get(front, 'busca?q=recurzo&tribunal=stj', key);
        return (
          /^recurzo=recurso:\d+/u.test(headers.get('jurisprudencia-termos-proximos') ?? '') &&
          headers.get('jurisprudencia-avisos') === 'PROXIMOS_ACHAM'
        );
      });
  });

  test('settings: one changed in a console holds on the other front, and threads on the nodes', async () => {
    await expectWithin(1_000, async (at) => {
      relevanceMs = 4_321 + at;
      await adminApi(cluster.front(0))('PUT', 'ajustes/stj/relevance_ms', { valor: relevanceMs });
      return msUntil(
        'it holds on the other',
        () => cluster.front(1).tuning.current.stj.relevance_ms === relevanceMs,
      );
    });
    await adminApi(cluster.front(1))('PUT', 'ajustes/stj/threads', { valor: 3, confirmado: true });
    await until('the nodes have as many threads, and all fronts know', () =>
      cluster.fronts.every(
        ({ states, tuning }) => states().stj.threads === 6 && tuning.current.stj.threads === 3,
      ),
    );
  });

  test('settings: nodes take how many expensive searches run at once; the console says which refuse threads', async () => {
    const counts = new Map<string, number>();
    const refusing = (name: string, changeThreads: () => Promise<number>) =>
      cluster.startNode(name, (base, config, parts) => {
        const set = (count: number) => counts.set(name, count);
        Object.defineProperty(parts.expensive, 'atOnce', { set, configurable: true });
        return Object.assign(createBase(base, config, parts), { changeThreads });
      });
    const nodes = [
      await refusing('n3', () => Promise.resolve(2)),
      await refusing('n4', () => Promise.reject(new Error('no memory'))),
    ];
    const put = async (setting: string, valor: number) =>
      (await adminApi(cluster.front(0))('PUT', `ajustes/${setting}`, { valor, confirmado: true })).body;
    await until('the front knows them', async () => (await cluster.generations()).length === 4);
    expect(await put('servico/expensive_at_once', 3)).toMatchObject({ para: 3 });
    await until('both nodes have it', () => ['n3', 'n4'].every((name) => counts.get(name) === 3));
    await until(
      'the other front has it',
      () => cluster.front(1).tuning.valueOf('servico', 'expensive_at_once') === 3,
    );
    const { erro } = await put('stj/threads', 4);
    expect(erro).toMatch(/n3 ficou com 2: as novas threads não iniciaram/u);
    expect(erro).toMatch(/n4 no memory/u);
    expect(erro).not.toMatch(/n[12] /u);
    await until('the others have it', () => cluster.front(0).states().stj.threads >= 8);
    for (const node of nodes) await node.stop();
    expect(await put('stj/threads', 3)).toMatchObject({ para: 3 });
  });

  test('cursors: a page of one front goes on at another, also after a new secret and new decisions', async () => {
    const key = await cluster.issueKey('eva');
    const parameters = { q: 'dano OR recurso OR processo', tribunal: 'stj', limite: '20', ordem: 'recentes' };
    const seen = new Set<string>();
    let cursor: string | null = null;
    let before = 0;
    for (let page = 0; page < 8; page += 1) {
      const body: Body = await cluster.busca(cluster.front(page), key, {
        ...parameters,
        ...(cursor !== null && { cursor }),
      });
      expect([body.erro, body.bases_sem_resposta]).toEqual([undefined, []]);
      for (const { id } of body.itens) seen.add(id);
      expect(seen.size).toBe(before + body.itens.length);
      before = seen.size;
      cursor = body.proximo_cursor;
      if (cursor === null) break;
      if (page === 2) expect((await cluster.keys('rotate-cursor-secret')).exitCode).toBe(0);
      if (page === 4) {
        loadLines(cluster.publisherDir, 'stj', LINES.slice(300, 400));
        await cluster.publish();
      }
    }
    expect(before).toBeGreaterThan(100);
  });

  test('a record that is new is found by all fronts, and one that does not exist by none', async () => {
    const key = await cluster.issueKey('gil');
    loadLines(cluster.publisherDir, 'stj', LINES.slice(400));
    const { generation } = await cluster.publish();
    const found: number[] = [];
    await until('all nodes have it', async () => {
      for (const front of cluster.fronts) found.push((await cluster.get(front, 'stj:401', key)).status);
      return cluster.isEverywhere(generation);
    });
    for (const front of cluster.fronts) found.push((await cluster.get(front, 'stj:401', key)).status);
    // Once it was there it is there.
    expect(found.slice(found.indexOf(200)).every((status) => status === 200)).toBe(true);
    expect(found.every((status) => status === 200 || status === 404)).toBe(true);
    for (const front of cluster.fronts) expect((await cluster.get(front, 'stj:402', key)).status).toBe(404);
  });

  test('metrics: a front has all that its page lists, with each node’s generation, and health names the nodes', async () => {
    const text = await metricsOf(cluster.front(0), /^jurisprudencia_quota_counted 1$/mu);
    const named = firstCells('docs/cluster.md', '## What an operator sees');
    expect(named).toHaveLength(9);
    for (const name of named) expect(text).toMatch(new RegExp(`^${name}(?:\\{| )`, 'mu'));
    const [published] =
      /^jurisprudencia_published_generation\{base="stj"\} (\d+)$/mu.exec(text)?.slice(1) ?? [];
    for (const node of ['n1', 'n2'])
      expect(text).toContain(`jurisprudencia_node_data_generation{node="${node}",base="stj"} ${published}`);
    const { bases, clock } = (await adminApi(cluster.front(0), '/health/')('GET', 'ready')).body;
    expect(clock).toEqual({ skew_seconds: 0, reason: null });
    expect(bases).toMatchObject({ stj: { state: 'up', nodes: { n1: 'up', n2: 'up' } } });
  });

  test('keys on disk: a front starts without the broker, and knows them', async () => {
    const key = await cluster.issueKey('iva');
    const first = await cluster.startFront('f3');
    await until('it finds the nodes', async () => (await cluster.get(first, 'stj:1', key)).status === 200);
    await first.stop();
    await cluster.nats.servers[0]?.kill();
    const again = await cluster.startFront('f3');
    const body = await cluster.busca(again, key, { q: 'dano' });
    expect([body.erro, body.bases_sem_resposta.length]).toEqual([undefined, 6]);
    expect((await cluster.get(again, 'busca?q=dano', 'jur_none')).status).toBe(401);
    const { body: change } = await adminApi(again)('PUT', 'ajustes/stj/relevance_ms', { valor: 4_000 });
    expect(change.erro).toContain('NATS não respondeu');
    await cluster.nats.servers[0]?.start();
    await until('it finds the nodes', async () => (await cluster.get(again, 'stj:1', key)).status === 200);
    await again.stop();
  });

  test('what NATS has lost: fronts give back keys, settings and the secrets of cursors', async () => {
    const key = await cluster.issueKey('ney');
    const parameters = { q: 'dano OR recurso OR processo', tribunal: 'stj', limite: '20' };
    let cursor: string | null = null;
    await until('the front has its connection again', async () => {
      ({ proximo_cursor: cursor } = await cluster.busca(cluster.front(0), key, parameters));
      return cursor !== null;
    });
    await cluster.nats.servers[0]?.kill();
    rmSync(join(cluster.nats.folder, 'store0'), { recursive: true });
    await cluster.nats.servers[0]?.start();
    const watcher = new Broker(brokerSettings(cluster.nats.url, 'watcher'));
    const { streams } = await jetstreamManager(await watcher.ready, { checkAPI: false });
    for (const bucket of ['jur_keys', 'jur_settings', 'jur_secrets'])
      await until(`${bucket} is back`, async () => {
        const { state } = await streams.info(`KV_${bucket}`).catch(() => ({ state: { messages: 0 } }));
        return state.messages > 0;
      });
    await watcher.close();
    const front = await cluster.startFront('f4');
    await until('it finds the nodes', async () => (await cluster.get(front, 'stj:1', key)).status === 200);
    await until('it has the settings', () => front.tuning.current.stj.relevance_ms === relevanceMs);
    const { erro, itens } = await cluster.busca(front, key, { ...parameters, cursor: cursor ?? '' });
    expect([erro, itens.length]).toEqual([undefined, 20]);
    expect((await cluster.keys('revoke', 'ney')).exitCode).toBe(0);
    await front.stop();
  });
});
