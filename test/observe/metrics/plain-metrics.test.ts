import * as client from 'prom-client';
import { Counter, Histogram, Registry } from 'prom-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { SECONDS_BUCKETS } from '../../../src/observe/metrics/naming.ts';
import { MetricSet } from '../../../src/observe/metrics/metric-set.ts';
import { seeded } from '../../tools/faults/support-poll.ts';

let [ours, theirs]: Registry[] = [];
beforeEach(() => {
  [ours, theirs] = [new Registry(), new Registry()];
});
/** A metric of ours, registered. */
function registered<Metric>(make: (metrics: MetricSet) => Metric): Metric {
  const metrics = new MetricSet();
  const metric = make(metrics);
  metrics.register(client, ours!);
  return metric;
}
/** What our registry tells, once it is seen to be what prom-client's own metrics tell. */
async function same(): Promise<string> {
  const text = await ours!.metrics();
  expect(text).toBe(await theirs!.metrics());
  return text;
}

describe('a histogram that counts in plain numbers', () => {
  const named = { name: 'waits_seconds', help: 'Waits, "some" \\ long' };

  test('tells what prom-client’s tells, at every bound and past the last', async () => {
    const mine = registered((metrics) => metrics.histogram({ ...named, isEmptyShown: false }));
    const labelNames = ['base', 'kind'];
    const model = new Histogram({ ...named, labelNames, buckets: SECONDS_BUCKETS, registers: [theirs!] });
    const random = seeded(5);
    for (const labels of [
      { base: 'stj', kind: 'a "b" \\' },
      { base: 'stf', kind: 'c' },
    ]) {
      const series = mine.series(labels);
      expect(await same()).not.toContain(`base="${labels.base}"`);
      const drawn = Array.from({ length: 2_000 }, () => random() ** 6 * 8);
      for (const seconds of [...SECONDS_BUCKETS, 0, 7, ...drawn]) {
        series.observe(seconds);
        model.observe(labels, seconds);
      }
      expect(await same()).toContain(`base="${labels.base}"`);
    }
  });

  test.each([{}, { base: 'stj' }])('shows %o from the start where it is told to', async (labels) => {
    registered((metrics) => metrics.histogram({ ...named, isEmptyShown: true })).series(labels);
    const labelNames = Object.keys(labels);
    const model = new Histogram({ ...named, labelNames, buckets: SECONDS_BUCKETS, registers: [theirs!] });
    model.zero(labels);
    expect(await same()).toMatch(/^waits_seconds_count\S* 0$/mu);
  });

  test.each([NaN, Infinity, -Infinity])('refuses %d and keeps its sum', async (seconds) => {
    const series = registered((metrics) => metrics.histogram({ ...named, isEmptyShown: true })).series();
    expect(() => series.observe(seconds)).toThrow(TypeError);
    expect(await ours!.metrics()).toContain('waits_seconds_sum 0\nwaits_seconds_count 0');
  });
});

describe('a counter that counts in plain numbers', () => {
  const named = { name: 'answers_total', help: 'Answers', labelNames: ['route', 'status'] };

  test('tells what prom-client’s tells, as often as it is read, and a series added late', async () => {
    const mine = registered((metrics) => metrics.counter(named));
    const model = new Counter({ ...named, registers: [theirs!] });
    for (const labels of [
      { route: 'busca', status: '200' },
      { route: 'busca', status: '"4\\"' },
    ]) {
      const tally = mine.series(labels);
      model.inc(labels, 0);
      expect(await same()).toContain('busca');
      tally.total += 3;
      model.inc(labels, 3);
      await same();
      expect(await same()).toContain('} 3');
    }
  });

  test('is there as 0 without labels', async () => {
    const plain = { name: 'rejected_total', help: 'Searches' };
    const tally = registered((metrics) => metrics.counter(plain)).series();
    const model = new Counter({ ...plain, registers: [theirs!] });
    expect(await same()).toContain('rejected_total 0');
    tally.total += 1;
    model.inc();
    expect(await same()).toContain('rejected_total 1');
  });
});
