import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBaseNode, type BaseNode } from '../../src/cluster/base-node.ts';
import { serveFiles } from '../../src/cluster/data/file-server.ts';
import { publishedFolder } from '../../src/cluster/data/published.ts';
import { joinCluster } from '../../src/cluster/front.ts';
import { readConfig } from '../../src/config/config.ts';
import { createBases } from '../../src/index/write/base-file.ts';
import { createLog } from '../../src/observe/log.ts';
import { createBase, startSystem, type System } from '../../src/system.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { run } from '../support/run.ts';
import { AMPLE_WINDOWS, loadLines, temporaryFolder, type Body } from '../support/service.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer, startNats, type NatsServers } from './nats-server.ts';

const LINES = [...demoLines('stj', 600, DEMO_SEED_DEFAULT)];
const log = createLog(process.env['TEST_LOG'] === '1' ? 'info' : 'silent').log;

describe.skipIf(!hasNatsServer())('a cluster shares', () => {
  expectNoUnhandledRejection();
  const folders: string[] = [];
  const ends: (() => Promise<unknown> | void)[] = [];
  let nats: NatsServers;
  let fronts: System[] = [];
  let nodes: BaseNode[] = [];
  let publisher: { dataDir: string; url: string };

  function folder(): string {
    const made = temporaryFolder();
    folders.push(made);
    return made;
  }
  function environment(name: string, role: string, dataDir: string) {
    const ports = { PORT: '0', ADMIN_PORT: '0', FILES_PORT: '0' };
    return { ...ports, ...AMPLE_WINDOWS, ROLE: role, NATS_URL: nats.url, NODE_NAME: name, DATA_DIR: dataDir };
  }
  async function startFront(name: string, dataDir = folder()): Promise<System> {
    const config = readConfig(environment(name, 'front', dataDir));
    return startSystem(config, log, { shared: await joinCluster(config, log) });
  }
  function startNode(name: string): Promise<BaseNode> {
    const config = readConfig({ ...environment(name, 'base', folder()), BASES_SERVED: 'stj' });
    return startBaseNode(config, log, createBase);
  }
  const keys = (...args: string[]) =>
    run('keys/command.ts', args, { NATS_URL: nats.url, DATA_DIR: folder() });
  async function issue(name: string, ...more: string[]): Promise<string> {
    const { out, err, exitCode } = await keys('issue', name, ...more);
    expect([exitCode, err]).toEqual([0, '']);
    return out.trim().split('\n').at(-1) ?? '';
  }
  async function publish(): Promise<string> {
    const script = 'cluster/data/publish-command.ts';
    const { dataDir, url } = publisher;
    const { out, err, exitCode } = await run(script, ['stj'], {
      NATS_URL: nats.url,
      DATA_DIR: dataDir,
      FILES_URL: url,
    });
    expect([exitCode, err]).toEqual([0, '']);
    return out;
  }
  const get = (front: System, path: string, key: string) =>
    fetch(`${front.url}/v1/jurisprudencia/${path}`, { headers: { authorization: `Bearer ${key}` } });
  async function busca(front: System, key: string, parameters: Record<string, string>): Promise<Body> {
    const response = await get(front, `busca?${new URLSearchParams(parameters).toString()}`, key);
    return (await response.json()) as Body;
  }
  async function admin(of: { adminUrl: string }, path: string, method = 'GET', body?: object) {
    const response = await fetch(of.adminUrl + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    return (await response.json()) as Record<string, unknown>;
  }
  const generations = async () => {
    const { nodes: seen } = (await admin(fronts[0]!, '/nodes')) as {
      nodes: { state: string; bases: Record<string, { generation: number | null; state: string }> }[];
    };
    return seen.filter(({ state }) => state === 'live').map(({ bases }) => bases['stj']?.generation ?? null);
  };

  beforeAll(async () => {
    nats = await startNats(1);
    const dataDir = folder();
    createBases(dataDir);
    loadLines(dataDir, 'stj', LINES.slice(0, 300));
    const certificates = { ca: '', cert: '', key: '' };
    const server = serveFiles({ folder: publishedFolder(dataDir), host: '127.0.0.1', port: 0, certificates });
    ends.push(() => server.stop(true));
    publisher = { dataDir, url: `http://127.0.0.1:${server.port}` };
    fronts = await Promise.all(['f1', 'f2'].map((name) => startFront(name)));
    nodes = await Promise.all(['n1', 'n2'].map(startNode));
  });
  afterAll(async () => {
    await Promise.all(fronts.map((front) => front.stop()));
    await Promise.all(nodes.map((node) => node.stop()));
    for (const end of ends) await end();
    await nats.stop();
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  test('files: what is published is served by all nodes, and its coverage is the manifest’s', async () => {
    expect(await publish()).toMatch(/^stj: generation \d+ published, 300 decisions, [\d.]+ MB\n$/u);
    await until('both nodes have it', async () => {
      const seen = await generations();
      return seen.length === 2 && seen.every((generation) => generation !== null && generation > 0);
    });
    for (const front of fronts) {
      await until('coverage is known', async () => {
        const response = await fetch(`${front.url}/v1/jurisprudencia/cobertura`);
        const { bases } = (await response.json()) as { bases: { base: string; total?: number }[] };
        return bases.find(({ base }) => base === 'stj')?.total === 300;
      });
    }
  });

  test('keys: one issued anywhere is good everywhere, and one revoked is not, within a second', async () => {
    const key = await issue('ana');
    for (const front of fronts) expect((await get(front, 'busca?q=dano&tribunal=stj', key)).status).toBe(200);
    const { out } = await keys('list');
    expect(out).toContain('ana');
    await admin(fronts[1]!, '/console/api/chaves/ana/revogar', 'POST');
    const since = performance.now();
    for (const front of fronts)
      await until('it is refused', async () => (await get(front, 'busca?q=dano', key)).status === 401);
    expect(performance.now() - since).toBeLessThan(1_000);
    expect((await keys('revoke', 'ana')).err).toContain('already revoked');
    expect((await keys('issue', 'ana')).exitCode).toBe(0);
    expect((await keys('issue', 'ana')).err).toContain('there is a key named ana');
  });

  test('quotas: a key has as many requests as its quota, whichever front it asks', async () => {
    const key = await issue('bia', '--quota', '25');
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => (await get(fronts[at % 2]!, 'stj:1', key)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(25);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  test('settings: one changed in a console holds on the other front, and threads on the nodes', async () => {
    await admin(fronts[0]!, '/console/api/ajustes/stj/relevance_ms', 'PUT', { valor: 4_321 });
    const since = performance.now();
    await until('it holds on the other', () => fronts[1]!.tuning.current.stj.relevance_ms === 4_321);
    expect(performance.now() - since).toBeLessThan(1_000);
    await admin(fronts[1]!, '/console/api/ajustes/stj/threads', 'PUT', { valor: 3, confirmado: true });
    await until('the nodes have as many threads', async () => {
      const { bases } = (await admin(fronts[0]!, '/health/ready')) as { bases: Record<string, unknown> };
      return bases !== undefined && fronts.every((front) => front.states().stj.threads === 6);
    });
    expect(fronts[0]!.tuning.current.stj.threads).toBe(3);
  });

  test('cursors: a page of one front goes on at another, also after a new secret and new decisions', async () => {
    const key = await issue('eva');
    const parameters = { q: 'dano OR recurso OR processo', tribunal: 'stj', limite: '20', ordem: 'recentes' };
    const whole = new Set<string>();
    let cursor: string | null = null;
    let before = 0;
    for (let page = 0; page < 8; page += 1) {
      const body: Body = await busca(fronts[page % 2]!, key, { ...parameters, ...(cursor && { cursor }) });
      expect([body.erro, body.bases_sem_resposta]).toEqual([undefined, []]);
      for (const { id } of body.itens) whole.add(id);
      expect(whole.size).toBe(before + body.itens.length);
      before = whole.size;
      cursor = body.proximo_cursor;
      if (cursor === null) break;
      if (page === 2) expect((await keys('rotate-cursor-secret')).exitCode).toBe(0);
      if (page === 4) {
        loadLines(publisher.dataDir, 'stj', LINES.slice(300, 400));
        await publish();
      }
    }
    expect(before).toBeGreaterThan(100);
  });

  test('a record that is new is found by all fronts, and one that does not exist by none', async () => {
    const key = await issue('gil');
    const old = Math.max(...(await generations()).map(Number));
    loadLines(publisher.dataDir, 'stj', LINES.slice(400, 401));
    await publish();
    const found: number[] = [];
    await until('all nodes have it', async () => {
      for (const front of fronts) found.push((await get(front, 'stj:401', key)).status);
      return (await generations()).every((generation) => Number(generation) > old);
    });
    // Once it was there it is there.
    expect(found.slice(found.indexOf(200)).every((status) => status === 200)).toBe(true);
    expect(found.every((status) => status === 200 || status === 404)).toBe(true);
    for (const front of fronts) expect((await get(front, 'stj:402', key)).status).toBe(404);
  });

  test('keys on disk: a front starts without the broker, and knows them', async () => {
    const key = await issue('iva');
    const dataDir = folder();
    const first = await startFront('f3', dataDir);
    expect((await get(first, 'stj:1', key)).status).toBe(200);
    await first.stop();
    await nats.servers[0]?.kill();
    const again = await startFront('f3', dataDir);
    expect((await get(again, 'busca?q=dano&tribunal=stj', key)).status).toBe(200);
    expect((await busca(again, key, { q: 'dano' })).bases_sem_resposta).toHaveLength(6);
    expect((await get(again, 'busca?q=dano', 'jur_none')).status).toBe(401);
    await nats.servers[0]?.start();
    await until('it finds the nodes', async () => (await get(again, 'stj:1', key)).status === 200);
    await again.stop();
  });
});
