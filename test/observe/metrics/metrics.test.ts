import { spawnSync } from 'node:child_process';
import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { until } from '../../tools/faults/support-poll.ts';
import { preparedFolder, startIn } from '../../http/folder.ts';
import { acordao } from '../../http/checks.ts';
import { served, servedInTest } from '../../support/served.ts';
import { inEachBase } from '../../support/service.ts';
import { COVERED } from '../../admin/support-all-answers.ts';
import { metricsOf, type Exposition } from '../../admin/support-metrics.ts';

const DECISIONS = inEachBase([acordao('Dano moral')]);
const start = (environment: Record<string, string> = {}) =>
  servedInTest(DECISIONS, { BASES_THREADS: '1', ...environment });
/** For tests that count nothing. */
const shared = served(DECISIONS, { BASES_THREADS: '1' });
const requests = (metrics: Exposition, route: string, status: number) =>
  metrics.value('jurisprudencia_http_requests_total', { route, status: String(status) });
const durations = (metrics: Exposition, route: string) =>
  metrics.value('jurisprudencia_http_request_duration_seconds_count', { route });

describe('/metrics', () => {
  test('is in Prometheus’s text format, with names by Prometheus’s rules', async () => {
    const response = await fetch(`${shared.adminUrl}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const { types } = await metricsOf(shared.adminUrl);
    for (const [name, type] of types) {
      expect(name).toMatch(/^(?:jurisprudencia|process)_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });

  test('has the free space of the data’s disk, and the size of each base', async () => {
    const metrics = await metricsOf(shared.adminUrl);
    const [free, all] = ['free_bytes', 'bytes'].map(
      (name) => metrics.value(`jurisprudencia_data_disk_${name}`) ?? Number.NaN,
    );
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThan(all!);
    const { size } = statSync(baseFile(shared.dataDir, 'stj'));
    expect(metrics.value('jurisprudencia_base_file_bytes', { base: 'stj' })).toBeGreaterThanOrEqual(size);
  });

  test('counts every answer by route and status', async () => {
    const service = await start({ QUOTA_PER_DAY: '6' });
    const plain = (path: string, init?: RequestInit) =>
      fetch(`${service.url}/v1/jurisprudencia/${path}`, init);
    const { etag } = Object.fromEntries((await service.get('/v1/jurisprudencia/tst:1')).headers);
    await service.get('/v1/jurisprudencia/tst:1', { headers: { 'if-none-match': etag ?? '' } });
    await service.get('/v1/jurisprudencia/tst:2');
    await service.busca({ q: 'dano' });
    await service.busca({ q: 'dano' });
    await service.busca({ q: '"dano' });
    await plain('busca?q=dano');
    await plain('tst:1', { method: 'POST' });
    await plain('cobertura');
    await plain('');
    await plain('x/y');
    await service.get('/v1/jurisprudencia/tst:3');
    await service.get('/v1/jurisprudencia/tst:4');
    const metrics = await metricsOf(service.adminUrl);
    const counted = metrics.samples
      .filter(({ name, value }) => name === 'jurisprudencia_http_requests_total' && value > 0)
      .map(({ labels, value }) => `${labels['route']} ${labels['status']} ${value}`);
    expect(counted.toSorted()).toEqual([
      'busca 200 2',
      'busca 400 1',
      'busca 401 1',
      'cobertura 200 1',
      'decisao 200 1',
      'decisao 304 1',
      'decisao 404 2',
      'decisao 405 1',
      'decisao 429 1',
      'nenhuma 404 2',
    ]);
    expect(durations(metrics, 'busca')).toBe(4);
    expect(durations(metrics, 'decisao')).toBe(6);
    expect(metrics.value('jurisprudencia_http_refusals_total', { reason: 'quota' })).toBe(1);
    expect(metrics.value('jurisprudencia_http_refusals_total', { reason: 'ip' })).toBe(0);
  });

  test('counts refusals of the per-IP limit by the requested route', async () => {
    const service = await start({ IP_REQUESTS: '1', IP_WINDOW_S: '3600' });
    for (let times = 0; times < 3; times += 1) await fetch(`${service.url}/v1/jurisprudencia/cobertura`);
    const metrics = await metricsOf(service.adminUrl);
    expect(requests(metrics, 'cobertura', 429)).toBe(2);
    expect(metrics.value('jurisprudencia_http_refusals_total', { reason: 'ip' })).toBe(2);
  });

  test('has the state, decisions, generation and threads of each base', async () => {
    const service = await start({ BASES_STF_THREADS: '3' });
    await service.busca({ q: 'dano' });
    const before = await metricsOf(service.adminUrl);
    const of = (metrics: Exposition, what: string) =>
      metrics.value(`jurisprudencia_base_${what}`, { base: 'stf' });
    const generation = of(before, 'data_generation') ?? 0;
    expect([of(before, 'up'), of(before, 'decisions'), of(before, 'queue_length')]).toEqual([1, 1, 0]);
    expect(of(before, 'thread_restarts_total')).toBe(0);
    const threads = (state: string) => before.value('jurisprudencia_base_threads', { base: 'stf', state });
    // One of them may be looking at the base at this moment.
    expect((threads('idle') ?? 0) + (threads('busy') ?? 0)).toBe(3);
    expect(threads('left_behind')).toBe(0);
    service.load('stf', [{ tipo: 'acordao', ementa: 'Outro dano' }]);
    renameSync(baseFile(service.dataDir, 'stj'), `${baseFile(service.dataDir, 'stj')}.old`);
    let after = before;
    await until('both were noticed', async () => {
      await service.busca({ q: 'dano' });
      after = await metricsOf(service.adminUrl);
      return of(after, 'decisions') === 2 && after.value('jurisprudencia_base_up', { base: 'stj' }) === 0;
    });
    expect([of(after, 'up'), of(after, 'data_generation')]).toEqual([1, generation + 1]);
  });

  test('has the time of a base’s coverage once it was calculated', async () => {
    const dataDir = preparedFolder(DECISIONS);
    const calculated = { ...COVERED, calculado_em: new Date().toISOString() };
    writeFileSync(join(dataDir, 'cobertura.json'), JSON.stringify({ versao: 1, bases: [calculated] }));
    const system = startIn(dataDir, { BASES_THREADS: '1' });
    const metrics = await metricsOf(system.adminUrl);
    await system.stop();
    const at = (base: string) => metrics.value('jurisprudencia_base_coverage_timestamp_seconds', { base });
    expect(at('tst')).toBe(Date.parse(calculated.calculado_em) / 1_000);
    expect(at('stf')).toBeUndefined();
  });

  test('has figures of the process and its event loop', async () => {
    const metrics = await metricsOf(shared.adminUrl);
    expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(metrics.value('jurisprudencia_heap_bytes')).toBeGreaterThan(100_000);
    expect(metrics.value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(metrics.value('process_open_fds')).toBeGreaterThan(BASES.length);
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' });
    expect(metrics.value('process_max_fds')).toBe(Number(stdout));
    expect(metrics.value('jurisprudencia_anonymous_memory_bytes')).toBeLessThanOrEqual(
      metrics.value('process_resident_memory_bytes') ?? 0,
    );
    const age = Date.now() / 1_000 - (metrics.value('process_start_time_seconds') ?? 0);
    expect(Math.abs(age - process.uptime())).toBeLessThan(2);
    expect(metrics.value('jurisprudencia_build_info', { bun: Bun.version })).toBe(1);
    const delays = async () =>
      (await metricsOf(shared.adminUrl)).value('jurisprudencia_event_loop_delay_seconds_count') ?? 0;
    await until('the event loop was watched', async () => (await delays()) > 1);
  });

  test('never names a key, a query or a path, and adds no series for them', async () => {
    const ask = async (word: string) => {
      await shared.busca({ q: word });
      await shared.busca({ q: word, [word]: '1' });
      await shared.get(`/v1/jurisprudencia/tst:${word}`);
      await shared.get(`/${word}`, { headers: { authorization: `Bearer ${word}` } });
    };
    // A base that has no time for near words now has a series for them later.
    await until('each base has looked for near words', async () => {
      await ask('segredo');
      const { samples } = await metricsOf(shared.adminUrl);
      const counts = samples.filter(({ name }) => name === 'jurisprudencia_base_run_seconds_count');
      return counts.filter(({ labels }) => labels['kind'] === 'proximos').length === BASES.length;
    });
    const text = await (await fetch(`${shared.adminUrl}/metrics`)).text();
    expect(text).not.toContain('segredo');
    expect(text).not.toContain(shared.key);
    const digests = readdirSync(join(shared.dataDir, 'keys')).map((name) => name.replace('.json', ''));
    for (const digest of digests) expect(text).not.toContain(`"${digest}"`);
    const series = (await metricsOf(shared.adminUrl)).samples.length;
    for (const word of ['outro', 'mais', 'nada']) await ask(word);
    expect((await metricsOf(shared.adminUrl)).samples).toHaveLength(series);
  });
});
