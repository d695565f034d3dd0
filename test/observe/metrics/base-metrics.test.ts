import * as client from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { watchLoopDelay } from '../../../src/observe/metrics/loop-delay.ts';
import { RequestMetrics } from '../../../src/observe/metrics/requests.ts';
import { MetricSet } from '../../../src/observe/metrics/metric-set.ts';
import { BaseMetrics } from '../../../src/observe/metrics/searches.ts';
import type { Step, StepKind } from '../../../src/engine/steps.ts';
import type { Ordem } from '../../../src/contract/enums.ts';
import type { RequestNotes } from '../../../src/http/observer.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import { Exposition } from '../../admin/support-metrics.ts';

let metricSet: MetricSet;
let metrics: BaseMetrics;
beforeEach(() => {
  metricSet = new MetricSet();
  metrics = new BaseMetrics(metricSet);
});
const told = async () => {
  const registry = new client.Registry();
  metricSet.register(client, registry);
  return new Exposition(await registry.metrics());
};

function step(kind: StepKind, outcome: Step['outcome'], times: Partial<Step> = {}): Step {
  return {
    base: 'tst',
    kind,
    startedAt: 0,
    queueMs: 0,
    runMs: 1,
    countMs: 0,
    rowsMs: 0,
    cached: false,
    outcome,
    ...times,
  };
}
/** A search of `tst` alone. @param tempoEsgotado null where the base answered. */
function search(ordem_aplicada: Ordem, tempoEsgotado: boolean | null, steps: Step[]): RequestNotes {
  return {
    requestId: 'r',
    startedAt: 0,
    route: 'busca',
    keyId: null,
    refusal: null,
    isAbandoned: false,
    fault: null,
    pedido: null,
    steps,
    page: {
      itens: [],
      por_base: [{ base: 'tst', ordem_aplicada, ms: 1 }],
      timings: [],
      bases_sem_resposta: tempoEsgotado === null ? [] : [{ base: 'tst', tempo_esgotado: tempoEsgotado }],
      cursor: null,
      absent: [],
    },
  };
}

describe('the metrics of a base', () => {
  test.each([
    ['answered', 'relevancia', 'ok', null, [step('relevancia', 'ok')], 0],
    ['fell back', 'recentes', 'ok', null, [step('relevancia', 'deadline'), step('recentes', 'ok')], 1],
    ['asked by recency', 'recentes', 'ok', null, [step('recentes', 'ok')], 0],
    [
      'fell back in vain',
      'recentes',
      'deadline',
      true,
      [step('relevancia', 'deadline'), step('recentes', 'deadline')],
      1,
    ],
    ['failed', 'relevancia', 'unavailable', false, [step('relevancia', 'unavailable')], 0],
    ['full', 'relevancia', 'overloaded', false, [step('relevancia', 'overloaded')], 0],
    ['rejected', 'relevancia', 'overloaded', false, [], 0],
    [
      'without its rows',
      'relevancia',
      'unavailable',
      false,
      [step('relevancia', 'ok'), step('linhas', 'ok')],
      0,
    ],
  ] as const)('know a search that %s', async (_, order, outcome, tempoEsgotado, steps, fallbacks) => {
    metrics.observe(search(order, tempoEsgotado, [...steps]));
    const exposition = await told();
    const counted = exposition.samples.filter(
      ({ name, value }) => name.endsWith('searches_total') && value > 0,
    );
    expect(counted).toEqual([expect.objectContaining({ labels: { base: 'tst', order, outcome }, value: 1 })]);
    expect(exposition.value('jurisprudencia_base_fallbacks_total', { base: 'tst' })).toBe(fallbacks);
  });

  test('tell the queue from the run, and a timeout from other failures', async () => {
    metrics.step(step('recentes', 'ok', { queueMs: 20, runMs: 300 }));
    metrics.step(step('recentes', 'deadline', { queueMs: 1000, runMs: 0 }));
    const exposition = await told();
    const of = (name: string, le?: string) =>
      exposition.value(`jurisprudencia_base_${name}`, {
        base: 'tst',
        kind: 'recentes',
        ...(le === undefined ? {} : { le }),
      });
    expect([of('queue_seconds_count'), of('queue_seconds_sum')]).toEqual([2, 1.02]);
    expect([of('run_seconds_count'), of('run_seconds_sum')]).toEqual([1, 0.3]);
    expect([of('queue_seconds_bucket', '0.01'), of('queue_seconds_bucket', '0.025')]).toEqual([0, 1]);
    const failures = (failure: string) =>
      exposition.value('jurisprudencia_base_failures_total', { base: 'tst', kind: 'recentes', failure });
    expect([failures('deadline'), failures('unavailable')]).toEqual([1, 0]);
  });
});

describe('the metrics of requests', () => {
  test('count the searches that lack a base, although they are answered with 200', async () => {
    const requests = new RequestMetrics(metricSet);
    requests.observe(search('relevancia', true, []), 200);
    requests.observe(search('relevancia', null, []), 200);
    expect((await told()).value('jurisprudencia_searches_incomplete_total')).toBe(1);
  });
});

describe('the metrics of what was abandoned', () => {
  test('have it in a count of its own, and in no time, failure or search', async () => {
    metrics.step(step('relevancia', 'abandoned', { queueMs: 20, runMs: 300 }));
    metrics.observe({
      ...search('relevancia', false, [step('relevancia', 'abandoned')]),
      isAbandoned: true,
    });
    const { samples } = await told();
    expect(samples.filter(({ value }) => value > 0)).toEqual([
      { name: 'jurisprudencia_base_abandoned_total', labels: { base: 'tst', kind: 'relevancia' }, value: 1 },
    ]);
  });

  test('have the request by its route, and not among those answered', async () => {
    const requests = new RequestMetrics(metricSet);
    requests.observe({ ...search('relevancia', null, []), isAbandoned: true }, 200);
    const { samples } = await told();
    expect(samples.filter(({ value }) => value > 0)).toEqual([
      { name: 'jurisprudencia_http_requests_abandoned_total', labels: { route: 'busca' }, value: 1 },
    ]);
  });
});

describe('the watch of the event loop', () => {
  test('tells how late its timer runs, until it is ended', async () => {
    const clock = new SimulatedClock();
    const delays: number[] = [];
    const late = {
      now: () => clock.now() + stall,
      date: () => clock.date(),
      after: clock.after.bind(clock),
      soon: clock.soon.bind(clock),
    };
    let stall = 0;
    const end = watchLoopDelay(late, (delayMs) => delays.push(delayMs));
    await clock.advance(100);
    expect(delays).toEqual([0, 0]);
    stall = 700;
    await clock.advance(100);
    expect(delays).toEqual([0, 0, 700, 0]);
    end();
    await clock.advance(1_000);
    expect(delays).toHaveLength(4);
  });
});
