import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/observe/log.ts';
import { openSearchLog } from '../../../src/observe/search-log.ts';
import { readRecording, Replay } from '../../../src/tools/load/replay.ts';
import { acordaos, BUSCA, decisaoPath } from '../../http/checks.ts';
import { notesOf } from '../../observe/support-notes.ts';
import { startService, temporaryFolder, type Service } from '../../support/service.ts';
import { measured } from './fake-service.ts';

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

  test('has each search and read with a known key, and no key; a replay sends them with its own cursors, and counts ids that no longer exist separately', async () => {
    const recorded = await start(30, { SEARCH_LOG: file });
    const first = await recorded.busca({ q: 'dano', limite: '10' });
    const cursor = String(first.body.proximo_cursor);
    const encoded = recorded.key.replaceAll(/[a-m]/gu, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    for (const path of [
      `${BUSCA}?q=dano&limite=10&cursor=${encodeURIComponent(cursor)}`,
      ...['stj:1', 'stj:30'].map((id) => decisaoPath(id)),
      `${BUSCA}?q=${recorded.key}`,
      `${BUSCA}?q=${encoded}`,
      `${BUSCA}?q=dano&limite=9999`,
    ])
      await (await recorded.get(path)).text();
    await (await fetch(`${recorded.url}${BUSCA}?q=dano`)).text();
    await vi.waitFor(() => {
      expect(linesOf(file)).toHaveLength(7);
    });
    const lines = linesOf(file);
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 400]);
    const data = first.headers.get('jurisprudencia-versao');
    expect(lines[0]).toMatchObject({ path: `${BUSCA}?q=dano&limite=10`, key: 1, data });
    expect(decodeURIComponent(readFileSync(file, 'utf8'))).not.toContain(recorded.key);
    expect(statSync(file).mode & 0o077).toBe(0);

    // Other data, and another secret of cursors: the recorded cursor would be refused.
    const other = await start(12);
    const args = [other.url, '--replay', file, '--speed', '2'];
    const { run, out } = await measured(folder, args, { LOAD_KEY: other.key });
    const [step] = run.steps;
    expect(step).toMatchObject({
      due: 6,
      complete: 5,
      gone: 1,
      errors: [],
      latency_ms: { page: { count: 1 } },
    });
    expect(run.recording).toMatchObject({ speed: 2, left_out: 1 });
    const words = out.replaceAll(/\s+/gu, ' ');
    expect(words).toContain(
      `data ${run.data} recorded of ${data} recording searches.jsonl (6), at 2 times its speed;`,
    );
    // Its requests and times are the recording's, not a mix that the load made up.
    expect(words).not.toMatch(/poisson|seed| mix | queries /u);
  });

  const observed = (recorder: ReturnType<typeof openSearchLog>, keyId: string) => {
    const request = new Request(`http://x${BUSCA}?q=dano`);
    recorder.observe(notesOf({ route: 'busca', keyId }), 200, request, new Response());
  };

  test('numbers keys anew each day, and is bounded by rotation', async () => {
    let now = Date.UTC(2026, 0, 1, 23, 59);
    const rotated = join(folder, 'rotated.jsonl');
    const recorder = openSearchLog(rotated, createLog('silent').log, () => now, 2_000);
    ends.defer(() => {
      recorder.close();
    });
    for (const key of ['a', 'b']) observed(recorder, key);
    now += 120_000;
    observed(recorder, 'b');
    await vi.waitFor(() => {
      expect(linesOf(rotated).map(({ key }) => key)).toEqual([1, 2, 1]);
    });
    for (let at = 0; at < 40; at += 1) {
      observed(recorder, 'a');
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
    const open = (path: string) => openSearchLog(path, createLog('silent').log);
    expect(() => open('/no/such/x')).toThrow('SEARCH_LOG: /no/such/x cannot');
    const recorder = open('/dev/full');
    ends.defer(() => {
      recorder.close();
    });
    for (let at = 0; at < 20_000; at += 1) observed(recorder, 'a');
  });
});

describe('a replay', () => {
  const line = (time: number, path: string, more = {}) =>
    JSON.stringify({ time, path, key: 1, status: 200, ms: 1, data: null, ...more });
  const readLines = (...lines: string[]) => {
    const made = join(folder, 'made.jsonl');
    writeFileSync(made, lines.join('\n'));
    return readRecording(made, 2);
  };

  test('keeps the order of arrival, follows each key’s searches by its own cursors, and omits client errors', () => {
    const page = `${BUSCA}?q=dano&cursor=old`;
    const { requests, recording, periodMs } = readLines(
      line(900, page),
      line(100, `${BUSCA}?q=dano`),
      line(500, page, { key: 2, status: 429 }),
      line(600, `${BUSCA}?q=`, { status: 400 }),
    );
    expect(recording.left_out).toBe(1);
    expect(requests.map(({ dueMs }) => dueMs)).toEqual([0, 200, 400]);
    // The mean gap is also before the recording is repeated.
    expect(periodMs).toBe(600);
    const replay = new Replay(requests);
    replay.learn(replay.next(), { por_base: [], bases_sem_resposta: [], proximo_cursor: 'a/b' });
    expect(replay.next().path).toBe(page);
    expect(replay.next()).toMatchObject({ path: `${BUSCA}?q=dano&cursor=a%2Fb`, kind: 'page' });
  });

  test.each([
    ['{', 'line 1 is not JSON; take out a line that was cut'],
    ['{"time":1}', 'is no recorded request'],
    [line(1, 'http://elsewhere/'), 'is no recorded request'],
    [line(1, `${BUSCA}?q=a b\r\nX: y`), 'is no recorded request'],
    ['', 'holds no request'],
  ])('refuses %j', (text, message) => {
    expect(() => readLines(text)).toThrow(message);
  });
});
