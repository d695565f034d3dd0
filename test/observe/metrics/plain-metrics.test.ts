import { Counter, Histogram, Registry } from '@prometheus-io/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { SHOWN_BOUNDS_MS } from '../../../src/observe/histogram.ts';
import { PREFIX, TallySet } from '../../../src/observe/tally-set.ts';
import { seeded } from '../../tools/faults/support-poll.ts';

let [ours, theirs]: Registry[] = [];
beforeEach(() => {
  [ours, theirs] = [new Registry(), new Registry()];
});
/** A metric of ours, registered. */
function registered<Metric>(make: (set: TallySet) => Metric): Metric {
  const set = new TallySet();
  const metric = make(set);
  set.register(ours!);
  return metric;
}
/** What our registry tells, once it is seen to be what the library's own metrics tell. */
async function same(): Promise<string> {
  const text = await ours!.metrics();
  expect(text).toBe(await theirs!.metrics());
  return text;
}

describe('a histogram that counts in plain numbers', () => {
  const named = { name: `${PREFIX}waits_seconds`, help: 'Waits, "some" \\ long' };
  const histogram = (isEmptyShown: boolean) =>
    registered((set) => set.histogram('waits_seconds', named.help, isEmptyShown));
  const buckets = SHOWN_BOUNDS_MS.map((bound) => bound / 1_000);

  test('equals the library’s, at every bound and past the last', async () => {
    const mine = histogram(false);
    const labelNames = ['base', 'kind'];
    const model = new Histogram({ ...named, labelNames, buckets, registers: [theirs!] });
    const random = seeded(5);
    for (const labels of [
      { base: 'stj', kind: 'a "b" \\' },
      { base: 'stf', kind: 'c' },
    ]) {
      const series = mine(labels);
      expect(await same()).not.toContain(`base="${labels.base}"`);
      const drawn = Array.from({ length: 2_000 }, () => random() ** 6 * 8_000);
      for (const ms of [...SHOWN_BOUNDS_MS, 0, 7_000, ...drawn]) {
        series.observe(ms);
        model.observe(labels, ms / 1_000);
      }
      expect(await same()).toContain(`base="${labels.base}"`);
    }
  });

  test.each([{}, { base: 'stj' }])('has %o from the start if declared', async (labels) => {
    histogram(true)(labels);
    const labelNames = Object.keys(labels);
    const model = new Histogram({ ...named, labelNames, buckets, registers: [theirs!] });
    model.zero(labels);
    expect(await same()).toMatch(/^jurisprudencia_waits_seconds_count\S* 0$/mu);
  });

  test.each([NaN, Infinity, -Infinity])('refuses %d and keeps its sum', async (ms) => {
    const series = histogram(true)();
    expect(() => series.observe(ms)).toThrow(TypeError);
    expect(await ours!.metrics()).toContain('waits_seconds_sum 0\njurisprudencia_waits_seconds_count 0');
  });
});

describe('a counter that counts in plain numbers', () => {
  const named = { name: `${PREFIX}answers_total`, help: 'Answers', labelNames: ['route', 'status'] };

  test('equals the library’s, however often it is read, also for a series added later', async () => {
    const mine = registered((set) => set.counter('answers_total', named.help));
    const model = new Counter({ ...named, registers: [theirs!] });
    for (const labels of [
      { route: 'busca', status: '200' },
      { route: 'busca', status: '"4\\"' },
    ]) {
      const tally = mine(labels);
      model.inc(labels, 0);
      expect(await same()).toContain('busca');
      tally.add(3);
      model.inc(labels, 3);
      await same();
      expect(await same()).toContain('} 3');
    }
  });
});
