import { describe, expect, test } from 'vitest';
import { compare, needComparable } from '../../../src/tools/load/comparison.ts';
import { conditionsOf, needDecidable, verdictsOf } from '../../../src/tools/load/fail-if.ts';
import { findKnee } from '../../../src/tools/load/knee.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import { reportPage } from '../../../src/tools/load/report/page.ts';
import type { Run, Step } from '../../../src/tools/load/result.ts';
import { isNoise, shiftOf } from '../../../src/tools/load/shift.ts';
import { summary } from '../../../src/tools/load/summary.ts';
import { BATCH_S, madeRun, sample, stepOf } from './made-run.ts';

interface Made {
  readonly seed: number;
  /** How many times slower the service is. */
  readonly slower?: number;
  /** By how much a batch is slower or faster than another, on a logarithmic scale: the machine's other work. */
  readonly drift?: number;
  /** One request in so many fails. */
  readonly failing?: number;
  readonly batches?: number;
}

/** A rate of a service whose seconds are slow together, as on a machine with other work. */
function madeStep(
  ratePerS: number,
  { seed, slower = 1, drift = 0.25, failing = 0, batches = 10 }: Made,
): Step {
  const random = randomNumbers(seed);
  const samples = Array.from({ length: batches }, (_, batch) => {
    const slow = slower * Math.exp(drift * (2 * random() - 1));
    return Array.from({ length: BATCH_S * ratePerS }, (_one, at) =>
      sample({
        kind: 'record',
        status: failing > 0 && random() < 1 / failing ? 500 : 200,
        body: '',
        dueAt: 1_000 * (BATCH_S * batch + at / ratePerS),
        tookMs: slow * (5 - 10 * Math.log(1 - random())),
      }),
    );
  });
  return stepOf(ratePerS, samples.flat(), batches * BATCH_S);
}

function made(of: Made, rates: readonly number[] = [100]): Run {
  const steps = rates.map((rate, at) => madeStep(rate, { ...of, seed: of.seed + 7_919 * at }));
  return {
    ...madeRun([10]),
    plan: { ...madeRun([10]).plan, rates_per_s: [...rates] },
    steps,
    knee: findKnee(steps),
    warnings: [],
  };
}

const isTold = (before: Run, now: Run) => compare(before, now).some(({ change }) => !isNoise(change));

test.each([
  ['one rate on a busy machine', 0.5, [50]],
  ['four rates on a busier one', 0.8, [10, 16, 25, 40]],
])(
  'of a hundred pairs of runs at %s at most 5 of the same service are called different by any figure, and 95 of one half as fast are',
  (_, drift, rates) => {
    const run = (seed: number, slower = 1) => made({ seed, drift, slower, failing: 200 }, rates);
    const told = Array.from({ length: 100 }, (_one, at) => {
      const before = run(3 * at + 1);
      return { same: isTold(before, run(3 * at + 2)), slowed: isTold(before, run(3 * at + 3, 2)) };
    });
    expect(told.filter(({ same }) => same).length).toBeLessThanOrEqual(5);
    expect(told.filter(({ slowed }) => slowed).length).toBeGreaterThanOrEqual(95);
  },
);

describe('a difference', () => {
  test('is the median of all pairwise differences, with the interval of the rank test', () => {
    // The 5% bounds of five values beside five leave out two at each end (Mann and Whitney, 1947).
    expect(shiftOf([1, 2, 3, 4, 5], [11, 12, 13, 14, 15], 0.05)).toEqual({ value: 10, low: 7, high: 13 });
  });

  test('has no interval with too few values', () => {
    const text = summary(made({ seed: 2, slower: 4, batches: 3 }), made({ seed: 1, batches: 3 }));
    expect(text).toMatch(/^p50, ms .*\(any to any\) +within noise$/mu);
    expect(text.replaceAll(/\s+/gu, ' ')).toContain(
      'too short to tell anything; give both a longer --duration',
    );
  });

  test('of a time is a percentage of the earlier one, of a share in points, and is the same on the page', () => {
    const [before, now] = [
      made({ seed: 1 }, [50, 100]),
      made({ seed: 2, failing: 10, slower: 2.5 }, [50, 100]),
    ];
    const text = summary(now, before);
    expect(text).toContain('p50, p99 and complete differ');
    const [, was, is] =
      /^p50, ms +([\d.]+) +([\d.]+) +\+1\d\d% \(\+[\d.]+% to \+[\d.]+%\) +differs$/mu.exec(text) ?? [];
    expect(text).toMatch(/^complete .* -1[\d.]+ points \(-[\d.]+ to -[\d.]+\) +differs$/mu);
    expect(text).toMatch(/^knee +100\/s +\d+\/s$/mu);
    const html = reportPage(now, before);
    expect(html).toContain('p50, p99 and complete differ');
    expect(html).toContain(`<th scope="row">p50, ms</th><td>${was}</td><td>${is}</td>`);
  });
});

