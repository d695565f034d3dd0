import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { serverTiming, someId, outcomeOf } from '../../../src/tools/load/answer.ts';
import { conditionsOf, exitCodeOf, verdictsOf } from '../../../src/tools/load/fail-if.ts';
import { Histogram } from '../../../src/tools/load/histogram.ts';
import { findKnee, shownStep, shownSteps } from '../../../src/tools/load/knee.ts';
import { percentile } from '../../../src/tools/load/format.ts';
import { Mix } from '../../../src/tools/load/mix.ts';
import type { Kind } from '../../../src/tools/load/plan.ts';
import { openSyntaxCheck } from '../../../src/query/syntax-check.ts';
import { builtInSearches } from '../../../src/tools/load/queries.ts';
import { RunSchema, type Run, type Step } from '../../../src/tools/load/result.ts';
import { Tally, type Sample } from '../../../src/tools/load/tally.ts';
import { warningsOf } from '../../../src/tools/load/warnings.ts';
import { readPedido } from '../../../src/query/parameters.ts';
import { CursorCodec } from '../../../src/query/cursor.ts';
import { searchBody } from './fake-service.ts';
import { madeRun, stepOf } from './made-run.ts';

interface Made {
  readonly kind?: Kind;
  readonly status?: number;
  readonly body?: string;
  readonly head?: string;
  readonly tookMs?: number;
  readonly lateMs?: number;
  readonly mishap?: 'timeout' | 'closed' | 'unsent';
}

/** A request due at 0 and what became of it. */
function sample(made: Made = {}): Sample {
  const {
    kind = 'search',
    status = 200,
    body = searchBody(),
    head = '',
    tookMs = 10,
    lateMs = 0,
    mishap,
  } = made;
  return {
    ask: { kind, about: 'q=a', path: '/' },
    dueAt: 0,
    pickedAt: lateMs,
    sentAt: lateMs,
    endedAt: tookMs,
    result: mishap ?? { status, body: Buffer.from(body), head, closes: false },
  };
}

function tallied(samples: readonly Sample[], tally = new Tally(1_000, 'relevancia'), dueMs = 0): Tally {
  for (const one of samples) tally.record(one, outcomeOf(one, false), dueMs);
  return tally;
}

/** A step of 100 requests that took equally long, so many of them complete. */
const step = (ratePerS: number, tookMs: number, complete = 100): Step =>
  stepOf(
    tallied(
      Array.from({ length: 100 }, (_, at) => sample({ tookMs, ...(at < complete ? {} : { status: 500 }) })),
    ),
    ratePerS,
  );

const missing = (tempo_esgotado: boolean, bases: readonly string[] = ['stj']) =>
  searchBody({ bases_sem_resposta: bases.map((base) => ({ base, tempo_esgotado })) });

