import { renameSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { LatestRequests } from '../../src/http/latest-requests.ts';
import type { RequestNotes } from '../../src/http/observer.ts';
import { RequestLog } from '../../src/http/request-log.ts';
import { newKey } from '../../src/keys/key.ts';
import { issueKey } from '../../src/keys/store.ts';
import { startSystem } from '../../src/system.ts';
import { until } from '../tools/faults/support-poll.ts';
import { capturedLog } from '../support/captured-log.ts';
import { fetchChecked } from '../support/documented.ts';
import { configIn } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { notesOf, stepOf } from '../observe/support-notes.ts';
import { preparedFolder } from './folder.ts';

const DEBUG = 20;
const WARN = 40;
const ERROR = 50;

describe('the log of a service', () => {
  function start(level: string, environment: Record<string, string>) {
    const dataDir = preparedFolder({ tst: [{ tipo: 'acordao', ementa: 'Dano moral' }] });
    const key = issueKey(dataDir, 'teste', null, new Date());
    const { lines, log } = capturedLog(level);
    const system = startSystem(configIn(dataDir, { BASES_THREADS: '1', ...environment }), log);
    onTestFinished(() => system.stop());
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetchChecked(`${system.url}/v1/jurisprudencia/${path}`, {
        headers: { authorization: `Bearer ${key}`, ...headers },
      });
      await response.body?.cancel();
      return response;
    };
    return { dataDir, key, lines, get };
  }

  test('has one line a request at debug: route, status, time and request id, never the path or the key', async () => {
    const { key, lines, get } = start('debug', { SLOW_MS: '0', QUOTA_PER_DAY: '2' });
    await get('tst:1', { 'x-request-id': 'pedido-1' });
    await get('busca?q=segredo', { 'x-request-id': 'pedido-2' });
    await get('busca?q=segredo', { 'x-request-id': 'pedido-3' });
    await get('segredo/x', { 'x-request-id': 'pedido-4' });
    await get(key, { 'x-request-id': 'pedido-5' });
    const requests = lines.filter(({ msg }) => msg === 'request');
    const of = (id: number) => requests.filter((line) => line['request_id'] === `pedido-${id}`);
    const line = { level: DEBUG, ms: expect.any(Number) };
    expect(of(1)).toEqual([expect.objectContaining({ ...line, route: 'decisao', status: 200 })]);
    expect(of(2)).toEqual([expect.objectContaining({ ...line, route: 'busca', status: 200 })]);
    expect(of(3)).toEqual([
      expect.objectContaining({ ...line, route: 'busca', status: 429, refusal: 'quota' }),
    ]);
    expect(of(4)).toEqual([expect.objectContaining({ ...line, route: 'nenhuma', status: 404 })]);
    expect(requests).toHaveLength(5);
    expect(JSON.stringify(lines)).not.toMatch(/segredo|jur_/);
  });

  test('has no line for ordinary requests at info', async () => {
    const { lines, get } = start('info', { SLOW_MS: '600000' });
    await get('busca?q=dano');
    await get('tst:9');
    expect(lines).toEqual([]);
  });

  test('has a slow search with its query and the steps of each base, and no key that the query contains', async () => {
    const { key, lines, get } = start('info', { SLOW_MS: '1' });
    const texts = [key, newKey().toUpperCase(), newKey().slice('jur_'.length)];
    await get(`busca?q=dano+${texts.join('+')}&tribunal=tst,stf`, { 'x-request-id': 'pedido-1' });
    const [line, ...others] = lines.filter(({ msg }) => msg === 'slow request');
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: WARN,
      request_id: 'pedido-1',
      route: 'busca',
      status: 200,
      q: 'dano jur_… jur_… jur_…',
      ordem: 'relevancia',
      ordem_aplicada: { tst: 'relevancia', stf: 'relevancia' },
      bases_sem_resposta: [],
    });
    expect(line).not.toHaveProperty('leitura');
    await get('busca?q=d%27%C3%A1gua');
    expect(lines.at(-1)).toMatchObject({ q: "d'água", leitura: '"d agua"' });
    const steps = line?.['steps'] as Record<string, number>[];
    expect(steps.map(({ base, kind }) => `${base} ${kind}`)).toEqual([
      'tst relevancia',
      'stf relevancia',
      'tst proximos',
      'stf proximos',
    ]);
    for (const step of steps.slice(0, 2)) {
      expect(step).toMatchObject({ kind: 'relevancia', outcome: 'ok' });
      const { at_ms = -1, queue_ms = -1, run_ms = -1, count_ms = -1, rows_ms = -1 } = step;
      expect(Math.min(at_ms, queue_ms, count_ms, rows_ms)).toBeGreaterThanOrEqual(0);
      expect(run_ms).toBeGreaterThan(0);
      expect(at_ms + queue_ms + run_ms).toBeLessThanOrEqual((line?.['ms'] as number) + 1);
    }
  });

  test('warns of a record read that ended with 504, with the steps of its base', async () => {
    const { dataDir, lines, get } = start('info', { SLOW_MS: '0' });
    renameSync(baseFile(dataDir, 'stf'), `${baseFile(dataDir, 'stf')}.old`);
    const read = () => get('stf:1', { 'x-request-id': 'pedido-1' });
    await until('the base was gone', async () => (await read()).status === 504);
    const failed = lines.filter(({ msg }) => msg === 'request not answered');
    expect(failed).toEqual([
      expect.objectContaining({
        level: WARN,
        request_id: 'pedido-1',
        status: 504,
        steps: [expect.objectContaining({ base: 'stf', kind: 'registro', outcome: 'unavailable' })],
      }),
    ]);
  });
});

