import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { baseFile, basesFolder } from '../../src/index/format/schema.ts';
import { STALL_MS } from '../../src/sync/client.ts';
import { withdraw } from '../../src/withdraw/withdraw.ts';
import { bePatient } from '../support/patience.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { answer, judgment, month, startPortal, status, type DataSets, type Fault } from './support-portal.ts';
import { cleanLoad, decisionsIn, leftovers, syncHere } from './support-sync.ts';

bePatient();

const FIRST = 'espelhos-de-acordaos-primeira-turma';
const SECOND = 'espelhos-de-acordaos-segunda-turma';
const files = (): DataSets => ({
  [FIRST]: [month('a', '20260531.json', [1, 2, 3]), month('b', '20260630.json', [4, 5])],
  [SECOND]: [month('c', '20260531.json', [6, 7])],
});
const ALL = ['20260531.json', '20260531.json', '20260630.json'];

let dataDir = '';
let whole: Record<string, unknown>;
beforeAll(async () => {
  whole = await cleanLoad(files());
});
beforeEach(() => {
  dataDir = temporaryFolder();
});

describe('bun run sync', () => {
  test('loads the portal’s files over one connection, and fetches none again', async () => {
    const portal = await startPortal(files());
    const first = await syncHere(portal.url, dataDir);
    expect(first).toMatchObject({ exitCode: 0, said: expect.stringContaining('3 files listed, 3 new') });
    expect(first.said).toContain('[1/3] primeira-turma/20260531.json: stj: 3 added');
    expect(portal.taken()).toEqual(ALL);
    expect(Object.keys(decisionsIn(dataDir))).toHaveLength(7);
    const asked = portal.requests.length;
    const second = await syncHere(portal.url, dataDir);
    expect(second).toEqual({ exitCode: 0, said: '3 files listed, 0 new, changed or to be looked at' });
    expect(portal.requests.slice(asked).every((path) => path.includes('/api/3/action/'))).toBe(true);
    expect(portal.connectionsMax()).toBe(1);
    expect(leftovers(dataDir)).toEqual([]);
  });

  test('fetches only files that are new or have another size or date', async () => {
    const portal = await startPortal(files());
    await syncHere(portal.url, dataDir);
    portal.taken();
    const ementa = 'OUTRA EMENTA DO MESMO JULGADO, MAIS LONGA QUE A DE ANTES, SEM FALTA.';
    const changed = month('b', '20260630.json', [4, 5], { ementa });
    portal.dataSets[FIRST] = [portal.dataSets[FIRST]![0]!, changed, month('d', '20260731.json', [8])];
    const { said } = await syncHere(portal.url, dataDir);
    expect(portal.taken()).toEqual(['20260630.json', '20260731.json']);
    expect(said).toContain('primeira-turma/20260630.json: stj: 0 added, 2 replaced');
    expect(decisionsIn(dataDir)).toEqual(await cleanLoad(portal.dataSets));
    portal.taken();
    // The same bytes with another date: the ETag tells that nothing has changed.
    portal.dataSets[FIRST] = [{ ...changed, listed: { last_modified: '2026-08-01T00:00:00' } }];
    expect((await syncHere(portal.url, dataDir)).said).toContain('primeira-turma/20260630.json: not changed');
    expect(portal.taken()).toEqual([]);
    expect((await syncHere(portal.url, dataDir)).said).toContain('2 files listed, 0 new');
  });

  test.each([
    ['a list without dates', { last_modified: null }, undefined],
    ['a list without dates and sizes', { last_modified: null, size: null }, undefined],
    ['a list with dates alone', { size: null, hash: null }, null],
    ['a list with sizes alone', { last_modified: null, hash: null }, null],
    ['a list with wrong sizes', { size: 9 }, null],
  ])('recognises an unchanged file by %s', async (_, listed, etag) => {
    const file = { ...month('a', '20260531.json', [1]), listed, ...(etag === null ? { etag } : {}) };
    const portal = await startPortal({ [FIRST]: [file] });
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    portal.taken();
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual([]);
  });

  test('--dry-run lists what it would fetch, and fetches and writes nothing', async () => {
    const portal = await startPortal(files());
    const folder = join(dataDir, 'new');
    const { exitCode, said } = await syncHere(portal.url, folder, { dryRun: true });
    expect(exitCode).toBe(0);
    expect(said).toContain('primeira-turma/20260630.json: 0.0 MB');
    expect(said).toContain('3 files listed, 3 new');
    expect(portal.taken()).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test.each([['segunda-turma'], [SECOND]])('--only %s loads that data set alone', async (name) => {
    const portal = await startPortal(files());
    expect((await syncHere(portal.url, dataDir, { only: [name] })).exitCode).toBe(0);
    expect(Object.keys(decisionsIn(dataDir))).toEqual(['000000006', '000000007']);
  });

  test('--only refuses an unknown data set, and lists the known ones', async () => {
    const portal = await startPortal(files());
    expect(await syncHere(portal.url, dataDir, { only: ['terceira'] })).toEqual({
      exitCode: null,
      said: 'there is no data set terceira; there are primeira-turma, segunda-turma',
    });
  });

  test('fetches all files again for a base that was moved away, and reports it', async () => {
    const portal = await startPortal(files());
    await syncHere(portal.url, dataDir);
    portal.taken();
    renameSync(basesFolder(dataDir), join(dataDir, 'bases.old'));
    const again = await syncHere(portal.url, dataDir);
    expect(again).toMatchObject({ exitCode: 0, said: expect.stringContaining('is not of this base') });
    expect(portal.taken()).toEqual(ALL);
    expect(decisionsIn(dataDir)).toEqual(await cleanLoad(portal.dataSets));
  });

  test('does not fetch again a file whose every decision was withdrawn', async () => {
    const portal = await startPortal({ [FIRST]: [month('a', '20260531.json', [1])] });
    await syncHere(portal.url, dataDir);
    withdraw(dataDir, new Map([['stj', { docIds: new Set([1]), keys: new Set() }]]), null);
    portal.dataSets[FIRST] = [month('b', '20260531.json', [1])];
    const again = await syncHere(portal.url, dataDir);
    expect(again).toMatchObject({ exitCode: 0, said: expect.stringContaining('1 rejected') });
    expect(decisionsIn(dataDir)).toEqual({});
    portal.taken();
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual([]);
  });

  test('fetches all files again for a base that was created again or restored', async () => {
    const portal = await startPortal(files());
    const file = baseFile(dataDir, 'stj');
    await syncHere(portal.url, dataDir, { only: [SECOND] });
    const before = readFileSync(file);
    await syncHere(portal.url, dataDir);
    portal.taken();
    // In place, so that only its content shows it.
    writeFileSync(file, before);
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual(ALL);
    renameSync(file, `${file}.old`);
    for (const chave of ['x', 'y', 'z', 'u', 'v', 'w'])
      loadLines(dataDir, 'stj', [{ tipo: 'acordao', chave, ementa: 'Outra.' }]);
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual(ALL);
    expect(decisionsIn(dataDir)).toMatchObject(whole);
  });

  test('fetches all files again if its list of loaded files is damaged', async () => {
    const portal = await startPortal(files());
    await syncHere(portal.url, dataDir);
    portal.taken();
    const list = join(dataDir, 'sync', 'stj.json');
    writeFileSync(list, readFileSync(list, 'utf8').slice(0, 50));
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual(ALL);
  });

  test('stops at a signal and continues there at the next run', async () => {
    const portal = await startPortal(files());
    const controller = new AbortController();
    portal.fail('/c/', () => {
      controller.abort();
    });
    const stopped = await syncHere(portal.url, dataDir, {}, { signal: controller.signal });
    expect(stopped).toMatchObject({ exitCode: 130, said: expect.stringContaining('aborted') });
    expect(portal.taken()).toEqual(['20260531.json']);
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual(['20260531.json', '20260630.json']);
    expect(decisionsIn(dataDir)).toEqual(await cleanLoad(portal.dataSets));
  });
});

/** What is expected of every fault: no wrong load, and in the end all of it, once. */
describe('a fault of the portal', () => {
  const CUT: Fault = (socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n[{"id":"000000004"');
  };
  const DATE = 'Tue, 10 Mar 2026 12:00:30 GMT';
  const json =
    (body: unknown): Fault =>
    (socket) => {
      answer(socket, 200, JSON.stringify(body));
    };
  const renamed = (id: number) => {
    const { ementa, ...others } = judgment(id);
    return { ...others, textoEmenta: ementa };
  };

  test.each<[string, Fault[], string]>([
    ['429 with seconds in Retry-After', [status(429, { 'retry-after': '7' })], '429; waiting 7 s'],
    ['429 with a date in Retry-After', [status(429, { 'retry-after': DATE })], '429; waiting 30 s'],
    ['429 without Retry-After, twice', [status(429), status(429)], '429; waiting 10 s'],
    ['503 with Retry-After', [status(503, { 'retry-after': '1' })], '503; waiting 1 s'],
    ['500', [status(500)], '500; waiting 5 s'],
    ['a file cut in the middle', [CUT], 'closed unexpectedly; waiting 5 s'],
    ['a connection that is closed at once', [(s) => s.destroy(), (s) => s.destroy()], 'waiting 5 s'],
  ])('%s is waited for and retried, for the list and a file', async (_, faults, wanted) => {
    for (const part of ['package_search', 'package_show', '/b/']) {
      dataDir = temporaryFolder();
      const portal = await startPortal(files());
      portal.fail(part, ...faults);
      const first = await syncHere(portal.url, dataDir);
      expect(first).toMatchObject({ exitCode: 0, said: expect.stringContaining(wanted) });
      expect(decisionsIn(dataDir)).toEqual(whole);
      portal.taken();
      expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
      expect(portal.taken()).toEqual([]);
    }
  });

  test.each<[string, Fault, string]>([
    ['an error page with status 200', (s) => answer(s, 200, '<html><h1>Erro</h1></html>'), 'not JSON'],
    ['an error of CKAN with status 200', (s) => answer(s, 200, '{"success":false,"error":{}}'), 'not loaded'],
    ['an empty answer with status 200', (s) => answer(s, 200, ''), 'not loaded'],
    ['a length that is too short', (s) => answer(s, 200, `[${JSON.stringify(judgment(4))},`), 'cut'],
    ['no length', (s) => s.end(`HTTP/1.1 200 OK\r\n\r\n[${JSON.stringify(judgment(4))},{"id`), 'cut'],
    ['404', status(404), '404'],
    ['a redirect to another origin', status(302, { location: 'http://169.254.169.254/x' }), 'only http'],
    ['redirects without end', status(302, { location: '/dataset/x/b/20260630.json' }), 'redirects'],
    ['Retry-After of a day', status(503, { 'retry-after': '86400' }), 'asks to wait 86400 s'],
    ['renamed fields', json([renamed(4), renamed(5)]), 'no ementa'],
    ['fields of another kind', json([judgment(4, { ementa: { texto: 'x' } })]), 'no ementa'],
    ['another kind of list', json({ dados: [judgment(4)] }), 'not loaded'],
  ])('%s skips that file alone, and the next run loads it', async (_, fault, wanted) => {
    const portal = await startPortal(files());
    portal.fail('/b/', fault, ...(wanted === 'redirects' ? [fault, fault, fault] : []));
    const first = await syncHere(portal.url, dataDir);
    expect(first).toMatchObject({ exitCode: 1, said: expect.stringContaining(wanted) });
    expect(first.said).toContain('files not loaded: 1');
    expect(Object.keys(decisionsIn(dataDir))).toHaveLength(5);
    portal.taken();
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual(['20260630.json']);
    expect(decisionsIn(dataDir)).toEqual(whole);
    expect(leftovers(dataDir)).toEqual([]);
  });
  test('a connection is closed after a minute without a byte, before or in the answer', async () => {
    const clock = new SimulatedClock();
    const portal = await startPortal(files());
    const hang = () => setImmediate(() => void clock.advance(STALL_MS));
    portal.fail('/b/', hang, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n[{"id":"000000004"');
      // The bytes before the silence count as such.
      setTimeout(hang, 50);
    });
    const { exitCode, said } = await syncHere(portal.url, dataDir, {}, { clock });
    expect(exitCode).toBe(0);
    expect(said.match(/no bytes for 60 s; waiting/gu)).toHaveLength(2);
    expect(decisionsIn(dataDir)).toEqual(whole);
  });

  test('that persists ends the run after five tries for a file and three such files', async () => {
    const four = [1, 2, 3, 4].map((id) => month(String(id), `2026053${id}.json`, [id]));
    const portal = await startPortal({ [FIRST]: four });
    portal.fail('/dataset/', ...Array.from({ length: 15 }, () => status(500)));
    const { exitCode, said } = await syncHere(portal.url, dataDir);
    expect(exitCode).toBeNull();
    expect(said).toContain('the portal answers 500, 5 times');
    expect(said).toContain('the portal does not answer; run it again later');
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
  });

  test('a zip is loaded, even if named as JSON', async () => {
    const zipOf = (...ids: number[]) =>
      zipSync({ 'x.json': Buffer.from(JSON.stringify(ids.map((id) => judgment(id)))) });
    const zip = zipOf(1, 2);
    const other = { id: 'b', name: '20220608.json', content: zipOf(3) };
    const portal = await startPortal({ [FIRST]: [{ id: 'a', name: '20220508.zip', content: zip }, other] });
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(Object.keys(decisionsIn(dataDir))).toEqual(['000000001', '000000002', '000000003']);
    portal.taken();
    portal.fail('/a/', (socket) => answer(socket, 200, zip.subarray(0, 90)));
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual([]);
  });

  test('a file missing from the list keeps its decisions, and is not fetched when listed again', async () => {
    const portal = await startPortal(files());
    await syncHere(portal.url, dataDir);
    portal.taken();
    const all = portal.dataSets[FIRST] ?? [];
    portal.dataSets[FIRST] = all.slice(0, 1);
    const { exitCode, said } = await syncHere(portal.url, dataDir);
    expect(exitCode).toBe(0);
    expect(said).toContain('1 loaded files are listed no more');
    expect(Object.keys(decisionsIn(dataDir))).toHaveLength(7);
    portal.dataSets[FIRST] = all;
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(portal.taken()).toEqual([]);
  });

  test.each<[string, Fault, string]>([
    ['an error page', (s) => answer(s, 200, '<html>'), 'does not answer as CKAN does'],
    ['success that is false', json({ success: false }), 'does not answer as CKAN does'],
    ['no data set', json({ success: true, result: { count: 0, results: [] } }), 'lists no data set'],
  ])('%s in place of the list stops the run', async (_, fault, wanted) => {
    const portal = await startPortal(files());
    portal.fail('package_search', fault);
    const stopped = await syncHere(portal.url, dataDir);
    expect(stopped).toMatchObject({ exitCode: null, said: expect.stringContaining(wanted) });
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
  });

  test.each([
    ['of another origin', { url: 'http://127.0.0.1:1/x/20260630.json' }],
    ['with a user', { url: 'http://a@127.0.0.1:1/x/20260630.json' }],
    ['of another scheme', { url: 'file:///etc/20260630.json' }],
  ])('an address %s in the list is never requested', async (_, listed) => {
    const sets = files();
    sets[FIRST] = [{ ...month('a', '20260630.json', [1]), listed }];
    const portal = await startPortal(sets);
    const { exitCode, said } = await syncHere(portal.url, dataDir);
    expect(exitCode).toBe(1);
    expect(said).toContain('is asked');
  });

  test('an answer that is compressed without request is read, as list and as file', async () => {
    const portal = await startPortal(files());
    const zipped =
      (body: string): Fault =>
      (socket) => {
        answer(socket, 200, gzipSync(body), { 'content-encoding': 'gzip' });
      };
    const result = { count: 1, results: [{ name: FIRST }] };
    portal.fail('package_search', zipped(JSON.stringify({ success: true, result })));
    portal.fail('/b/', zipped(String(portal.dataSets[FIRST]?.[1]?.content)));
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(Object.keys(decisionsIn(dataDir))).toHaveLength(5);
  });

  test.each(['../../x.json', 'Acórdãos de maio', '20260531', ''])(
    'a name %j that is no file name is replaced by the name in the address',
    async (name) => {
      const file = { ...month('a', '20260531.json', [1]), listed: { name } };
      const portal = await startPortal({ [FIRST]: [file] });
      expect((await syncHere(portal.url, dataDir)).said).toContain('primeira-turma/20260531.json');
    },
  );

  test('a redirect within the origin is followed', async () => {
    const portal = await startPortal(files());
    portal.fail('/b/', status(301, { location: '/dataset/x/b/20260630.json?v=2' }));
    expect((await syncHere(portal.url, dataDir)).exitCode).toBe(0);
    expect(decisionsIn(dataDir)).toEqual(whole);
  });

  test('a wrong length in the list is reported, and the ETag shows later changes', async () => {
    const sets = files();
    sets[FIRST] = [{ ...month('a', '20260531.json', [1]), listed: { size: 9 } }];
    const portal = await startPortal(sets);
    const { exitCode, said } = await syncHere(portal.url, dataDir);
    expect(exitCode).toBe(0);
    expect(said).toContain('bytes, and 9 in the list');
    portal.taken();
    expect((await syncHere(portal.url, dataDir)).said).toContain('not changed');
    expect(portal.taken()).toEqual([]);
    portal.dataSets[FIRST] = [{ ...month('a', '20260531.json', [1, 9]), listed: { size: 9 } }];
    await syncHere(portal.url, dataDir);
    expect(portal.taken()).toEqual(['20260531.json']);
  });
});