describe('the figures of a step', () => {
  test('distinguish complete answers, answers without some base, and rejected searches', () => {
    const { counts } = tallied([
      sample(),
      sample({ kind: 'record', body: '{}' }),
      sample({ body: missing(true) }),
      sample({ body: missing(false) }),
      sample({ body: missing(false, BASES) }),
      sample({ body: missing(true, BASES) }),
    ]);
    expect(counts).toMatchObject({ due: 6, complete: 2, incomplete: 3, rejected: 1 });
  });

  test('count errors by status and codigo, and answers that are no search', () => {
    const { errors } = tallied([
      sample({ status: 429, body: '{"erro":"…","codigo":"COTA_ESGOTADA"}' }),
      sample({ status: 429, body: 'devagar' }),
      sample({ mishap: 'timeout' }),
      sample({ body: '{"itens":[]}' }),
      sample({ body: '<html>' }),
    ]);
    expect([...errors]).toEqual([
      ['429 COTA_ESGOTADA', 1],
      ['429', 1],
      ['timeout', 1],
      ['not_a_search', 2],
    ]);
  });

  test('count a latency from when a request was due, and its service from when it was sent', () => {
    const { histograms } = tallied([sample({ lateMs: 50, tookMs: 60 })]);
    expect(histograms.all.max).toBe(60);
    expect(histograms.search.max).toBe(60);
    expect(histograms.service.max).toBe(10);
    expect(histograms.lateness.max).toBe(50);
  });

  test('include time-outs in the latencies, but no quick refusal', () => {
    const { histograms } = tallied([
      sample({ tookMs: 20 }),
      sample({ mishap: 'timeout', tookMs: 10_000 }),
      sample({ status: 504, body: '{"codigo":"TEMPO_ESGOTADO"}', tookMs: 2_000 }),
      sample({ status: 500, body: '', tookMs: 1 }),
      sample({ body: missing(false, BASES), tookMs: 1 }),
    ]);
    expect(histograms.all.count).toBe(3);
    expect(histograms.all.at(0)).toBeCloseTo(20, 0);
    expect(histograms.all.max).toBe(10_000);
  });

  test('leave out what the end of the load has cut off', () => {
    const cut = sample({ mishap: 'closed' });
    expect(outcomeOf(cut, true)).toEqual({ is: 'interrupted' });
    expect(outcomeOf(cut, false)).toEqual({ is: 'error', error: 'closed' });
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
    expect(bases.get('stj')?.counts).toMatchObject({
      fallbacks: 1,
      no_count: 1,
      first_pages: 1,
      timed_out: 0,
    });
    expect(bases.get('tst')?.counts).toMatchObject({ fallbacks: 0, no_count: 0 });
    expect(bases.get('stf')?.counts).toMatchObject({ timed_out: 2, fallbacks: 0, slowest: 2 });
    expect(bases.get('tjmg')?.counts).toMatchObject({ failed: 2 });
    expect(bases.get('tjmg')?.latency.count).toBe(0);
  });

  test('take a base’s time from Server-Timing, or else from por_base', () => {
    const head = 'HTTP/1.1 200 OK\r\nServer-Timing: stj;dur=41.25;desc="relevancia", total;dur=50, x';
    expect([...serverTiming({ head })]).toEqual([
      ['stj', { ms: 41.25, cached: null }],
      ['total', { ms: 50, cached: null }],
    ]);
    const { bases, histograms } = tallied([sample({ head, tookMs: 82.5 })]);
    expect(bases.get('stj')?.latency.max).toBe(41.25);
    expect(bases.get('tst')?.latency.max).toBe(3);
    expect(histograms.slowestShare.max).toBe(50);
  });

  test('give each of the bases that took the longest an equal part of the search', () => {
    const took = (...ms: readonly number[]) =>
      sample({
        body: searchBody({
          por_base: ms.map((one, at) => ({ base: BASES[at], ordem_aplicada: 'relevancia', ms: one })),
        }),
      });
    const { bases } = tallied([took(3, 3, 1), took(2, 2, 2, 2), took(1, 0, 5)]);
    const parts = [...bases].map(([base, { counts }]) => [base, counts.slowest]);
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
    const tally = new Tally(1_000, 'relevancia');
    for (let at = 0; at < 45; at += 1)
      tallied([sample(at % 9 === 0 ? { status: 500 } : {})], tally, at * 100);
    const { batches, complete_per_s } = stepOf(tally, 10, 4_500);
    expect(batches.map(({ ended, complete }) => [ended, complete])).toEqual([
      [10, 8],
      [10, 9],
      [10, 9],
      [10, 9],
    ]);
    expect(complete_per_s).toBeCloseTo(40 / 4.5, 2);
  });
});

describe('a histogram', () => {
  test('gives percentiles within a thousandth, none above the maximum', () => {
    const histogram = new Histogram();
    for (let ms = 1; ms <= 1_000; ms += 1) histogram.record(ms);
    expect(histogram.at(50) / 500).toBeCloseTo(1, 2);
    expect(histogram.at(99) / 990).toBeCloseTo(1, 2);
    expect(histogram.at(100)).toBe(1_000);
    expect(histogram.curve().at(-1)?.ms).toBe(1_000);
    expect(new Histogram().distribution()).toBeNull();
  });

  test('clamps values to its range, 0 to an hour', () => {
    const histogram = new Histogram();
    histogram.record(-5);
    histogram.record(1e12);
    expect(histogram.distribution()).toMatchObject({ min: 0, max: 3_600_000 });
  });
});

