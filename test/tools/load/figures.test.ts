import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { someId } from '../../../src/tools/load/answer.ts';
import { conditionsOf, exitCodeOf, verdictsOf } from '../../../src/tools/load/fail-if.ts';
import { percentile } from '../../../src/tools/load/format.ts';
import { Histogram } from '../../../src/tools/load/histogram.ts';
import { findKnee, shownSteps } from '../../../src/tools/load/knee.ts';
import { Mix } from '../../../src/tools/load/mix.ts';
import { openSyntaxCheck } from '../../../src/query/syntax-check.ts';
import { builtInSearches } from '../../../src/tools/load/queries.ts';
import { RunSchema, type Run, type Step } from '../../../src/tools/load/result.ts';
import { warningsOf } from '../../../src/tools/load/warnings.ts';
import { readPedido } from '../../../src/query/parameters.ts';
import { CursorCodec } from '../../../src/query/cursor.ts';
import { searchBody } from './fake-service.ts';
import { madeRun, sample, stepOf, tallied } from './made-run.ts';

const madeOne = madeRun([100]);

/** A step of 100 requests that took equally long, so many of them complete. */
const step = (ratePerS: number, tookMs: number, complete = 100): Step =>
  stepOf(
    ratePerS,
    Array.from({ length: 100 }, (_, at) => sample({ tookMs, status: at < complete ? 200 : 500 })),
  );
const sweep = (...steps: Step[]) => ({ steps, knee: findKnee(steps) });
const missing = (tempo_esgotado: boolean, bases: readonly string[] = ['stj']) =>
  searchBody({ bases_sem_resposta: bases.map((base) => ({ base, tempo_esgotado })) });

