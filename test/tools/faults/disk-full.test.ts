import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { recordsIn } from '../../../src/index/format/record-reader.ts';
import type { Cobertura } from '../../../src/contract/cobertura.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { BUSCA, COBERTURA } from '../../http/checks.ts';
import { CRASH, startMain, startScript } from '../../support/run.ts';
import { COMUM, decisions, linesOf } from './support-corpus.ts';
import { expectNoUnhandledRejection, until } from './support-poll.ts';
import { EACH, faultFolder, PATIENT } from './support-service.ts';
import { smallDisks } from './support-small-disk.ts';
import { Traffic } from './support-traffic.ts';
import { fetchAs, fetchChecked } from '../../support/documented.ts';
import { damagesOf } from '../../support/index-content.ts';

const BASE: Base = 'stj';
const ALL = 1_700;
/** Less than the load needs and more than a good part of it. */
const ROOM_KIB = 1_500;
const ANSWERS = 60;
const OLD = '2020-01-01T00:00:00.000Z';

expectNoUnhandledRejection();

/** Whether the base file is sound, and its number of decisions. */
function look(dataDir: string): { isSound: boolean; numbers: number[]; records: string[] } {
  const isSound = damagesOf(baseFile(dataDir, BASE), BASE).length === 0;
  const db = new Database(baseFile(dataDir, BASE));
  const numbers = db.prepare<[], number>('SELECT id FROM item ORDER BY 1').pluck().all();
  const stored = recordsIn(db);
  const records = numbers.map((numero) => stored.documento(numero));
  db.close();
  return { isSound, numbers, records };
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe.concurrent.each(smallDisks())('when there is no room ($name),', ({ make }) => {
  test('a load says that the disk is full and keeps its last commit, the service still answers, and a repeated load adds the rest', async () => {
    using disk = make();
    const dataDir = join(disk.folder, 'data');
    const folder = faultFolder({}, dataDir);
    await using service = await startMain(dataDir, PATIENT);
    folder.loaded.allow(BASE, EACH + 1, ALL, 1);
    const traffic = new Traffic({ ...folder, url: service.url, isGrowing: true });
    traffic.start();
    const file = join(disk.folder, 'more.jsonl');
    writeFileSync(file, linesOf(decisions(BASE, ALL, EACH + 1)));

    const ingest = startScript(
      'ingest/command.ts',
      [BASE, file],
      { DATA_DIR: dataDir },
      disk.limit(ROOM_KIB),
    );
    expect(await ingest.ended).toBe(1);
    expect(ingest.err()).toMatch(/^ingest: stopped: [^\n]*\n$/);
    expect(ingest.err()).toContain('the disk is full');
    const added = Number(/: (\d+) added, 0 replaced/.exec(ingest.out())?.[1]);
    expect(added).toBeLessThan(ALL - EACH);
    await traffic.more(ANSWERS);
    expect(look(dataDir)).toMatchObject({ isSound: true, numbers: upTo(EACH + added) });

    disk.widen();
    const again = startScript('ingest/command.ts', [BASE, file], { DATA_DIR: dataDir });
    expect(await again.ended).toBe(0);
    expect(again.out()).toContain(`${ALL - EACH - added} added, 0 replaced, ${added} unchanged`);
    expect(look(dataDir)).toMatchObject({ isSound: true, numbers: upTo(ALL) });
    await traffic.more(ANSWERS);
    await traffic.readEach(BASE, [EACH + added, EACH + added + 1, ALL]);
    expect(await traffic.stop()).toEqual([]);
    expect(service.err()).not.toMatch(CRASH);
  });
});

describe.concurrent.each(smallDisks())('when there is no room ($name),', ({ make }) => {
  test('a withdrawal says what is gone already, and the next one does the rest', async () => {
    using disk = make();
    const dataDir = join(disk.folder, 'data');
    faultFolder({}, dataDir);
    const file = join(disk.folder, 'more.jsonl');
    writeFileSync(file, linesOf(decisions(BASE, ALL, EACH + 1)));
    const environment = { DATA_DIR: dataDir };
    expect(await startScript('ingest/command.ts', [BASE, file], environment).ended).toBe(0);
    const named = [`${BASE}:1`, `${BASE}:2`];
    // Enough for what a withdrawal writes, and not for the whole file.
    const room = Math.round((0.85 * statSync(baseFile(dataDir, BASE)).size) / 1_024);
    const limited = startScript('withdraw/command.ts', named, environment, disk.limit(room));
    expect(await limited.ended).toBe(1);
    expect(limited.out()).toMatch(
      /^stj: 2 withdrawn\nstj: the disk is full.*; no search has the withdrawn ones, but the file has bytes of them\n$/u,
    );
    disk.widen();
    const again = startScript('withdraw/command.ts', named, environment);
    expect(await again.ended).toBe(0);
    expect(again.out()).toContain('stj: 0 withdrawn, 2 withdrawn before\nstj: the file is written anew');
    expect(look(dataDir)).toMatchObject({ isSound: true });
  });
});

const limitedService = (dataDir: string) => startMain(dataDir, PATIENT, `trap '' XFSZ; ulimit -f 0`);

function writeOldCoverage(dataDir: string): string {
  const file = join(dataDir, 'cobertura.json');
  const bases = BASES.map((base) => ({ base, calculado: true, total: 7, tipos: [], calculado_em: OLD }));
  writeFileSync(file, JSON.stringify({ versao: 1, bases }));
  return file;
}

describe.concurrent('when no byte can be written,', () => {
  test('coverage is calculated and shown, the stored one stays, and the service continues', async () => {
    const { dataDir, key } = faultFolder();
    const file = writeOldCoverage(dataDir);
    const before = readFileSync(file, 'utf8');
    // Made by an earlier start.
    writeFileSync(join(dataDir, 'cursor-secret'), Buffer.alloc(32, 7), { mode: 0o600 });
    // Held open here, so that the service need not make any file of its own to read them.
    using held = new DisposableStack();
    for (const base of BASES) {
      const db = held.adopt(new Database(baseFile(dataDir, base)), (one) => one.close());
      db.prepare('SELECT count(*) FROM record').get();
    }
    await using limited = await limitedService(dataDir);
    const { url } = limited;
    await until('coverage was calculated', async () => {
      const body = (await (await fetchChecked(url + COBERTURA)).json()) as Cobertura;
      return body.bases.every(({ total }) => total === EACH);
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await until('it was logged', () => limited.err().includes('coverage file not written'));
    expect(limited.err()).not.toMatch(CRASH);
    const answer = await fetchAs(`${url}${BUSCA}?q=${COMUM}`, key);
    expect(await answer.json()).toMatchObject({ bases_sem_resposta: [], itens: expect.any(Array) });
  });

  test('a base that cannot be opened for lack of space is in the log with that reason', async () => {
    const { dataDir } = faultFolder();
    writeFileSync(join(dataDir, 'cursor-secret'), Buffer.alloc(32, 7), { mode: 0o600 });
    await using limited = await limitedService(dataDir);
    await until('it was logged', () => limited.err().includes(`no room for ${baseFile(dataDir, BASE)}-shm`));
    expect(limited.err()).toContain('the disk is full: free some space');
    expect(limited.err()).not.toMatch(CRASH);
  });

  test('issuing a key reports it and leaves no partial key file', async () => {
    const { dataDir } = faultFolder();
    const issue = startScript(
      'keys/command.ts',
      ['issue', 'cheia'],
      { DATA_DIR: dataDir },
      `trap '' XFSZ; ulimit -f 0`,
    );
    expect(await issue.ended).toBe(1);
    expect(issue.out()).not.toContain('jur_');
    expect(issue.err()).toMatch(/^keys: [^\n]*\n$/);
    expect(readdirSync(join(dataDir, 'keys'))).toEqual(['teste.json']);
    expect(existsSync(join(dataDir, 'keys', 'cheia.json'))).toBe(false);
  });
});