test('a percentile with fewer than four answers beyond it is marked', () => {
  const of = (count: number) => {
    const histogram = new Histogram();
    for (let at = 0; at < count; at += 1) histogram.record(12.5);
    return histogram.distribution();
  };
  expect(percentile(of(400), 'p99')).toBe('12.5');
  expect(percentile(of(399), 'p99')).toBe('~12.5');
  expect(percentile(null, 'p50')).toBe('–');
});

const madeOne = madeRun([100]);

describe('the warnings', () => {
  const [whole] = madeOne.steps;
  const bad = {
    ...whole!,
    cache_reported: 10,
    cache_hits: 9,
    errors: [{ error: '429', count: 3 }],
    latency_ms: { ...whole!.latency_ms, all: { ...whole!.latency_ms.all!, count: 999 } },
    generator: {
      cpu_share: 0.9,
      lateness_ms: { ...whole!.latency_ms.all!, p99: 11 },
      connection_waits: 900,
    },
  };
  const facts = {
    ...madeOne,
    steps: [whole!, bad],
    machine: { ...madeOne.machine, load_average: 9 },
    wasStopped: true,
  };
  const of = (recording: Run['recording']) => warningsOf({ ...facts, recording, quotaLeft: 10 });

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
  const verdicts = (text: string, steps: Step[]) =>
    verdictsOf(conditionsOf(text), { steps, knee: findKnee(steps) }, null);

  test('is that of the worst rate, which it names', () => {
    const steps = [step(10, 20), step(20, 250), step(40, 100, 95)];
    const [slow, incomplete, quick] = verdicts('p99 > 200, complete<96, p50<=10', steps);
    expect(slow).toMatchObject({ condition: 'p99>200', is_met: true, rate_per_s: 20 });
    expect(incomplete).toEqual({
      condition: 'complete<96',
      is_met: true,
      value: 95,
      rate_per_s: 40,
      is_noise: false,
    });
    expect(quick).toMatchObject({ is_met: false, rate_per_s: 10 });
  });

  test('is a failure if nothing was measured', () => {
    const none = step(10, 20, 0);
    expect(verdicts('p99>60000', [none])[0]).toMatchObject({ is_met: true, value: null });
    expect(exitCodeOf({ steps: [none], verdicts: [] })).toBe(3);
    expect(exitCodeOf({ steps: [none, step(20, 5)], verdicts: [] })).toBe(0);
  });

  test('on the knee judges the highest rate that was kept up with', () => {
    const steps = [step(10, 20), step(20, 20), step(40, 900)];
    expect(verdicts('knee<20,knee<30', steps).map(({ is_met }) => is_met)).toEqual([false, true]);
    expect(verdicts('knee<1', [step(10, 20, 0), step(20, 20, 0)])[0]).toMatchObject({ value: 0 });
  });
});

describe('the knee', () => {
  test('is the last rate before the service grows slow', () => {
    const steps = [step(10, 20), step(20, 30), step(40, 69), step(80, 200), step(160, 900)];
    expect(findKnee(steps)).toMatchObject({ found: 'knee', rate_per_s: 40 });
    expect(shownStep({ steps, knee: findKnee(steps) }).rate_per_s).toBe(40);
  });

  test('is the last rate before complete answers go missing', () => {
    const knee = findKnee([step(10, 20), step(20, 20, 95), step(40, 20, 94), step(80, 20, 50)]);
    expect(knee).toMatchObject({ found: 'knee', rate_per_s: 20 });
    expect(knee.reasons).toEqual([[], [], ['incomplete'], ['incomplete']]);
  });

  test('is not set by one bad step between two good ones', () => {
    expect(findKnee([step(10, 20), step(20, 500), step(40, 20)])).toMatchObject({
      found: 'above',
      rate_per_s: 40,
    });
    expect(findKnee([step(10, 20), step(20, 20), step(40, 500)])).toMatchObject({
      found: 'knee',
      rate_per_s: 20,
    });
  });

  test('is below a first rate without complete answers, and absent for a single rate', () => {
    expect(findKnee([step(10, 20, 10), step(20, 20, 10)])).toMatchObject({
      found: 'below',
      rate_per_s: null,
    });
    expect(findKnee([step(10, 20)])).toMatchObject({ found: 'single', rate_per_s: null });
  });

  test('is replaced in a comparison by the highest rate that both runs kept up with', () => {
    const run = (steps: Step[]) => ({ steps, knee: findKnee(steps) });
    const quick = run([step(10, 20), step(20, 20), step(40, 20), step(80, 500)]);
    const slow = run([step(10, 20), step(20, 20), step(40, 500), step(80, 500)]);
    const rates = (...runs: (typeof quick)[]) => shownSteps(runs).map(({ rate_per_s }) => rate_per_s);
    expect(rates(slow, quick)).toEqual([20, 20]);
  });
});