describe('the figures of a step', () => {
  test('distinguish complete answers, answers without some base, rejected searches, and answers that are no search', () => {
    const { counts, errors } = tallied([
      sample(),
      sample({ kind: 'record', body: '{}' }),
      sample({ body: missing(true) }),
      sample({ body: missing(false) }),
      sample({ body: missing(false, BASES) }),
      sample({ body: missing(true, BASES) }),
      sample({ body: '{"itens":[]}' }),
      sample({ body: '<html>' }),
    ]);
    expect(counts).toMatchObject({ due: 8, complete: 2, incomplete: 3, rejected: 1 });
    expect([...errors]).toEqual([['not_a_search', 2]]);
  });

  test('count a latency from when a request was due, and its service from when it was sent', () => {
    const { histograms } = tallied([sample({ lateMs: 50, tookMs: 60 })]);
    const maxima = [histograms.all, histograms.search, histograms.service, histograms.lateness].map(
      ({ max }) => max,
    );
    expect(maxima).toEqual([60, 60, 10, 50]);
  });

  test('include waits without an answer in the latencies, but no quick refusal', () => {
    const { histograms } = tallied([
      sample({ tookMs: 20 }),
      sample({ mishap: 'timeout', tookMs: 10_000 }),
      sample({ status: 504, body: '{"codigo":"TEMPO_ESGOTADO"}', tookMs: 2_000 }),
      sample({ status: 500, body: '', tookMs: 1 }),
      sample({ body: missing(false, BASES), tookMs: 1 }),
    ]);
    expect(histograms.all.distribution()).toMatchObject({ count: 3, min: 20, max: 10_000 });
  });

  test('give fall-backs and missing counts of each base, of first pages alone', () => {
    const por_base = [
      { base: 'stj', ordem_aplicada: 'recentes', ms: 40 },
      { base: 'tst', ordem_aplicada: 'relevancia', encontrados_ate_1000: 1, ha_mais_de_1000: false, ms: 5 },
      { base: 'stf', ordem_aplicada: 'recentes', ms: 2_500 },
      { base: 'tjmg', ordem_aplicada: 'relevancia', ms: 0 },
    ];
    const bases_sem_resposta = [
      { base: 'stf', tempo_esgotado: true },
      { base: 'tjmg', tempo_esgotado: false },
    ];
    const body = searchBody({ por_base, bases_sem_resposta });
    const { bases } = tallied([sample({ body }), sample({ body, kind: 'page' })]);
    const counts = Object.fromEntries(Array.from(bases, ([base, one]) => [base, one.counts]));
    expect(counts).toMatchObject({
      stj: { fallbacks: 1, no_count: 1, timed_out: 0 },
      tst: { fallbacks: 0, no_count: 0 },
      stf: { timed_out: 2, fallbacks: 0, slowest: 2 },
      tjmg: { failed: 2 },
    });
    expect(bases.get('tjmg')?.latency.count).toBe(0);
  });

  test('take a base’s time from Server-Timing, or else from por_base', () => {
    const head = 'HTTP/1.1 200 OK\r\nServer-Timing: stj;dur=41.25;desc="relevancia", total;dur=50, x';
    const { bases, histograms } = tallied([sample({ head, tookMs: 82.5 })]);
    expect([bases.get('stj')?.latency.max, bases.get('tst')?.latency.max]).toEqual([41.25, 3]);
    expect(histograms.slowestShare.max).toBe(50);
  });

  test('give each of the bases that took the longest an equal part of the search', () => {
    const took = (...ms: readonly number[]) => {
      const por_base = ms.map((one, at) => ({ base: BASES[at], ordem_aplicada: 'relevancia', ms: one }));
      return sample({ body: searchBody({ por_base }) });
    };
    const { bases } = tallied([took(3, 3, 1), took(2, 2, 2, 2), took(1, 0, 5)]);
    const parts = Array.from(bases, ([base, { counts }]) => [base, counts.slowest]);
    expect(Object.fromEntries(parts)).toEqual({ tst: 0.75, stf: 0.75, stj: 1.25, tjmg: 0.25 });
  });

  test('count as cached an answer whose every base was, a record too', () => {
    const head = (...words: readonly string[]) =>
      `HTTP/1.1 200 OK\r\nServer-Timing: ${words.map((word, at) => `${BASES[at]};dur=1${word}`).join(', ')}`;
    const hit = ';desc="relevancia";cache=hit';
    const { counts } = tallied([
      sample({ head: head(hit, hit) }),
      sample({ head: head(hit, ';cache=miss') }),
      sample({ head: head(';desc="relevancia"') }),
      sample({ kind: 'record', body: '{}', head: head(';cache=hit') }),
    ]);
    expect(counts).toMatchObject({ cache_reported: 3, cache_hits: 2 });
  });

  test('come in batches of equal time, of which the last counts only if it was measured whole', () => {
    const samples = Array.from({ length: 45 }, (_, at) =>
      sample({ dueAt: at * 200, status: at % 9 === 0 ? 500 : 200 }),
    );
    const { batches, complete_per_s } = stepOf(5, samples, 9);
    expect(batches.map(({ ended, complete }) => `${complete}/${ended}`)).toEqual([
      '8/10',
      '9/10',
      '9/10',
      '9/10',
    ]);
    expect(complete_per_s).toBeCloseTo(40 / 9, 2);
  });
});

test('a histogram gives percentiles within a thousandth, of times from 0 to an hour', () => {
  const histogram = new Histogram();
  expect(histogram.distribution()).toBeNull();
  for (let ms = 1; ms <= 1_000; ms += 1) histogram.record(ms);
  expect(histogram.at(50) / 500).toBeCloseTo(1, 2);
  expect(histogram.at(99) / 990).toBeCloseTo(1, 2);
  expect(histogram.curve().at(-1)?.ms).toBe(1_000);
  for (const ms of [-5, 1e12]) histogram.record(ms);
  expect(histogram.distribution()).toMatchObject({ min: 0, max: 3_600_000 });
});

