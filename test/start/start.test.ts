import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test as plainTest } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { BASES } from '../../src/contract/vocabulary.ts';
import { demoLines } from '../../src/tools/demo/generate.ts';
import { createBases } from '../../src/index/write/base-file.ts';
import { issueKey } from '../../src/keys/store.ts';
import { run, startMain, startProgram, startScript, type ChildService } from '../support/run.ts';
import { AMPLE_WINDOWS, loadLines, temporaryFolder, type Body } from '../support/service.ts';
import { fetchAs } from '../support/documented.ts';

/** On a busy machine all bases may be made before a kill comes. */
const TRIES_MAX = 10;

/** Each test has a folder, and services that end with it. */
const test = plainTest.extend<{
  dataDir: string;
  /** Starts the service and reads its output until it serves. */
  start: (environment?: Record<string, string>) => Promise<ChildService>;
}>({
  // oxlint-disable-next-line no-empty-pattern
  dataDir: async ({}, use) => {
    await use(temporaryFolder());
  },
  start: async ({ dataDir }, use) => {
    const children: ChildService[] = [];
    await use(async (environment = {}) => {
      // Most of a start is the start of its threads.
      const usual = { BASES_THREADS: '1', SHUTDOWN_MS: '60000', npm_lifecycle_event: 'start' };
      const folder = environment['DATA_DIR'] ?? dataDir;
      const child = await startMain(folder, { ...AMPLE_WINDOWS, ...usual, ...environment });
      children.push(child);
      return child;
    });
    for (const child of children) {
      child.kill('SIGKILL');
      await child.ended;
    }
  },
});

async function search(url: string, key: string, q: string): Promise<Body> {
  const query = new URLSearchParams({ q, limite: '6' }).toString();
  const response = await fetchAs(`${url}/v1/jurisprudencia/busca?${query}`, key);
  return (await response.json()) as Body;
}

/** Units of quota that the key has used: a search is charged when it starts. The question itself costs nothing. */
async function used(url: string, key: string): Promise<number> {
  const response = await fetchAs(`${url}/v1/jurisprudencia/busca?q=`, key);
  const limit = /q=(\d+)/.exec(response.headers.get('ratelimit-policy') ?? '')?.[1];
  const remaining = /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1];
  return Number(limit) - Number(remaining);
}