describe('the mix', () => {
  const mixOf = (searches = ['q=a'], seed = 1) =>
    new Mix({
      searches,
      plan: { ...madeOne.plan, follow: 0.25, records: 0.5, limite: 5, ordem: 'recentes', seed },
    });
  const end = { por_base: [], bases_sem_resposta: [], proximo_cursor: 'c/1+2' };

  test('asks for first pages until there is something to go on with', () => {
    const mix = mixOf();
    const asks = Array.from({ length: 20 }, () => mix.next());
    expect(new Set(asks.map(({ path }) => path))).toEqual(
      new Set(['/v1/jurisprudencia/busca?q=a&ordem=recentes&limite=5']),
    );
  });

  test('keeps its shares, follows each cursor once, and reads ids of its results', () => {
    const mix = mixOf();
    const counts = { search: 0, page: 0, record: 0 };
    const paths = new Set<string>();
    const [ask] = [mix.next()];
    for (let at = 0; at < 4_000; at += 1) {
      mix.learn(ask, { ...end, proximo_cursor: `c/${at}+=` }, `stj:${at}`);
      const { kind, path } = mix.next();
      counts[kind] += 1;
      if (kind === 'page') {
        expect(path).toMatch(
          /^\/v1\/jurisprudencia\/busca\?q=a&ordem=recentes&limite=5&cursor=c%2F\d+%2B%3D$/u,
        );
        expect(paths.has(path)).toBe(false);
        paths.add(path);
      }
      if (kind === 'record') expect(path).toMatch(/^\/v1\/jurisprudencia\/stj:\d+$/u);
    }
    expect(counts.record / 4_000).toBeCloseTo(0.5, 1);
    expect(counts.page / (counts.page + counts.search)).toBeCloseTo(0.25, 1);
  });

  test('is the same for the same seed', () => {
    const paths = (seed: number) => {
      const mix = mixOf(builtInSearches(), seed);
      return Array.from({ length: 10 }, () => mix.next().path);
    };
    expect(paths(1)).toEqual(paths(1));
    expect(paths(1)).not.toEqual(paths(2));
  });

  test('sends each search once before it sends any again', () => {
    const searches = Array.from({ length: 400 }, (_, at) => `q=a${at}`);
    const mix = mixOf(searches);
    const next = () => new Set(Array.from({ length: 400 }, () => mix.next().path)).size;
    expect([next(), next()]).toEqual([400, 400]);
  });

  test('finds ids among the items only, not in their text', () => {
    const body = Buffer.from(searchBody());
    const ids = [0, 0.3, 0.6, 0.99].map((random) => someId({ body } as never, random));
    expect(new Set(ids)).toEqual(new Set(['stj:7', 'tst:9']));
    expect(someId({ body: Buffer.from(searchBody({ itens: [] })) } as never, 0.5)).toBeNull();
  });

  test('has a default list of queries that the service accepts', () => {
    const reading = { check: openSyntaxCheck(), cursors: new CursorCodec(Buffer.alloc(32)) };
    for (const search of builtInSearches()) {
      expect(readPedido(search, reading)).not.toHaveProperty('codigo');
    }
  });
});
