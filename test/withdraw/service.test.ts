import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { wipe, isUnwiped, markUnwiped } from '../../src/index/write/wipe.ts';
import { picksOf } from '../../src/withdraw/picks.ts';
import { withdraw } from '../../src/withdraw/withdraw.ts';
import { publish } from '../../src/replicas/files/publish.ts';
import { writableStoreAt } from '../../src/replicas/files/store.ts';
import { Handler } from '../../workers/handler.ts';
import { Copy, Publisher } from '../replicas/files/support-published.ts';
import { SWITCH_ASKS } from '../../src/replicas/files/follower.ts';
import { damagesOf } from '../support/index-content.ts';
import { readOf, searchFor, searched } from '../support/requests.ts';
import { run, startScript } from '../support/run.ts';
import { servedInTest } from '../support/served.ts';
import { loadLines, makeBases, temporaryFolder, type Line, type Service } from '../support/service.ts';
import { bePatient } from '../support/patience.ts';
import { randomNumbers } from '../../src/tools/load/random.ts';
import { until } from '../tools/faults/support-poll.ts';
import { filesWith, secretLine } from './support-withdraw.ts';

bePatient();

const SECRET = 'sombraxq';
const plain = (chave: string): Line => ({ tipo: 'acordao', chave, ementa: `dano moral de ${chave}` });
const many = (count: number) => Array.from({ length: count }, (_, at) => plain(`k${at}`));
const take = (folder: string, ...names: string[]) =>
  withdraw(folder, picksOf(folder, names, { key: [] }), null);
const storedCoverage = (total: number) => {
  const none = { de: null, ate: null };
  const periods = { periodo_do_julgamento: none, periodo_da_publicacao: none };
  const known = { calculado: true, total, tipos: ['acordao'], calculado_em: new Date().toISOString() };
  return JSON.stringify({ versao: 1, bases: [{ base: 'stj', ...known, ...periods }] });
};
const totalOf = async (service: Service) => {
  const { bases } = (await (await service.get('/v1/jurisprudencia/cobertura')).json()) as {
    bases: { base: string; total?: number }[];
  };
  return bases.find(({ base }) => base === 'stj')?.total;
};

describe('a running service', () => {
  test('has no withdrawn decision in searches, records, counts, near words, coverage or cached answers', async () => {
    const service = await servedInTest({ stj: [...many(30), secretLine('s', SECRET), plain('z')] });
    writeFileSync(join(service.dataDir, 'cobertura.json'), storedCoverage(32));
    await until('the coverage is known', async () => (await totalOf(service)) === 32);
    const record = () => service.get('/v1/jurisprudencia/stj:31');
    const search = (q: string) => service.busca({ q, tribunal: 'stj', ordem: 'recentes', limite: '5' });
    const status = (await record()).status;
    expect(status).toBe(200);
    const first = await search('dano');
    expect(first.body.itens.map(({ id }) => id).slice(0, 2)).toEqual(['stj:32', 'stj:31']);
    expect(first.body.por_base[0]?.encontrados_ate_1000).toBe(32);
    // One letter away from a word that it alone has.
    const near = await search(`${SECRET}tesa`);
    expect(near.headers.get('jurisprudencia-termos-proximos')).toContain(`${SECRET}tese`);
    const command = await run('withdraw/command.ts', ['stj:31'], { DATA_DIR: service.dataDir });
    expect(command.exitCode).toBe(0);
    expect(command.out).toContain('stj: 1 withdrawn');
    const at = performance.now();
    await until('the coverage lacks it', async () => (await totalOf(service)) === 31);
    expect(performance.now() - at).toBeLessThan(1_000);
    expect((await record()).status).toBe(404);
    const again = await search('dano');
    expect(again.body.itens.map(({ id }) => id).slice(0, 2)).toEqual(['stj:32', 'stj:30']);
    expect(again.body.por_base[0]?.encontrados_ate_1000).toBe(31);
    expect((await search(`${SECRET}tesa`)).headers.get('jurisprudencia-termos-proximos')).toBeNull();
    expect((await search(`${SECRET}tese`)).body.itens).toEqual([]);
    // The next page of a search from before.
    const cursor = first.body.proximo_cursor ?? '';
    const next = await service.busca({ q: 'dano', tribunal: 'stj', ordem: 'recentes', limite: '5', cursor });
    expect(next.body.itens.map(({ id }) => id)).toEqual(['stj:27', 'stj:26', 'stj:25', 'stj:24', 'stj:23']);
    expect(filesWith(service.dataDir, SECRET)).toEqual([]);
  });
});

