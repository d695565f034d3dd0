import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { loadOf } from '../../../src/tools/load/load-plan.ts';
import type { Load } from '../../../src/tools/load/plan.ts';
import { loadCommand } from '../../../src/tools/load/options.ts';
import { preflight } from '../../../src/tools/load/preflight.ts';
import { readRun } from '../../../src/tools/load/result.ts';
import { ownPort } from '../../support/own-port.ts';
import { startScript } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';
import { madeRun } from './made-run.ts';
import {
  fakeService,
  KEY,
  load,
  measured,
  searchBody,
  type FakeService,
  type Reaction,
} from './fake-service.ts';

const NOBODY = `http://127.0.0.1:${ownPort()}`;
const SHORT = ['--rate', '200', '--duration', '500ms', '--warmup', '0', '--arrivals', 'constant'];

// Each test waits for its processes.
describe.concurrent('bun run load', () => {
  const folder = temporaryFolder();
  const services: FakeService[] = [];
  afterAll(async () => {
    for (const service of services) await service.stop();
  });
  const start = (react?: (path: string, index: number) => Reaction): FakeService => {
    const service = fakeService(react);
    services.push(service);
    return service;
  };
  const file = (name: string, text = ''): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test('asks each request that is due, follows cursors, reads records, and leaves the warm-up out', async () => {
    const { url, paths, keys } = start();
    // So long that some answers come before the last request is due, also where a machine stands still for a second.
    const long = ['--rate', '50', '--duration', '2s', '--warmup', '400ms', '--arrivals', 'constant'];
    const { run, out } = await measured(folder, [url, ...long, '--records', '0.5', '--follow', '0.5']);
    const [step] = run.steps;
    expect(step).toMatchObject({ due: 100, complete: 100, incomplete: 0, rejected: 0, errors: [] });
    // The warm-up's 20, and the one search that looks whether the key is good.
    expect(paths).toHaveLength(121);
    expect(out).toContain('121 requests in all: 100 measured, 20 of the warm-up, 1 before it');
    expect(keys).toEqual(new Set([`Bearer ${KEY}`]));
    expect(step?.latency_ms.all?.count).toBe(100);
    expect(step?.bases.map(({ base }) => base)).toEqual([...BASES]);
    expect(paths.some((path) => path.includes('&cursor=c%2F1%2B2'))).toBe(true);
    expect(paths).toContain('/v1/jurisprudencia/stj:7');
  });

  test('sends only the queries of a given file, with URL characters escaped, and writes no key and no folder', async () => {
    const { url, paths } = start();
    const queries = file('consultas.txt', '\uFEFFdano moral\r\n\r\n  "art. 5º" & mais\r\n');
    const html = file('report.html');
    const alone = ['--records', '0', '--follow', '0', '--limite', '3', '--ordem', 'recentes'];
    const args = [...alone, '--queries', queries, '--html', html, '--key', `${KEY}2`];
    const { out, json } = await measured(folder, [url, ...SHORT, ...args]);
    const [, ...asked] = paths;
    expect(asked.every((path) => path.endsWith('&ordem=recentes&limite=3'))).toBe(true);
    expect(new Set(asked.map((path) => new URLSearchParams(path.split('?')[1]).get('q')))).toEqual(
      new Set(['dano moral', '"art. 5º" & mais']),
    );
    for (const text of [out, readFileSync(html, 'utf8'), readFileSync(json, 'utf8')])
      expect([text.includes(KEY), text.includes(folder)]).toEqual([false, false]);
  });

  test('counts errors by status and codigo, and a timed-out request with the time that it waited', async () => {
    const never = Promise.withResolvers<void>();
    const reactions: Reaction[] = [
      { status: 429, body: 'devagar' },
      { status: 500, body: '{"erro":"…","codigo":"ERRO_INTERNO"}' },
      { body: searchBody({ bases_sem_resposta: [{ base: 'stj', tempo_esgotado: true }] }) },
      { after: never.promise },
      {},
    ];
    const { url } = start((_, index) => (index === 0 ? {} : (reactions[index % 5] ?? {})));
    const { run, out } = await measured(folder, [url, ...SHORT, '--records', '0', '--timeout', '2s']);
    never.resolve();
    const [step] = run.steps;
    expect(step).toMatchObject({ due: 100, complete: 20, incomplete: 20 });
    expect(step?.errors).toEqual(
      ['429', '500 ERRO_INTERNO', 'timeout'].map((error) => ({ error, count: 20 })),
    );
    expect(step?.latency_ms.all).toMatchObject({ count: 60 });
    expect(step?.latency_ms.all?.max).toBeGreaterThanOrEqual(2_000);
    expect(out).toMatch(/20 status 429\s+\(per-IP\s+limit\)/u);
  });

  test('raises the rate by even factors in several passes, and reports the knee in words', async () => {
    const { url } = start();
    const sweep = [
      '--rate-from',
      '50',
      '--rate-to',
      '200',
      '--steps',
      '3',
      '--passes',
      '2',
      '--arrivals',
      'constant',
    ];
    const { run, out } = await measured(folder, [url, ...sweep, '--duration', '200ms', '--warmup', '0']);
    expect(run.steps.map(({ rate_per_s }) => rate_per_s)).toEqual([50, 100, 200]);
    expect(run.plan.batch_s).toBe(0.04);
    // Batches go over all passes.
    expect(run.steps[2]?.batches.map(({ ended }) => ended)).toEqual(Array.from({ length: 10 }, () => 8));
    expect(out).toMatch(/^knee: |^no knee: /mu);
  });

  test('ends with 2 when a condition is met, and reports saved runs again, alone and compared', async () => {
    const { url } = start((_, index) => ({
      ...(index > 0 && index % 4 === 0 ? { status: 500, body: '' } : {}),
      headers: { 'server-timing': 'tst;dur=0.25;cache=hit', ratelimit: '"dia";r=50;t=100' },
    }));
    const [json, html] = [file('verdict.json'), file('again.html')];
    const failed = await load([url, ...SHORT, '--fail-if', 'p99>60000, complete<99', '--json', json]);
    expect(failed.exitCode).toBe(2);
    expect(failed.out).toMatch(/^fail-if p99>60000: not met \([\d.]+ at 200\/s\)$/mu);
    expect(failed.out).toMatch(/^fail-if complete<99: MET \([\d.]+ at 200\/s\)$/mu);
    const { warnings } = readRun(json);
    expect(warnings.map(({ code }) => code)).toEqual(expect.arrayContaining(['cached', 'quota_low']));
    expect(await load(['--from', json])).toMatchObject({ exitCode: 2, out: failed.out });
    const both = ['--from', json, '--compare', json, '--html', html, '--name', 'dois <b>'];
    const compared = await load([...both, '--fail-if', 'complete<10,p99>+20%']);
    expect(compared.exitCode).toBe(0);
    expect(compared.out).toMatch(/^compared with /mu);
    expect(compared.out).toMatch(/^fail-if p99>\+20%: not met \(0%, within noise\)$/mu);
    expect(readFileSync(html, 'utf8')).toContain('now: dois &lt;b&gt;');
  });

  test('ends at Ctrl-C with the report of what was measured', async () => {
    const seen = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { url } = start((_, index) => {
      if (index === 150) seen.resolve();
      return index > 140 ? { after: held.promise } : {};
    });
    const json = file('stopped.json');
    const args = [url, '--json', json, ...'--rate 200 --duration 1h --warmup 100ms --seed 5'.split(' ')];
    const child = startScript('tools/load/command.ts', args, { LOAD_KEY: KEY });
    await seen.promise;
    child.kill('SIGINT');
    expect(await child.ended).toBe(130);
    held.resolve();
    expect(child.err()).toContain('stopping');
    expect(child.out()).toContain('the load was stopped early');
    const [step] = readRun(json).steps;
    // Those that the service held were cut off, and are no errors of the service.
    expect(step?.interrupted).toBeGreaterThan(0);
    expect(step?.errors).toEqual([]);
  });

  /** The plan of a load with these arguments, as the command makes it. */
  const planFor = async (...args: string[]): Promise<Load> => {
    let plan: Load | undefined;
    const command = loadCommand(async (url, options) => {
      plan = loadOf(url, options);
    });
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    await command.parseAsync(args, { from: 'user' });
    return plan!;
  };
  const firstSearch = async (url: string) => preflight(await planFor(url, '--key', KEY));

  describe('refuses, in one plain line', () => {
    test.each([
      [[], 'which service?'],
      [['127.0.0.1:3000'], 'is not an address'],
      [['http://192.0.2.1:3000'], 'add --allow-remote'],
      [['http://localhost.example'], 'add --allow-remote'],
      [['http://u:p@127.0.0.1'], 'omit them'],
      [['http://127.0.0.1/?q=1'], 'without ?q=1'],
      [[NOBODY, '--rate', '1', '--rate-to', '3'], 'not both'],
      [[NOBODY, '--rate-to', '3'], 'needs both'],
      [[NOBODY, '--rate-from', '3', '--rate-to', '3'], 'must be greater'],
      [[NOBODY, '--steps', '3'], '--steps needs a sweep'],
      [[NOBODY, '--speed', '3'], 'add --replay FILE'],
      [[NOBODY, '--replay', 'x', '--rate', '3'], 'give only --speed, --loop and --duration'],
      [[NOBODY, '--replay', 'x', '--loop'], '--loop and --duration go together'],
      [[NOBODY, '--key', 'a\r\nHost: b'], 'no key has'],
      [[NOBODY, '--key', ''], 'which key? set LOAD_KEY'],
      [[NOBODY, '--rate', '0'], 'It must be'],
      [[NOBODY, '--duration', '3d'], 'It must be'],
      [[NOBODY, '--warmup', '-1s'], 'It must be'],
      [[NOBODY, '--ordem', 'data'], 'Allowed choices'],
      [[NOBODY, '--sed', '3'], 'Did you mean --seed'],
      [[NOBODY, '--fail-if', 'p98>200'], 'no figure is named p98; there are p50, p90'],
      [[NOBODY, '--fail-if', 'p99>200ms'], 'write a figure, <'],
    ])('%j, as it plans', async (args, message) => {
      await expect(planFor('--key', KEY, ...args)).rejects.toThrow(message);
    });

    test.each([
      [[NOBODY], `nothing listens at ${NOBODY}`],
      [[NOBODY, '--html', '/no/such/x.html'], 'no such folder'],
      [[NOBODY, '--json', '/'], 'is a folder'],
      [[NOBODY, '--queries', '/'], 'expected a file but found a folder'],
      [[NOBODY, '--compare', '/no/such'], 'no such file'],
      [[NOBODY, '--from', 'x.json'], 'omit the address'],
      [[NOBODY, '--fail-if', 'knee<100'], 'needs a sweep'],
    ])('%j', async (args, message) => {
      const { exitCode, out, err } = await load(args);
      expect([exitCode, out, err.trim().split('\n').length]).toEqual([1, '', 1]);
      expect(err).toContain(message);
    });

    test.each([
      [{ status: 401, body: '{}' }, 'does not know this key'],
      [{ status: 404, body: '{}' }, 'without /v1'],
      [{ status: 429, body: '{"codigo":"COTA_ESGOTADA"}' }, 'used up its quota'],
      [{ status: 429, body: 'x' }, 'per-IP limit'],
      [{ status: 502, body: '' }, 'status 502'],
      [{ body: '<html></html>' }, 'not like this service'],
    ])('a service that answers its first search with %j', async (reaction, message) => {
      await expect(firstSearch(start(() => reaction).url)).rejects.toThrow(message);
    });

    test('https where there is none, before the key is sent', async () => {
      const { url, paths } = start();
      await expect(firstSearch(url.replace('http:', 'https:'))).rejects.toThrow('no trusted connection');
      expect(paths).toEqual([]);
    });

    test.each([
      ['{', 'is not JSON, or was cut'],
      ['[]', 'is not a run of this command'],
      ['{"schema":"jurisprudencia-load","version":5}', 'has version 5, this command reads 6'],
      ['{"schema":"jurisprudencia-load","version":6}', 'is damaged'],
    ])('a saved run that holds %j', (text, message) => {
      expect(() => readRun(file('bad.json', text))).toThrow(message);
    });

    test('a saved run without the reasons of each rate', () => {
      const text = JSON.stringify({
        ...madeRun([10]),
        knee: { found: 'single', rate_per_s: null, reasons: [] },
      });
      expect(() => readRun(file('bad.json', text))).toThrow('at /knee/reasons');
    });

    test.each([
      ['', 'holds no query'],
      [`dano moral\n${'x'.repeat(301)}\n`, 'line 2: a query has 2 to 300 characters, this one 301'],
      ['a\n', 'line 1'],
    ])('a query file that holds %j', async (text, message) => {
      const bad = file(`${text.length}.txt`, text);
      await expect(planFor(NOBODY, '--key', KEY, '--queries', bad)).rejects.toThrow(message);
    });
  });
});
