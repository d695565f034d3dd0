import { Registry } from '@prometheus-io/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { watchLoopDelay } from '../../../src/observe/process-load.ts';
import { Tallies } from '../../../src/observe/tallies.ts';
import type { Step, StepKind } from '../../../src/engine/steps.ts';
import type { Ordem } from '../../../src/contract/vocabulary.ts';
import type { RequestNotes } from '../../../src/http/observer.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import { notesOf, pageOf, stepOf } from '../support-notes.ts';
import { Exposition } from '../../admin/support-metrics.ts';

let tallies: Tallies;
beforeEach(() => {
  tallies = new Tallies();
});
const scraped = async () => {
  const registry = new Registry();
  tallies.set.register(registry);
  return new Exposition(await registry.metrics());
};

function step(kind: StepKind, outcome: Step['outcome'], times: Partial<Step> = {}): Step {
  return stepOf({ base: 'tst', kind, queueMs: 0, runMs: 1, outcome, ...times });
}
/** A search of `tst` alone. @param tempoEsgotado null where the base answered. */
function search(ordem_aplicada: Ordem, tempoEsgotado: boolean | null, steps: Step[]): RequestNotes {
  const bases_sem_resposta =
    tempoEsgotado === null ? [] : [{ base: 'tst' as const, tempo_esgotado: tempoEsgotado }];
  const page = pageOf({ por_base: [{ base: 'tst', ordem_aplicada, ms: 1 }], bases_sem_resposta });
  return notesOf({ steps, page });
}

describe('the metrics of a base', () => {
  const [answered, late] = [step('relevancia', 'ok'), step('relevancia', 'deadline')];
  test.each([
    ['answered', 'relevancia', 'ok', null, [answered], 0],
    ['fell back', 'recentes', 'ok', null, [late, step('recentes', 'ok')], 1],
    ['asked by recency', 'recentes', 'ok', null, [step('recentes', 'ok')], 0],
    ['fell back in vain', 'recentes', 'deadline', true, [late, step('recentes', 'deadline')], 1],
    ['failed', 'relevancia', 'unavailable', false, [step('relevancia', 'unavailable')], 0],
    ['full', 'relevancia', 'overloaded', false, [step('relevancia', 'overloaded')], 0],
    ['rejected', 'relevancia', 'overloaded', false, [], 0],
    ['without its rows', 'relevancia', 'unavailable', false, [answered, step('linhas', 'ok')], 0],
  ] as const)('count a search that %s', async (_, order, outcome, tempoEsgotado, steps, fallbacks) => {
    tallies.answer(search(order, tempoEsgotado, [...steps]), 200, 1);
    const exposition = await scraped();
    const counted = exposition.samples.filter(
      ({ name, value }) => name.endsWith('searches_total') && value > 0,
    );
    expect(counted).toEqual([expect.objectContaining({ labels: { base: 'tst', order, outcome }, value: 1 })]);
    expect(exposition.value('jurisprudencia_base_fallbacks_total', { base: 'tst' })).toBe(fallbacks);
  });

  test('separate queue time from run time, which a request that never ran lacks, and time-outs from other failures', async () => {
    tallies.step(step('recentes', 'ok', { queueMs: 20, runMs: 300 }));
    tallies.step(step('recentes', 'deadline', { queueMs: 1000, runMs: 0 }));
    const exposition = await scraped();
    const labels = { base: 'tst', kind: 'recentes' };
    const of = (name: string, le = {}) =>
      exposition.value(`jurisprudencia_base_${name}`, { ...labels, ...le });
    expect([of('queue_seconds_count'), of('queue_seconds_sum')]).toEqual([2, 1.02]);
    expect([of('run_seconds_count'), of('run_seconds_sum')]).toEqual([1, 0.3]);
    const upTo = (le: string) => of('queue_seconds_bucket', { le });
    expect([upTo('0.01'), upTo('0.025')]).toEqual([0, 1]);
    const failures = (failure: string) => of('failures_total', { failure });
    expect([failures('deadline'), failures('unavailable')]).toEqual([1, 0]);
  });
});

test('the metrics of requests count searches that lack a base, although their status is 200', async () => {
  tallies.answer(search('relevancia', true, []), 200, 1);
  tallies.answer(search('relevancia', null, []), 200, 1);
  expect((await scraped()).value('jurisprudencia_searches_incomplete_total')).toBe(1);
});

test('abandoned requests have a count of their own, and are in no time, failure or search count', async () => {
  tallies.step(step('relevancia', 'abandoned', { queueMs: 20, runMs: 300 }));
  const steps = [step('relevancia', 'abandoned')];
  tallies.answer({ ...search('relevancia', false, steps), isAbandoned: true }, 200, 1);
  const { samples } = await scraped();
  expect(samples.filter(({ value }) => value > 0)).toEqual([
    { name: 'jurisprudencia_http_requests_abandoned_total', labels: { route: 'busca' }, value: 1 },
    { name: 'jurisprudencia_base_abandoned_total', labels: { base: 'tst', kind: 'relevancia' }, value: 1 },
  ]);
});

test('the event loop’s delay is measured until its watch is closed', async () => {
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