describe('bun run withdraw', () => {
  test('killed at any moment leaves each decision whole or withdrawn, and the next run completes it', async () => {
    const made = temporaryFolder();
    makeBases(made);
    const later = many(40).map(({ chave }) => plain(`${String(chave)}b`));
    loadLines(made, 'stj', [...many(200), secretLine('s', SECRET), ...later]);
    const content = readFileSync(baseFile(made, 'stj'));
    const startedAt = performance.now();
    const random = randomNumbers(7);
    const seen = new Set<string>();
    let wholeMs = 0;
    for (let at = 0; at < 30; at += 1) {
      const folder = temporaryFolder();
      makeBases(folder);
      writeFileSync(baseFile(folder, 'stj'), content);
      const command = startScript('withdraw/command.ts', ['stj:201', 'stj:7'], { DATA_DIR: folder });
      if (wholeMs === 0) {
        expect(await command.ended).toBe(0);
        wholeMs = performance.now() - startedAt;
      } else {
        await Bun.sleep(wholeMs * (0.2 + random()));
        command.kill('SIGKILL');
        await command.ended;
      }
      const handler = new Handler(baseFile(folder, 'stj'), 'stj');
      const [outcome] = handler.run([readOf([7, 201])]);
      if (outcome?.ok !== true || outcome.value.kind !== 'read') throw new Error(JSON.stringify(outcome));
      const rows = outcome.value.rows.map((row) => row !== null);
      const found = searched(handler, searchFor(`${SECRET}tese`)).doc_ids;
      expect([rows[1], found]).toEqual(rows[0] === true ? [true, [201]] : [false, []]);
      handler.close();
      expect(damagesOf(baseFile(folder, 'stj'), 'stj')).toEqual([]);
      seen.add(`${rows[0] === true ? 'there' : 'gone'}${isUnwiped(folder, 'stj') ? ', unwiped' : ''}`);
      expect(take(folder, 'stj:201', 'stj:7').isWhole).toBe(true);
      expect(isUnwiped(folder, 'stj')).toBe(false);
      expect(filesWith(folder, SECRET)).toEqual([]);
      expect(damagesOf(baseFile(folder, 'stj'), 'stj')).toEqual([]);
    }
    expect([...seen]).toContain('gone');
    expect(seen.size).toBeGreaterThan(1);
  });

  test('stopped before the file is rewritten, is completed by the next load', async () => {
    const folder = temporaryFolder();
    makeBases(folder);
    loadLines(folder, 'stj', [secretLine('s', SECRET), plain('a')]);
    // Killed between its commit and the coverage.
    const coverage = join(folder, 'cobertura.json');
    take(folder, 'stj:1');
    writeFileSync(coverage, storedCoverage(2));
    markUnwiped(folder, 'stj');
    const lines = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(lines, `${JSON.stringify(plain('b'))}\n`);
    const loaded = await run('ingest/command.ts', ['stj', lines], { DATA_DIR: folder });
    expect(loaded.exitCode).toBe(0);
    expect(isUnwiped(folder, 'stj')).toBe(false);
    const { bases } = JSON.parse(readFileSync(coverage, 'utf8')) as { bases: object[] };
    expect(bases).toMatchObject([{ base: 'stj', total: 1 }]);
  });

  test('waits, with a message, while another process reads older data', () => {
    const folder = temporaryFolder();
    makeBases(folder);
    loadLines(folder, 'stj', [secretLine('s', SECRET), plain('a')]);
    take(folder, 'stj:2');
    const reader = new Database(baseFile(folder, 'stj'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM item').get();
    markUnwiped(folder, 'stj');
    expect(wipe(folder, 'stj', 50)).toBe(false);
    expect(isUnwiped(folder, 'stj')).toBe(true);
    reader.exec('COMMIT');
    expect(wipe(folder, 'stj', 50)).toBe(true);
    expect(statSync(`${baseFile(folder, 'stj')}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    reader.close();
  });

  test.each([
    [['nada'], 'nada is no id: write it as the service does, like stj:968'],
    [['--key', 'sem-base'], 'It must be a base and a key'],
    [['--file', '/nowhere'], 'no such file: /nowhere'],
  ])('refuses %j with what to do', async (args, message) => {
    const folder = temporaryFolder();
    makeBases(folder);
    const ended = await run('withdraw/command.ts', args, { DATA_DIR: folder });
    expect(ended.exitCode).toBe(1);
    expect(ended.err).toContain(message);
    expect(ended.err.trim().split('\n').length).toBeLessThan(3);
  });

  test('reads a list of ids from standard input', async () => {
    const folder = temporaryFolder();
    makeBases(folder);
    loadLines(folder, 'stj', many(3));
    const ended = await run('withdraw/command.ts', ['--file', '-'], { DATA_DIR: folder }, 'stj:1\n\nstj:3\n');
    expect(ended.out).toContain('stj: 2 withdrawn');
  });
});

test('published files and their copies have no withdrawn decision after publish --purge', async () => {
  const publisher = new Publisher();
  loadLines(publisher.dataDir, 'stj', [secretLine('s', SECRET), plain('a')]);
  await publisher.publish('b');
  const copy = new Copy(publisher.place);
  await copy.asks(2 + SWITCH_ASKS);
  expect(filesWith(copy.dataDir, SECRET)).toEqual(['bases/stj.db']);
  expect(take(publisher.dataDir, 'stj:1').lines.at(-1)).toContain('bun run publish stj --purge');
  const { manifest } = await publish(publisher.dataDir, 'stj', writableStoreAt(publisher.place), true);
  expect([manifest.decisions, manifest.coverage.total]).toEqual([2, 2]);
  await copy.asks(2 + SWITCH_ASKS);
  for (const folder of [publisher.place, copy.dataDir, publisher.dataDir])
    expect(filesWith(folder, SECRET)).toEqual([]);
  expect(readdirSync(publisher.place)).toHaveLength(2);
  expect(damagesOf(copy.file, 'stj')).toEqual([]);
});
