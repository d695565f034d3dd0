import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { explain } from '../../../src/process/fail.ts';
import { loadOf } from '../../../src/tools/load/load-plan.ts';
import type { Load } from '../../../src/tools/load/plan.ts';
import { loadCommand } from '../../../src/tools/load/options.ts';
import { preflight } from '../../../src/tools/load/preflight.ts';
import { readRun, type Run } from '../../../src/tools/load/result.ts';
import { SUMMARY_WIDTH } from '../../../src/tools/load/summary.ts';
import { ownPort } from '../../support/own-port.ts';
import { run as runScript, startScript, type Finished } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';
import { fakeService, rudeServer, searchBody, type FakeService, type Reaction } from './fake-service.ts';

const SCRIPT = 'tools/load/command.ts';
const KEY = 'jur_secretsecretsecret';
const NOBODY = `http://127.0.0.1:${ownPort()}`;
const SHORT = ['--rate', '200', '--duration', '500ms', '--warmup', '100ms', '--arrivals', 'constant'];

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
  const load = async (...args: string[]): Promise<Finished> => runScript(SCRIPT, args, { LOAD_KEY: KEY });
  let files = 0;
  const file = (name: string): string => {
    files += 1;
    return join(folder, `${files}-${name}`);
  };
  /** A load that writes its figures, which must be as the schema says. */
  const figures = async (...args: string[]): Promise<{ run: Run; out: string; json: string }> => {
    const json = file('figures.json');
    const { exitCode, out, err } = await load(...args, '--json', json);
    expect(err).toBe('');
    expect(exitCode).toBe(0);
    return { run: readRun(json), out, json };
  };

  test('asks each request that is due, follows cursors, reads records, and leaves the warm-up out', async () => {
    const { url, paths, keys } = start();
    // So long that some answers come before the last request is due, also where a machine stands still for a second.
    const long = ['--rate', '50', '--duration', '2s', '--warmup', '400ms', '--arrivals', 'constant'];
    const mix = ['--records', '0.5', '--follow', '0.5'];
    const { run, out } = await figures(url, ...long, ...mix);
    const [step] = run.steps;
    expect(step).toMatchObject({ due: 100, complete: 100, incomplete: 0, rejected: 0, errors: [] });
    // The warm-up's 20, and the one search that looks whether the key is good.
    expect(paths).toHaveLength(121);
    expect(run.requests).toEqual({ before: 1, warm_up: 20, measured: 100 });
    expect(out).toContain('121 requests in all: 100 measured, 20 of the warm-up, 1 before it');
    expect(keys).toEqual(new Set([`Bearer ${KEY}`]));
    expect(step?.latency_ms.all?.count).toBe(100);
    expect(step?.bases.map(({ base }) => base)).toEqual([...BASES]);
    expect(paths.some((path) => path.includes('&cursor=c%2F1%2B2'))).toBe(true);
    expect(paths).toContain('/v1/jurisprudencia/stj:7');
    expect(paths).not.toContain('/v1/jurisprudencia/x:1');
  });

  test('sends only the queries of a given file, with URL characters escaped', async () => {
    const { url, paths } = start();
    const queries = file('consultas.txt');
    writeFileSync(queries, '\uFEFFdano moral\r\n\r\n  "art. 5º" & mais\r\n');
    const alone = ['--records', '0', '--follow', '0', '--limite', '3', '--ordem', 'recentes'];
    await figures(url, ...SHORT, ...alone, '--queries', queries);
    const [, ...asked] = paths;
    expect(asked.every((path) => path.endsWith('&ordem=recentes&limite=3'))).toBe(true);
    expect(new Set(asked.map((path) => new URLSearchParams(path.split('?')[1]).get('q')))).toEqual(
      new Set(['dano moral', '"art. 5º" & mais']),
    );
  });

  test('counts errors by status and codigo, warns of the per-IP limit, and fits 80 columns', async () => {
    const refusals: Reaction[] = [
      { status: 429, body: 'devagar' },
      { status: 500, body: '{"erro":"…","codigo":"ERRO_INTERNO"}' },
      { body: searchBody({ bases_sem_resposta: [{ base: 'stj', tempo_esgotado: true }] }) },
      {},
    ];
    const { url } = start((_, index) => (index === 0 ? {} : (refusals[index % 4] ?? {})));
    // No warm-up: which of its answers came first would move the counts.
    const { run, out } = await figures(url, ...SHORT, '--records', '0', '--warmup', '0');
    const [step] = run.steps;
    expect(step).toMatchObject({ due: 100, complete: 25, incomplete: 25 });
    expect(step?.errors).toEqual([
      { error: '429', count: 25 },
      { error: '500 ERRO_INTERNO', count: 25 },
    ]);
    expect(out).toMatch(/25 status 429\s+\(per-IP\s+limit\)/u);
    expect(run.warnings.map(({ code }) => code)).toContain('ip_limit');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(SUMMARY_WIDTH);
  });

  test('counts a timed-out request with the time that it waited', async () => {
    const never = Promise.withResolvers<void>();
    const { url } = start((_, index) => (index > 0 && index % 10 === 0 ? { after: never.promise } : {}));
    const { run } = await figures(url, ...SHORT, '--timeout', '2s');
    never.resolve();
    const [step] = run.steps;
    const [{ error, count } = { error: '', count: 0 }] = step?.errors ?? [];
    expect(error).toBe('timeout');
    expect(count + (step?.complete ?? 0)).toBe(100);
    expect(step?.latency_ms.all?.count).toBe(100);
    expect(step?.latency_ms.all?.max).toBeGreaterThanOrEqual(2_000);
  });

  test('raises the rate by even factors, and reports the knee in words', async () => {
    const { url } = start();
    const sweep = ['--rate-from', '50', '--rate-to', '200', '--steps', '3', '--passes', '2'];
    const { run, out } = await figures(url, ...sweep, '--duration', '200ms', '--warmup', '0');
    expect(run.plan.rates_per_s).toEqual([50, 100, 200]);
    expect(run.steps).toHaveLength(3);
    expect(run.plan.batch_s).toBe(0.04);
    expect(run.steps[2]?.batches).toHaveLength(10);
    expect(out).toMatch(/^knee: |^no knee: /mu);
  });

  test('writes no key and no folder of the machine', async () => {
    const { url } = start();
    const queries = file('minhas.txt');
    writeFileSync(queries, 'dano moral\n');
    const html = file('report.html');
    const args = ['--queries', queries, '--html', html, '--key', `${KEY}2`];
    const { out, json } = await figures(url, ...SHORT, ...args);
    for (const text of [out, readFileSync(html, 'utf8'), readFileSync(json, 'utf8')]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(folder);
    }
  });

  test('ends with 2 when a condition of --fail-if is met, and with 0 when none is', async () => {
    const { url } = start((_, index) => (index > 0 && index % 4 === 0 ? { status: 500, body: '' } : {}));
    const json = file('verdict.json');
    const failed = await load(url, ...SHORT, '--fail-if', 'p99>60000, complete<99', '--json', json);
    expect(failed.exitCode).toBe(2);
    expect(failed.out).toMatch(/^fail-if p99>60000: not met \([\d.]+ at 200\/s\)$/mu);
    expect(failed.out).toMatch(/^fail-if complete<99: MET \([\d.]+ at 200\/s\)$/mu);
    expect((await load('--from', json)).exitCode).toBe(2);
    expect((await load('--from', json, '--fail-if', 'complete<10')).exitCode).toBe(0);
  });

  test('tells the fraction of answers from the result cache, and warns past half, and of a quota that it will use up', async () => {
    const { url } = start((_, index) => ({
      headers: {
        'server-timing': `tst;dur=0.25;cache=${index % 4 === 0 ? 'miss' : 'hit'}`,
        ratelimit: '"dia";r=50;t=100',
      },
    }));
    const { run, out } = await figures(url, ...SHORT, '--warmup', '0');
    expect(run.steps[0]).toMatchObject({ cache_reported: 100, cache_hits: 75 });
    expect(out).toContain('result cache: 75% of 100 answers came from it');
    expect(run.warnings).toContainEqual(
      expect.objectContaining({ code: 'cached', value: 0.75, rate_per_s: 200 }),
    );
    expect(run.warnings).toContainEqual(
      expect.objectContaining({ code: 'quota_low', value: 50, rate_per_s: null }),
    );
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
    const child = startScript(SCRIPT, args, { LOAD_KEY: KEY });
    await seen.promise;
    child.kill('SIGINT');
    const exitCode = await child.ended;
    held.resolve();
    expect(exitCode).toBe(130);
    expect(child.err()).toContain('stopping');
    expect(child.out()).toContain('the load was stopped early');
    const run = readRun(json);
    expect(run.warnings.map(({ code }) => code)).toContain('interrupted');
    // Those that the service held were cut off, and are no errors of the service.
    expect(run.steps[0]?.interrupted).toBeGreaterThan(0);
    expect(run.steps[0]?.errors).toEqual([]);
  });

  test('writes the report of saved runs again, alone and compared', async () => {
    const { url } = start();
    const { json: saved } = await figures(url, ...SHORT);
    const html = file('again.html');
    expect((await load('--from', saved, '--html', html)).exitCode).toBe(0);
    expect(readFileSync(html, 'utf8')).not.toContain('before:');
    const both = await load('--from', saved, '--compare', saved, '--html', html, '--name', 'dois <b>');
    expect(both.exitCode).toBe(0);
    expect(readFileSync(html, 'utf8')).toContain('now: dois &lt;b&gt;');
    const text = await load('--from', saved, '--compare', saved, '--fail-if', 'p99>+20%');
    expect(text.exitCode).toBe(0);
    expect(text.out).toMatch(/^compared with /mu);
    expect(text.out).toMatch(/^fail-if p99>\+20%: not met \(0%, within noise\)$/mu);
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
      [['ftp://127.0.0.1'], 'is not an address'],
      [['http://192.0.2.1:3000'], 'add --allow-remote'],
      [['http://localhost.example'], 'add --allow-remote'],
      [['http://u:p@127.0.0.1'], 'omit them'],
      [['http://127.0.0.1/?q=1'], 'without ?q=1'],
      [[NOBODY, '--rate', '1', '--rate-to', '3'], 'not both'],
      [[NOBODY, '--rate-to', '3'], 'needs both'],
      [[NOBODY, '--rate-from', '3', '--rate-to', '3'], 'must be greater'],
      [[NOBODY, '--steps', '3'], '--steps needs a sweep'],
      [[NOBODY, '--key', 'a\r\nHost: b'], 'no key has'],
      [[NOBODY, '--key', ''], 'which key? set LOAD_KEY'],
      [[NOBODY, '--queries', '/no/such'], 'no such file'],
    ])('%j, as it plans', async (args, message) => {
      await expect(planFor('--key', KEY, ...args)).rejects.toThrow(message);
    });

    test.each([
      [[NOBODY], `nothing listens at ${NOBODY}`],
      [[NOBODY, '--html', '/no/such/x.html'], 'no such folder'],
      [[NOBODY, '--json', '/'], 'is a folder'],
      [[NOBODY, '--compare', '/no/such'], 'no such file'],
      [[NOBODY, '--from', 'x.json'], 'omit the address'],
      [[NOBODY, '--fail-if', 'knee<100'], 'needs a sweep'],
    ])('%j', async (args, message) => {
      const { exitCode, out, err } = await load(...args);
      expect(exitCode).toBe(1);
      expect(out).toBe('');
      expect(err).toContain(message);
      expect(err.trim().split('\n')).toHaveLength(1);
    });

    test.each([
      ['--rate', '0'],
      ['--rate', '1e3'],
      ['--duration', '3d'],
      ['--warmup', '-1s'],
      ['--follow', '1.1'],
      ['--limite', '51'],
      ['--ordem', 'data'],
      ['--sed', '3'],
      ['--fail-if', 'p98>200'],
      ['--fail-if', 'p99=200'],
      ['--fail-if', 'p99>200ms'],
      ['--fail-if', 'p99>200,'],
    ])('%s %s, and says what would do', async (option, value) => {
      await expect(planFor(NOBODY, option, value)).rejects.toThrow(
        /It must be|Allowed choices|Did you mean --seed|no figure is named p98; there are p50, p90|write a figure, </u,
      );
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

    test('what closes the connection without a word', async () => {
      const rude = rudeServer();
      await expect(firstSearch(rude.url)).rejects.toThrow('does not speak plain HTTP/1.1');
      rude.stop();
    });

    test('https where there is none, before the key is sent', async () => {
      const { url, paths } = start();
      await expect(firstSearch(url.replace('http:', 'https:'))).rejects.toThrow('no trusted connection');
      expect(paths).toEqual([]);
    });

    test.each([
      ['', 'is not JSON'],
      ['{', 'is not JSON'],
      ['[]', 'is not a run of this command'],
      ['{"schema":"jurisprudencia-load","version":99}', 'has version 99'],
      ['{"schema":"jurisprudencia-load","version":5}', 'has version 5, this command reads 6'],
      ['{"schema":"jurisprudencia-load","version":6}', 'is damaged'],
    ])('a saved run that holds %j', (text, message) => {
      const bad = file('bad.json');
      writeFileSync(bad, text);
      expect(() => readRun(bad)).toThrow(message);
    });

    test.each([
      ['', 'holds no query'],
      [`dano moral\n${'x'.repeat(301)}\n`, 'line 2: a query has 2 to 300 characters, this one 301'],
      ['a\n', 'line 1'],
    ])('a query file that holds %j', async (text, message) => {
      const bad = file('bad.txt');
      writeFileSync(bad, text);
      await expect(planFor(NOBODY, '--key', KEY, '--queries', bad)).rejects.toThrow(message);
    });

    test('a query file that is a folder', async () => {
      const why = await planFor(NOBODY, '--queries', folder).catch(explain);
      expect(why).toContain('expected a file but found a folder');
    });
  });
});
