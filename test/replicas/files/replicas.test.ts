import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNeeded } from '../../support/needed.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { issueKey } from '../../../src/keys/store.ts';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { run, startProgram, startScript, type Child } from '../../support/run.ts';
import { swapped } from '../../support/swapped.ts';
import { until } from '../../tools/faults/support-poll.ts';
import { cursorSecret } from '../../../src/start/secret.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WALKS = 12;
const DECISIONS = 60;

interface Replica {
  readonly dataDir: string;
  readonly start: () => Promise<void>;
  child: Child;
  url: string;
  adminPort: string;
}

// Two replicas behind HAProxy, with the configuration that is shipped, over published files.
describe.skipIf(!hasNeeded('haproxy', Bun.which('haproxy') !== null))('two replicas behind HAProxy', () => {
  const [load, place] = [temporaryFolder(), temporaryFolder()];
  const replicas: Replica[] = [];
  let balancer: Child;
  let url: string;
  let key: string;
  let added = 0;

  beforeAll(async () => {
    key = issueKey(load, 'teste', null, new Date());
    cursorSecret(load);
    await publish(DECISIONS);
    replicas.push(await replica(), await replica());
    const port = freePort();
    url = `http://127.0.0.1:${port}`;
    const shipped = readFileSync(join(ROOT, 'deploy/replicas/haproxy.cfg'), 'utf8');
    const config = join(temporaryFolder(), 'haproxy.cfg');
    // What a stopped replica holds is asked of the other because checks fail, long before this.
    writeFileSync(config, swapped(shipped, [['timeout server 3s', 'timeout server 600s']]));
    balancer = startProgram(['haproxy', '-db', '-f', config], {
      environment: {
        BALANCER_ADDRESS: `127.0.0.1:${port}`,
        REPLICA_ONE: new URL(replicas[0]!.url).host,
        REPLICA_TWO: new URL(replicas[1]!.url).host,
        ADMIN_PORT_ONE: replicas[0]!.adminPort,
        ADMIN_PORT_TWO: replicas[1]!.adminPort,
      },
    });
    await until(
      'HAProxy answered',
      async () => (await get('/v1/jurisprudencia/cobertura').catch(() => null))?.status === 200,
    );
  });
  afterAll(async () => {
    await Promise.all([balancer?.stop(), ...replicas.map(({ child }) => child.stop())]);
  });

  async function publish(decisions: number): Promise<void> {
    const lines = Array.from({ length: decisions }, (_, at) => ({
      tipo: 'acordao',
      chave: `d${added + at}`,
      ementa: `Dano moral número ${added + at}.`,
      data_julgamento: '2024-03-01',
    }));
    added += decisions;
    loadLines(load, 'stj', lines);
    const { exitCode, err } = await run('replicas/files/command.ts', ['stj', '--to', place], {
      DATA_DIR: load,
    });
    expect([exitCode, err]).toEqual([0, '']);
  }

  async function replica(): Promise<Replica> {
    const dataDir = temporaryFolder();
    for (const name of ['keys', 'cursor-secret'])
      cpSync(join(load, name), join(dataDir, name), { recursive: true });
    const [port, adminPort] = [String(freePort()), String(freePort())];
    const one: Replica = {
      dataDir,
      url: `http://127.0.0.1:${port}`,
      adminPort,
      child: null as never,
      start: async () => {
        one.child = startScript('main.ts', [], {
          DATA_DIR: dataDir,
          PORT: port,
          ADMIN_PORT: adminPort,
          BASES_URL: place,
        });
        await until('it had the base', async () => {
          const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => null);
          return response?.status === 200;
        });
      },
    };
    await one.start();
    return one;
  }

  const get = (path: string, to = url, ms = 30_000) =>
    fetch(to + path, { headers: { authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(ms) });

  interface Page {
    itens: { id: string }[];
    bases_sem_resposta: unknown[];
    proximo_cursor: string | null;
  }

  /** Walks all pages. A base that does not answer is asked again with the same cursor. @returns the ids in order. */
  async function walk(): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let pages = 0; pages < 500; pages += 1) {
      const parameters = new URLSearchParams({ q: 'dano', tribunal: 'stj', limite: '7', ordem: 'recentes' });
      if (cursor !== null) parameters.set('cursor', cursor);
      const response = await get(`/v1/jurisprudencia/busca?${String(parameters)}`);
      expect(response.status).toBe(200);
      const page = (await response.json()) as Page;
      if (page.bases_sem_resposta.length > 0) {
        expect(page.itens).toEqual([]);
        continue;
      }
      ids.push(...page.itens.map(({ id }) => id));
      for (const { id } of page.itens.slice(0, 1))
        expect([200, 504]).toContain((await get(`/v1/jurisprudencia/${encodeURIComponent(id)}`)).status);
      if (page.proximo_cursor === null) return ids;
      cursor = page.proximo_cursor;
    }
    throw new Error('a walk did not end');
  }

  test('lose no search when one is killed, halted or ended by a signal', async () => {
    const seen: number[][] = [[], [], []];
    const over = new AbortController();
    const asking = seen.map(async (own) => {
      while (!over.signal.aborted)
        own.push((await get('/v1/jurisprudencia/busca?q=dano&tribunal=stj', url, 300_000)).status);
    });
    const more = (answers: number) => {
      const from = seen.map(({ length }) => length);
      return until('each has more answers', () =>
        seen.every(({ length }, at) => length >= (from[at] ?? 0) + answers),
      );
    };
    const [one, two] = replicas as [Replica, Replica];
    await more(20);
    one.child.kill('SIGKILL');
    await one.child.ended;
    await more(40);
    await one.start();
    two.child.kill('SIGTERM');
    await two.child.ended;
    await more(40);
    await two.start();
    one.child.kill('SIGSTOP');
    await more(40);
    one.child.kill('SIGCONT');
    await more(20);
    over.abort();
    await Promise.all(asking);
    expect([...new Set(seen.flat())]).toEqual([200]);
  });

  test('give no false 404 and no repeated or skipped item while more is published', async () => {
    const walks: Promise<string[]>[] = [];
    for (let at = 0; at < WALKS; at += 1) walks.push(walk());
    const published = publish(40);
    for (let at = 0; at < WALKS; at += 1) walks.push(walk());
    await published;
    const generations = async () => {
      const versions = await Promise.all(
        replicas.map(async ({ adminPort }) => {
          const response = await fetch(`http://127.0.0.1:${adminPort}/health/ready`);
          const { files } = (await response.json()) as {
            files: Record<string, { state: string; published: string }>;
          };
          return files['stj'];
        }),
      );
      return versions.every((file) => file?.state === 'current' && file.published.startsWith('2-'));
    };
    await until('both had it', async () => {
      walks.push(walk());
      await Promise.all(walks);
      return generations();
    });
    for (const ids of await Promise.all(walks)) {
      expect(new Set(ids).size).toBe(ids.length);
      expect([DECISIONS, added]).toContain(ids.length);
    }
    // An answer of a tenth of a second ago may come from the cache.
    await until(
      'both give it',
      async () => (await walk()).length === added && (await walk()).length === added,
    );
    const reports = await Promise.all(
      replicas.map(async (one) => (await get('/v1/jurisprudencia/cobertura', one.url)).text()),
    );
    expect(reports[0]).toBe(reports[1]);
    expect(reports[0]).toContain(`"total":${added}`);
    const console = await fetch(`http://127.0.0.1:${replicas[0]!.adminPort}/console/api/bases`);
    const { bases } = (await console.json()) as { bases: { base: string; seguido: object }[] };
    expect(bases.find(({ base }) => base === 'stj')?.seguido).toMatchObject({
      arquivo: expect.stringMatching(/^stj-2-[0-9a-f]{64}\.db$/u) as string,
      publicado_em: expect.any(String) as string,
      estado: 'em dia',
      falha: null,
    });
  });

  test('refuse a load, and name where to load', async () => {
    const { exitCode, err } = await run('ingest/command.ts', ['stj', '-'], {
      DATA_DIR: replicas[0]!.dataDir,
    });
    expect(exitCode).toBe(1);
    expect(err).toContain('follows the files at BASES_URL here: change it in the DATA_DIR');
  });
});

function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  const { port } = server;
  server.stop();
  return port;
}