/** The first curl of a README, sent as it is printed, is answered as it is printed; only times and cursors differ. */
async function expectAnswerOf(readme: string, url: string, key: string): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, '../..', readme), 'utf8');
  const [, path = '', options = '', printed = ''] =
    /^curl -G http:\/\/127\.0\.0\.1:3000(\S+) ([^]*?)\n```[^]*?^```\n(\{[^]*?)\n```$/mu.exec(text) ?? [];
  const data = options.matchAll(/ (?:-d (\S+)|--data-urlencode '([^']+)')/gu);
  const query = [...data].map(([, plain, quoted]) => encodeURI(plain ?? quoted ?? '')).join('&');
  const response = await fetchAs(`${url}${path}?${query}`, key);
  expect(likeness(await response.json(), JSON.parse(printed))).toEqual(JSON.parse(printed));
}

/** The value with what a text printed up to an ellipsis leaves out cut off, and with times and cursors as printed. */
function likeness(value: unknown, printed: unknown): unknown {
  if (typeof value === 'string' && typeof printed === 'string' && printed.endsWith('…')) {
    return value.startsWith(printed.slice(0, -1)) ? printed : value;
  }
  if (Array.isArray(value) && Array.isArray(printed))
    return value.map((one, at) => likeness(one, printed[at]));
  if (typeof value !== 'object' || value === null) return value;
  const like = printed as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'ms' || name === 'proximo_cursor' ? like[name] : likeness(one, like[name]),
    ]),
  );
}

const MADE_UP = `The decisions of ${BASES.join(', ')} are made up: this is a demo.`;

/** Demo bases are made in turn: nothing of that waits. */
const IN_TURN = { concurrent: false };

describe.concurrent('bun start', () => {
  test(
    'on an empty folder makes six bases and one key, and prints a curl that works',
    IN_TURN,
    async ({ dataDir, start }) => {
      const first = await start();
      const [out, url] = [first.out(), first.url];
      const pasted = /curl -H 'Authorization: Bearer (\S+)' \\\n {2}'(\S+)'/.exec(out);
      expect(pasted).not.toBeNull();
      const [, key = '', address = ''] = pasted ?? [];
      const response = await fetchAs(address, key);
      const body = (await response.json()) as Body;
      expect(body.itens.map(({ base }) => base)).toEqual([...BASES]);
      expect(body.bases_sem_resposta).toEqual([]);
      expect(body.itens.every(({ fonte }) => String(fonte).endsWith(' (fictícia)'))).toBe(true);
      // A key and the folder's name are as long as they are; nothing else is wider than a terminal of 80 columns.
      const lines = out.split('\n').filter((line) => !line.includes('jur_') && !line.includes(dataDir));
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(out).toContain(MADE_UP);
      const health = await fetch(`${first.adminUrl}/health/ready`);
      const { bases } = (await health.json()) as { bases: Record<string, object> };
      for (const base of BASES) expect(bases[base]).toMatchObject({ made_up: true });
      for (const readme of ['README.md', 'README.pt-BR.md']) await expectAnswerOf(readme, url, key);
      for (const q of ['execução fiscal', 'honorários advocatícios', 'prescrição']) {
        const found = await search(url, key, q);
        expect(found.itens.length).toBeGreaterThan(3);
      }
      first.kill('SIGTERM');
      expect(await first.ended).toBe(0);

      const second = await start();
      expect(second.out()).not.toContain('jur_');
      expect(second.out()).toContain(MADE_UP);
      expect((await search(second.url, key, 'dano moral')).itens).toHaveLength(6);
      // As a terminal's Ctrl-C under `bun run` does: once from the terminal and once passed on.
      const before = await used(second.url, key);
      const underWay = Promise.all(Array.from({ length: 20 }, () => search(second.url, key, 'a* OR e*')));
      while ((await used(second.url, key)) < before + 20) await Promise.resolve();
      second.kill('SIGINT');
      second.kill('SIGINT');
      for (const { itens } of await underWay) expect(itens).toHaveLength(6);
      expect(await second.ended).toBe(0);
    },
  );

  test(
    'killed while it makes a demo leaves a folder in which two starts at once make it',
    IN_TURN,
    async ({ dataDir, start }) => {
      const bases = join(dataDir, 'bases');
      let tries = 0;
      do {
        tries += 1;
        rmSync(dataDir, { recursive: true });
        const first = startScript('main.ts', [], { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' });
        await first.says('tst');
        first.kill('SIGKILL');
        await first.ended;
      } while (existsSync(bases) && tries < TRIES_MAX);
      expect(existsSync(bases)).toBe(false);
      const both = await Promise.all([start(), start()]);
      const shown = both.flatMap(({ out }) => /Your key, shown this once: (\S+)/.exec(out())?.[1] ?? []);
      expect(shown).toHaveLength(1);
      const [key = ''] = shown;
      for (const { url } of both) expect((await search(url, key, 'dano moral')).itens).toHaveLength(6);
      expect(readdirSync(dataDir).filter((name) => name.startsWith('first-start'))).toEqual([]);
    },
  );

  test('on a used folder without its bases reports them as unanswering', async ({ dataDir, start }) => {
    createBases(dataDir);
    const key = issueKey(dataDir, 'acme', null, new Date());
    for (const base of BASES) renameSync(baseFile(dataDir, base), `${baseFile(dataDir, base)}.old`);
    const { out, url } = await start();
    expect(out()).not.toContain('demo bases');
    const { bases_sem_resposta } = await search(url, key, 'dano');
    expect(bases_sem_resposta).toEqual(BASES.map((base) => ({ base, tempo_esgotado: false })));
    const left = BASES.map((base) => `${base}.db.old`);
    expect(readdirSync(join(dataDir, 'bases')).toSorted()).toEqual(left.toSorted());
  });

  test('on a folder with a key and no bases explains how to load one', async ({ dataDir, start }) => {
    issueKey(dataDir, 'acme', null, new Date());
    const out = (await start()).out();
    expect(out).toContain(`No bases are in ${dataDir}`);
    expect(out).toContain(`DATA_DIR='${dataDir}' npx --yes bun@1.4.5 run ingest BASE FILE`);
    expect(out).toContain(`DATA_DIR='${dataDir}' npx --yes bun@1.4.5 run keys issue NAME`);
  });

  test('removes the remains of a killed start, and no file being written', async ({ dataDir, start }) => {
    createBases(dataDir);
    issueKey(dataDir, 'acme', null, new Date());
    const old = ['cursor-secret.0123456789ab.tmp', 'keys/acme.json.0123456789ab.tmp'];
    const young = 'cobertura.json.0123456789ab.tmp';
    for (const name of [...old, young, 'notes.tmp']) writeFileSync(join(dataDir, name), '');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [...old, 'notes.tmp']) utimesSync(join(dataDir, name), anHourAgo, anHourAgo);
    await start();
    for (const name of old) expect(existsSync(join(dataDir, name))).toBe(false);
    for (const name of [young, 'notes.tmp', 'keys/acme.json'])
      expect(existsSync(join(dataDir, name))).toBe(true);
  });

  test('with DEMO=0 makes no demo and no key, reports that, and is not ready', async ({ dataDir, start }) => {
    const started = await start({ DEMO: '0' });
    const out = started.out();
    expect(out).toContain(`No bases are in ${dataDir}, and DEMO=0 makes no demo.`);
    expect(out).not.toContain('jur_');
    expect(existsSync(join(dataDir, 'bases'))).toBe(false);
    expect(existsSync(join(dataDir, 'keys'))).toBe(false);
    const health = await fetch(`${started.adminUrl}/health/ready`);
    expect(health.status).toBe(503);
    expect(await health.text()).not.toContain('made_up');
  });

  test('prints a command that a shell can run, for any folder, with or without npm', async ({
    dataDir,
    start,
  }) => {
    const odd = join(dataDir, "dados d'água");
    loadLines(odd, 'stj', [...demoLines('stj', 3, 1)]);
    const commandOf = (out: string) => /DATA_DIR=.* remove$/m.exec(out)?.[0] ?? '';
    const scripts = commandOf((await start({ DATA_DIR: odd })).out());
    expect(scripts).toContain(' npx --yes bun@1.4.5 run demo remove');
    // Still a demo, though none would be made here.
    const out = (await start({ DATA_DIR: odd, npm_lifecycle_event: '', DEMO: '0' })).out();
    expect(out).toContain('The decisions of stj are made up: this is a demo.');
    expect(out).not.toContain('jur_');
    const bare = commandOf(out);
    expect(bare).toContain(' bun src/tools/demo/command.ts remove');
    const child = startProgram(['sh', '-c', bare.replace(' bun ', ` '${process.execPath}' `)]);
    await child.ended;
    expect(child.out()).toContain(`removed from ${odd}: the made-up decisions of stj`);
  });

  test('tries both ports before it makes anything, and names the one in use', async ({ dataDir }) => {
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const full = join(dataDir, 'full');
    const empty = join(dataDir, 'empty');
    mkdirSync(empty);
    createBases(full);
    const port = String(other.port);
    for (const [folder, environment, message] of [
      [empty, { PORT: port }, /127\.0\.0\.1:\d+ is in use; set PORT/],
      [full, { PORT: port }, /127\.0\.0\.1:\d+ is in use; set PORT/],
      [empty, { ADMIN_PORT: port }, /127\.0\.0\.1:\d+ is in use; set ADMIN_PORT/],
      [full, { ADMIN_PORT: port }, /127\.0\.0\.1:\d+ is in use; set ADMIN_PORT/],
      [empty, { HOST: '192.0.2.1' }, /192\.0\.2\.1:0 is not an address of this machine/],
    ] as const) {
      const ports = { PORT: '0', ADMIN_PORT: '0', ...environment };
      const { exitCode, out, err } = await run('main.ts', [], { DATA_DIR: folder, ...ports });
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toMatch(message);
    }
    expect(readdirSync(empty)).toEqual([]);
  });

  test.for([
    [{ ADMIN_HOST: '192.0.2.1' }, /ADMIN_TOKEN: is needed/],
    [
      { ADMIN_HOST: '192.0.2.1', ADMIN_TOKEN: 'a-token-of-some-length' },
      /192\.0\.2\.1:0 is not an address of this machine; set ADMIN_HOST/,
    ],
    [{ PORT: 'x' }, /PORT: must be a whole number/],
    [{ HOST: 'foo..bar' }, /HOST: must be an IP address or a host name/],
    [{ DATA_DIR: import.meta.filename }, /DATA_DIR: there can be no folder .+: .*folder is needed/],
    [{ DATA_DIR: '/proc/x' }, /DATA_DIR: there can be no folder \/proc\/x: no such file/],
  ] as const)('with %j names what to set and exits with 1', async ([environment, message], { dataDir }) => {
    createBases(dataDir);
    const usual = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' };
    const { exitCode, err } = await run('main.ts', [], { ...usual, ...environment });
    expect(exitCode).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('--help lists the settings', async () => {
    const { exitCode, out } = await run('main.ts', ['--help']);
    expect(exitCode).toBe(0);
    expect(out).toContain('DATA_DIR (./data)');
    expect(out).toContain('PORT (3000)');
    expect(out).toContain('BASES_TST_THREADS');
  });
});