describe('the comparison of two runs', () => {
  const before = made({ seed: 1, failing: 100 }, [50, 100]);

  test('says of an unchanged service that all is within noise', () => {
    const text = summary(made({ seed: 2, failing: 80 }, [50, 100]), before);
    expect(text).toContain('no difference, all is within noise');
    expect(text).not.toContain('differs');
  });

  test('warns of plans that differ, of other work on the machine, and of an unlike result cache', () => {
    const machine = { ...before.machine, load_average: 7.5 };
    const steps = before.steps.map((step) => ({ ...step, cache_reported: 100, cache_hits: 78 }));
    const now = { ...before, machine, steps, plan: { ...before.plan, seed: 2 } };
    const recording = { speed: 1, left_out: 0, data: [] };
    const text = (run: Run) => summary(run, before).replaceAll(/\s+/gu, ' ');
    expect(text(now)).toContain('the two runs differ in seed');
    expect(text(now)).toContain('load average was 0.1 before and 7.5 now');
    const said = 'of the answers an unreported part came from the result cache before and 78% now';
    expect(text(now)).toContain(said);
    const reported = before.steps.map((step) => ({ ...step, cache_reported: 100, cache_hits: 0 }));
    expect(summary(now, { ...before, steps: reported }).replaceAll(/\s+/gu, ' ')).toContain(
      'of the answers 0% came from the result cache before and 78% now',
    );
    expect(text(before)).not.toContain('result cache before');
    expect(text(now)).toContain('give another --seed');
    expect(text({ ...now, recording })).not.toContain('--seed');
    expect(reportPage(now, before)).toContain('load average was 0.1 before and 7.5 now');
  });

  test.each([
    [{ data: 'tst=2-b, stf=1-c' }, 'the data differ: tst=1-a before, tst=2-b now;'],
    [{ data: null }, 'tst=1-a, stf=1-c before, not named now'],
    [{ plan: { rates_per_s: [60], batch_s: 2 } }, 'no rate in common'],
    [{ plan: { rates_per_s: [100], batch_s: 3 } }, 'the same --duration and --passes'],
  ])('refuses %j', (other, message) => {
    const of = { ...before, data: 'tst=1-a, stf=1-c' };
    const now = { ...of, plan: { rates_per_s: [100, 200], batch_s: BATCH_S } };
    const check = (run: typeof now, allowOtherData: boolean) => () => {
      needComparable(of, run, allowOtherData);
    };
    expect(check({ ...now, ...other } as typeof now, false)).toThrow(message);
    if ('data' in other) expect(check({ ...now, ...other } as typeof now, true)).not.toThrow();
    expect(check(now, false)).not.toThrow();
  });
});

describe('a condition on a difference', () => {
  const before = made({ seed: 1 });
  const verdicts = (text: string, of: Made) => verdictsOf(conditionsOf(text), made(of), before);

  test('is met by a figure that is worse beyond noise, in percent, in its own unit, or in points', () => {
    const slower = verdicts('p50>+20%,p50>+5,p50<-20%,complete<-3', { seed: 2, slower: 2.5, failing: 10 });
    expect(slower.map(({ is_met }) => is_met)).toEqual([true, true, false, true]);
    const [percent, ms, , points] = slower.map(({ value }) => value);
    expect(percent).toBeGreaterThan(100);
    expect(ms).toBeLessThan(30);
    expect(points).toBeCloseTo(-10, -1);
  });

  test('is not met by noise, however great', () => {
    const noise = verdicts('p99>+0.0001%,complete<-0', { seed: 2 });
    expect(noise).toMatchObject([{ is_met: false, is_noise: true }, { is_met: false }]);
  });

  test.each([
    ['p99>20%', 'write a figure'],
    ['max>+20%', 'they are by p50, p99, complete'],
    ['knee<-10%', 'not compared by knee'],
    ['complete<-20%', 'in points; write complete<-20'],
    ['p99>+20%', 'give them with --compare'],
  ])('is refused as %s without an earlier run', (text, message) => {
    expect(() => {
      needDecidable(conditionsOf(text), false, false);
    }).toThrow(message);
  });
});
