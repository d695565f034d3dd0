import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/observe/log.ts';
import { openSearchLog } from '../../../src/observe/search-log.ts';
import { dueTimes } from '../../../src/tools/load/engine.ts';
import { readRecording, Replay } from '../../../src/tools/load/replay.ts';
import { planRows } from '../../../src/tools/load/plan-rows.ts';
import { readRun } from '../../../src/tools/load/result.ts';
import { acordaos, BUSCA, decisaoPath } from '../../http/checks.ts';
import { notesOf } from '../../observe/support-notes.ts';
import { run as runScript } from '../../support/run.ts';
import { startService, temporaryFolder, type Service } from '../../support/service.ts';

const ends = new AsyncDisposableStack();
afterAll(async () => ends.disposeAsync());
const folder = temporaryFolder();
const linesOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function start(count: number, environment = {}): Promise<Service> {
  const service = await startService({ stj: acordaos(count, 'dano') }, environment);
  ends.defer(async () => service.stop());
  return service;
}

describe('a recording', () => {
  const file = join(folder, 'searches.jsonl');

  test('has each search and read with a known key, and no key; a replay sends them with its own cursors, and counts ids that are gone apart', async () => {
    const recorded = await start(30, { SEARCH_LOG: file });
    const first = await recorded.busca({ q: 'dano', limite: '10' });
    const cursor = String(first.body.proximo_cursor);
    await recorded.busca({ q: 'dano', limite: '10', cursor });
    for (const { id } of [first.body.itens[0]!, first.body.itens[9]!])
      await (await recorded.get(decisaoPath(id))).text();
    await (await recorded.get(`${BUSCA}?q=${recorded.key}`)).text();
    const encoded = recorded.key.replaceAll(/[a-m]/gu, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    await (await recorded.get(`${BUSCA}?q=${encoded}`)).text();
    await (await recorded.get(`${BUSCA}?q=dano&limite=9999`)).text();
    await (await fetch(`${recorded.url}${BUSCA}?q=dano`)).text();
    await vi.waitFor(() => {
      expect(linesOf(file)).toHaveLength(7);
    });
    const lines = linesOf(file);
    expect(lines.map(({ status, key }) => [status, key])).toEqual(
      [200, 200, 200, 200, 200, 200, 400].map((one) => [one, 1]),
    );
    expect(lines[0]).toMatchObject({
      path: `${BUSCA}?q=dano&limite=10`,
      data: first.headers.get('jurisprudencia-versao'),
    });
    expect(decodeURIComponent(readFileSync(file, 'utf8'))).not.toContain(recorded.key);
    expect(statSync(file).mode & 0o077).toBe(0);

    // Other data, and another secret of cursors: the recorded cursor would be refused.
    const other = await start(12);
    const json = join(folder, 'run.json');
    const args = [other.url, '--replay', file, '--speed', '2', '--json', json];
    const { exitCode, out, err } = await runScript('tools/load/command.ts', args, { LOAD_KEY: other.key });
    expect([exitCode, err]).toEqual([0, '']);
    const run = readRun(json);
    const [step] = run.steps;
    expect(step).toMatchObject({ due: 6, errors: [] });
    expect(step!.complete + step!.gone).toBe(6);
    expect(step!.latency_ms.page?.count).toBe(1);
    expect(run.recording).toMatchObject({ speed: 2, left_out: 1 });
    expect(run.recording!.data).not.toContain(run.data);
    expect(out).toMatch(/^recording +searches\.jsonl \(6\), at 2 times its speed;/mu);
    const words = out.replaceAll(/\s+/gu, ' ');
    expect(words).toContain(`data ${run.data} recorded ${run.recording!.data.join(', ')} recording`);
    // Its requests and times are the recording's, not a mix that the load made up.
    expect(out).not.toMatch(/poisson|seed/u);
    const names = planRows(run).map(([name]) => name);
    expect(names).not.toContain('mix');
    expect(names).not.toContain('queries');
  });

  test('numbers keys anew each day, and is bounded by rotation', async () => {
    let now = Date.UTC(2026, 0, 1, 23, 59);
    const rotated = join(folder, 'rotated.jsonl');
    const recorder = openSearchLog(rotated, createLog('silent').log, () => now, 2_000);
    ends.defer(() => {
      recorder.close();
    });
    const record = (keyId: string) => {
      const notes = notesOf({ route: 'busca', keyId });
      recorder.observe(notes, 200, new Request(`http://x${BUSCA}?q=dano`), new Response());
    };
    record('a');
    record('b');
    now += 120_000;
    record('b');
    await vi.waitFor(() => {
      expect(linesOf(rotated).map(({ key }) => key)).toEqual([1, 2, 1]);
    });
    for (let at = 0; at < 40; at += 1) {
      record('a');
      await vi.waitFor(() => {
        expect(existsSync(rotated)).toBe(true);
      });
    }
    await vi.waitFor(() => {
      expect(existsSync(`${rotated}.1`)).toBe(true);
    });
    expect(statSync(rotated).size).toBeLessThanOrEqual(2_500);
  });

  test('that cannot be written fails the start; a disk that fills later only loses lines', () => {
    expect(() => openSearchLog('/no/such/x', createLog('silent').log)).toThrow(
      'SEARCH_LOG: /no/such/x cannot',
    );
    const recorder = openSearchLog('/dev/full', createLog('silent').log);
    ends.defer(() => {
      recorder.close();
    });
    for (let at = 0; at < 20_000; at += 1)
      recorder.observe(
        notesOf({ route: 'busca', keyId: 'a' }),
        200,
        new Request(`http://x${BUSCA}?q=a`),
        new Response(),
      );
  });
});

describe('a replay', () => {
  const write = (...lines: unknown[]) => {
    const file = join(folder, 'made.jsonl');
    writeFileSync(
      file,
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    return file;
  };
  const line = (time: number, path: string, more = {}) => ({
    time,
    path,
    key: 1,
    status: 200,
    ms: 1,
    data: null,
    ...more,
  });

  test('keeps the order of arrival, follows each key’s searches by its own cursors, and omits client errors', () => {
    const page = `${BUSCA}?q=dano&cursor=old`;
    const { requests, recording } = readRecording(
      write(
        line(900, page),
        line(100, `${BUSCA}?q=dano`),
        line(500, page, { key: 2 }),
        line(600, `${BUSCA}?q=`, { status: 400 }),
      ),
      1,
    );
    expect(recording.left_out).toBe(1);
    expect(requests.map(({ dueMs }) => dueMs)).toEqual([0, 400, 800]);
    const replay = new Replay(requests);
    replay.learn(replay.next(), { por_base: [], bases_sem_resposta: [], proximo_cursor: 'a/b' });
    expect(replay.next().path).toBe(page);
    expect(replay.next()).toMatchObject({ path: `${BUSCA}?q=dano&cursor=a%2Fb`, kind: 'page' });
  });

  test('repeats the recorded times', () => {
    const recorded = { dueMs: [0, 10, 40], periodMs: 60 };
    const times = dueTimes({ ratePerS: 50, arrivals: 'poisson', seed: 1, recorded });
    expect(Array.from({ length: 5 }, () => times.next().value)).toEqual([0, 10, 40, 60, 70]);
  });

  test.each([
    ['{', 'is not JSON'],
    ['{"time":1}', 'is no recorded request'],
    [line(1, 'http://elsewhere/'), 'is no recorded request'],
    [line(1, `${BUSCA}?q=a b\r\nX: y`), 'is no recorded request'],
    ['', 'holds no request'],
  ])('refuses %j', (text, message) => {
    expect(() => readRecording(write(text), 1)).toThrow(message);
  });
});