test('a percentile with fewer than four answers beyond it is marked', () => {
  const all = madeOne.steps[0]!.latency_ms.all!;
  const shown = [400, 399].map((count) => percentile({ ...all, count, p99: 12.5 }, 'p99'));
  expect(shown).toEqual(['12.5', '~12.5']);
});

describe('the warnings', () => {
  const [whole] = madeOne.steps;
  const all = whole!.latency_ms.all!;
  const bad = {
    ...whole!,
    cache_reported: 10,
    cache_hits: 9,
    errors: [{ error: '429', count: 3 }],
    latency_ms: { ...whole!.latency_ms, all: { ...all, count: 999 } },
    generator: { cpu_share: 0.9, lateness_ms: { ...all, p99: 11 }, connection_waits: 900 },
  };
  const of = (recording: Run['recording']) => {
    const machine = { ...madeOne.machine, load_average: 9 };
    return warningsOf({
      ...madeOne,
      steps: [whole!, bad],
      machine,
      wasStopped: true,
      recording,
      quotaLeft: 10,
    });
  };

  test('are of everything that may make figures wrong, each with the worst rate', () => {
    const warnings = of(null);
    const codes = RunSchema.properties.warnings.items.properties.code.enum;
    expect(warnings.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
    expect(warnings.find(({ code }) => code === 'cached')).toEqual({
      code: 'cached',
      value: 0.9,
      rate_per_s: 100,
      text: 'at 100/s 90% of the answers came from the result cache: the figures show the cache more than the bases; give more --queries, or start the service with RESULT_CACHE_MB=0 if that is not wanted',
    });
  });

  test('name no option that a replay refuses', () => {
    for (const { text } of of({ speed: 1, left_out: 0, data: [] }))
      expect(text).not.toMatch(/--(?:queries|rate|passes|seed)|lower the rate/u);
  });
});

describe('a verdict', () => {
  const verdicts = (text: string, ...steps: Step[]) => verdictsOf(conditionsOf(text), sweep(...steps), null);

  test('is that of the worst rate, which it names', () => {
    const steps = [step(10, 20), step(20, 250), step(40, 100, 95)];
    expect(verdicts('p99 > 200, complete<96, p50<=10', ...steps)).toMatchObject([
      { condition: 'p99>200', is_met: true, rate_per_s: 20 },
      { condition: 'complete<96', is_met: true, value: 95, rate_per_s: 40 },
      { is_met: false, rate_per_s: 10 },
    ]);
  });

  test('is of no figure that is not listed', () => {
    expect(() => conditionsOf('constructor>1')).toThrow('no figure is named constructor');
  });

  test('is a failure if nothing was measured', () => {
    const none = step(10, 20, 0);
    expect(verdicts('p99>60000', none)).toMatchObject([{ is_met: true, value: null }]);
    expect(exitCodeOf({ steps: [none], verdicts: [] })).toBe(3);
    expect(exitCodeOf({ steps: [none, step(20, 5)], verdicts: [] })).toBe(0);
  });

  test('on the knee judges the highest rate that was kept up with', () => {
    const met = verdicts('knee<20,knee<30', step(10, 20), step(20, 20), step(40, 900));
    expect(met.map(({ is_met }) => is_met)).toEqual([false, true]);
    expect(verdicts('knee<1', step(10, 20, 0), step(20, 20, 0))).toMatchObject([{ value: 0 }]);
  });
});

describe('the knee', () => {
  test.each([
    ['before the service grows slow', [step(10, 20), step(20, 69), step(40, 900)], 'knee', 20],
    ['before answers go missing', [step(10, 20), step(20, 20, 95), step(40, 20, 94)], 'knee', 20],
    ['whatever one rate between two good ones', [step(10, 20), step(20, 500), step(40, 20)], 'above', 40],
    ['of none, if the first one fails', [step(10, 20, 10), step(20, 20, 10)], 'below', null],
    ['of none, if there is one rate', [step(10, 20)], 'single', null],
  ])('is the last rate %s', (_, steps, found, rate_per_s) => {
    expect(findKnee(steps)).toMatchObject({ found, rate_per_s });
  });

  test('compares no times with those of a first rate that got no answer', () => {
    const none = stepOf(10, [sample({ mishap: 'closed' })]);
    const { found, reasons } = findKnee([none, step(20, 40), step(40, 40, 10)]);
    expect([found, reasons]).toEqual(['knee', [['incomplete'], [], ['incomplete']]]);
  });

  test('is replaced in a comparison by the highest rate that both runs kept up with', () => {
    const quick = sweep(step(10, 20), step(20, 20), step(40, 20), step(80, 500));
    const slow = sweep(step(10, 20), step(20, 20), step(40, 500), step(80, 500));
    expect(shownSteps([slow, quick]).map(({ rate_per_s }) => rate_per_s)).toEqual([20, 20]);
  });
});

describe('the mix', () => {
  const mixOf = (searches = ['q=a'], seed = 1) =>
    new Mix({
      searches,
      plan: { ...madeOne.plan, follow: 0.25, records: 0.5, limite: 5, ordem: 'recentes', seed },
    });
  const pathsOf = (count: number, mix: Mix) => Array.from({ length: count }, () => mix.next().path);
  const FIRST = '/v1/jurisprudencia/busca?q=a&ordem=recentes&limite=5';

  test('asks for first pages until there is something to go on with', () => {
    expect(new Set(pathsOf(20, mixOf()))).toEqual(new Set([FIRST]));
  });

  test('keeps its shares, follows each cursor once, and reads ids of its results', () => {
    const mix = mixOf();
    const paths = { search: [] as string[], page: [] as string[], record: [] as string[] };
    const ask = mix.next();
    for (let at = 0; at < 4_000; at += 1) {
      const end = { por_base: [], bases_sem_resposta: [], proximo_cursor: `c/${at}+=` };
      mix.learn(ask, end, `stj:${at}`);
      const { kind, path } = mix.next();
      paths[kind].push(path);
    }
    const { search, page, record } = paths;
    expect(record.length / 4_000).toBeCloseTo(0.5, 1);
    expect(page.length / (page.length + search.length)).toBeCloseTo(0.25, 1);
    expect(new Set(page).size).toBe(page.length);
    const isPage = (path: string) => /^&cursor=c%2F\d+%2B%3D$/u.test(path.replace(FIRST, ''));
    expect(page.filter((path) => !isPage(path))).toEqual([]);
    expect(record.filter((path) => !/^\/v1\/jurisprudencia\/stj:\d+$/u.test(path))).toEqual([]);
  });

  test('is the same for the same seed', () => {
    const paths = (seed: number) => pathsOf(10, mixOf(builtInSearches(), seed));
    expect(paths(1)).toEqual(paths(1));
    expect(paths(1)).not.toEqual(paths(2));
  });

  test('sends each search once before it sends any again', () => {
    const mix = mixOf(Array.from({ length: 400 }, (_, at) => `q=a${at}`));
    expect([new Set(pathsOf(400, mix)).size, new Set(pathsOf(400, mix)).size]).toEqual([400, 400]);
  });

  test('finds ids among the items only, not in their text', () => {
    const idOf = (body: string, random: number) => someId({ body: Buffer.from(body) }, random);
    const ids = [0, 0.3, 0.6, 0.99].map((random) => idOf(searchBody(), random));
    expect(new Set(ids)).toEqual(new Set(['stj:7', 'tst:9']));
    expect(idOf(searchBody({ itens: [] }), 0.5)).toBeNull();
  });

  test('has a default list of queries that the service accepts', () => {
    const reading = { check: openSyntaxCheck(), cursors: new CursorCodec(Buffer.alloc(32)) };
    for (const search of builtInSearches()) expect(readPedido(search, reading)).not.toHaveProperty('codigo');
  });
});