describe('the log line of a request', () => {
  function start(slowMs: number, level = 'info') {
    const clock = new SimulatedClock();
    const { lines, log } = capturedLog(level);
    const requests = new RequestLog({ log, clock, slowMs, latest: new LatestRequests() });
    const observe = (notes: RequestNotes, status: number) => {
      const ms = clock.now() - notes.startedAt;
      requests.observe({ notes, status, ms, em: 0, request: new Request('http://x/'), traceId: 'trace' });
    };
    return { clock, lines, observe };
  }
  const STEP = stepOf({ base: 'tst', startedAt: 1, queueMs: 2, runMs: 3.456, outcome: 'deadline' });
  const notes = (startedAt: number, fault: unknown = null) => notesOf({ startedAt, fault, steps: [STEP] });

  test('is a warning from SLOW_MS on, and never with SLOW_MS=0', async () => {
    for (const [slowMs, expected] of [
      [500, 1],
      [501, 0],
      [0, 0],
    ] as const) {
      const { clock, lines, observe } = start(slowMs);
      await clock.advance(500);
      observe(notes(0), 200);
      expect(lines.map(({ msg }) => msg)).toEqual(expected === 1 ? ['slow request'] : []);
    }
  });

  test('is an error with its cause for an unforeseen fault, slow or not', async () => {
    const { clock, lines, observe } = start(500);
    await clock.advance(500);
    observe(notes(0, new Error('boom')), 500);
    expect(lines).toEqual([
      expect.objectContaining({ level: ERROR, msg: 'request failed', status: 500, ms: 500 }),
    ]);
    expect(lines[0]).toMatchObject({
      err: { message: 'boom' },
      steps: [{ base: 'tst', at_ms: 1, queue_ms: 2, run_ms: 3.45, outcome: 'deadline' }],
    });
  });

  test('is at debug, without a status, if the client had left', async () => {
    const { clock, lines, observe } = start(500, 'debug');
    await clock.advance(3_000);
    observe({ ...notes(0), isAbandoned: true }, 200);
    observe({ ...notes(0), route: 'decisao', isAbandoned: true }, 504);
    const common = { level: DEBUG, time: expect.any(Number), request_id: 'r', trace_id: 'trace' };
    const line = { ...common, ms: 3_000, msg: 'request abandoned' };
    expect(lines).toEqual([
      { ...line, route: 'busca' },
      { ...line, route: 'decisao' },
    ]);
  });

  test('is written at most ten times a second, followed by the number left out', async () => {
    const { clock, lines, observe } = start(500);
    await clock.advance(500);
    for (let times = 0; times < 1_000; times += 1) observe(notes(0), 200);
    for (let times = 0; times < 13; times += 1) observe(notes(0, new Error('boom')), 500);
    expect(lines).toHaveLength(20);
    await clock.advance(1_000);
    expect(lines.slice(20)).toEqual([
      expect.objectContaining({ level: WARN, requests: 990, msg: 'more requests were slow' }),
      expect.objectContaining({ level: ERROR, requests: 3, msg: 'more requests failed' }),
    ]);
    observe(notes(0), 200);
    await clock.advance(1_000);
    expect(lines).toHaveLength(23);
  });
});
