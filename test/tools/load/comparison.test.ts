import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../src/tools/load/answer.ts';
import { compare, needComparable } from '../../../src/tools/load/comparison.ts';
import { conditionsOf, needDecidable, verdictsOf } from '../../../src/tools/load/fail-if.ts';
import { findKnee } from '../../../src/tools/load/knee.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import { reportPage } from '../../../src/tools/load/report/page.ts';
import type { Run, Step } from '../../../src/tools/load/result.ts';
import { isNoise, shiftOf } from '../../../src/tools/load/shift.ts';
import { summary, SUMMARY_WIDTH } from '../../../src/tools/load/summary.ts';
import { Tally } from '../../../src/tools/load/tally.ts';
import { madeRun, stepOf } from './made-run.ts';

const BATCHES = 10;
const BATCH_S = 2;

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
  { seed, slower = 1, drift = 0.25, failing = 0, batches = BATCHES }: Made,
  ratePerS: number,
): Step {
  const random = randomNumbers(seed);
  const tally = new Tally(BATCH_S * 1_000, 'relevancia');
  const durationMs = batches * BATCH_S * 1_000;
  let slow = slower;
  for (let dueMs = 0, last = -1; dueMs < durationMs; dueMs += 1_000 / ratePerS) {
    const batch = Math.floor(dueMs / (BATCH_S * 1_000));
    if (batch !== last) slow = slower * Math.exp(drift * (2 * random() - 1));
    last = batch;
    const isFailed = failing > 0 && random() < 1 / failing;
    const sample = {
      ask: { kind: 'record', about: '', path: '' },
      dueAt: dueMs,
      pickedAt: dueMs,
      sentAt: dueMs,
      endedAt: dueMs + slow * (5 - 10 * Math.log(1 - random())),
      result: { head: '', closes: false, body: Buffer.from(''), status: isFailed ? 500 : 200 },
    } as const;
    tally.record(sample, outcomeOf(sample, false), dueMs);
  }
  return stepOf(tally, ratePerS, durationMs);
}

function made(of: Made, rates: readonly number[] = [100]): Run {
  const steps = rates.map((rate, at) => madeStep({ ...of, seed: of.seed + 7_919 * at }, rate));
  return { ...madeRun(rates), steps, knee: findKnee(steps), warnings: [] };
}

const isTold = (before: Run, now: Run) => compare(before, now).some(({ change }) => !isNoise(change));

describe('a comparison of a hundred pairs of runs', () => {
  test.each([
    ['of one rate on a busy machine', 0.5, [50]],
    ['of four rates on a busy machine', 0.8, [10, 16, 25, 40]],
  ])(
    '%s calls the same service different 5 times at the most, by any figure, and tells one half as fast 95 times',
    (_, drift, rates) => {
      const runs = Array.from({ length: 100 }, (_one, at) => {
        const run = (more: number, slower = 1) =>
          made({ seed: 3 * at + more, drift, slower, failing: 200 }, rates);
        return { before: run(1), same: run(2), slowed: run(3, 2) };
      });
      expect(runs.filter(({ before, same }) => isTold(before, same)).length).toBeLessThanOrEqual(5);
      expect(runs.filter(({ before, slowed }) => isTold(before, slowed)).length).toBeGreaterThanOrEqual(95);
    },
  );
});

describe('a difference', () => {
  test('is the median of all pairwise differences, with the interval of the rank test', () => {
    // The 5% bounds of five values beside five leave out two at each end (Mann and Whitney, 1947).
    expect(shiftOf([1, 2, 3, 4, 5], [11, 12, 13, 14, 15], 0.05)).toEqual({ value: 10, low: 7, high: 13 });
    expect(isNoise(shiftOf([1, 2, 3, 4, 5], [2, 3, 4, 5, 6], 0.05))).toBe(true);
  });

  test('has no interval with too few values', () => {
    expect(shiftOf([1, 2], [3, 4], 0.05)).toEqual({ value: 2, low: -Infinity, high: Infinity });
    const few = compare(made({ seed: 1, batches: 4 }), made({ seed: 2, batches: 4, slower: 9 }));
    expect(few.every(({ change }) => isNoise(change))).toBe(true);
    expect(summary(made({ seed: 1, batches: 4 }), made({ seed: 2, batches: 4 }))).toContain(
      'too short to tell',
    );
  });

  test('of a time is a percentage of the earlier one, of a percentage in points', () => {
    const rows = compare(made({ seed: 1 }), made({ seed: 2, slower: 2, failing: 10 }));
    const of = (name: string) => rows.find((row) => row.name === name)!.change;
    expect(of('p50').value).toBeCloseTo(1, 0);
    expect(of('complete').value).toBeCloseTo(-0.1, 1);
  });
});

describe('the comparison of two runs', () => {
  const before = made({ seed: 1, failing: 100 }, [50, 100]);
  const wide = (text: string) => text.split('\n').filter((line) => line.length > SUMMARY_WIDTH);

  test('reports an unchanged service as within noise', () => {
    const text = summary(made({ seed: 2, failing: 80 }, [50, 100]), before);
    expect(text).toContain('no difference, all is within noise');
    expect(text).toMatch(
      /^complete +[\d.]+% +[\d.]+% +[+-][\d.]+ points \(-[\d.]+ to \+[\d.]+\) +within noise$/mu,
    );
    expect(text).not.toContain('differs');
    expect(wide(text)).toEqual([]);
  });

  test('names what differs, and is the same table on the page', () => {
    const now = made({ seed: 2, failing: 80, slower: 2.5 }, [50, 100]);
    const text = summary(now, before);
    expect(text).toContain('p50 and p99 differ');
    const [, was, is] =
      /^p50, ms +([\d.]+) +([\d.]+) +\+1\d\d% \(\+[\d.]+% to \+[\d.]+%\) +differs$/mu.exec(text) ?? [];
    expect(text).toMatch(/^knee +100\/s +\d+\/s$/mu);
    expect(wide(text)).toEqual([]);
    const html = reportPage([before, now]);
    expect(html).toContain('p50 and p99 differ');
    expect(html).toContain(`<th scope="row">p50, ms</th><td>${was}</td><td>${is}</td>`);
  });

  test('warns of plans that differ, of other work on the machine, and of an unlike result cache', () => {
    const machine = { ...before.machine, load_average: 7.5 };
    const steps = before.steps.map((step) => ({ ...step, cache_reported: 100, cache_hits: 78 }));
    const now = { ...before, machine, steps, plan: { ...before.plan, seed: 2 } };
    const recording = { speed: 1, left_out: 0, data: [] };
    const text = (run: Run) => summary(run, before).replaceAll(/\s+/gu, ' ');
    expect(text(now)).toContain('the plans of the two runs differ in seed');
    expect(text(now)).toContain('load average was 0.1 before and 7.5 now');
    expect(text(now)).toContain('0% came from the result cache before and 78% now');
    expect(text(now)).toContain('give another --seed');
    expect(text({ ...now, recording })).not.toContain('--seed');
    const html = reportPage([before, now]);
    expect(html).toContain('load average was 0.1 before and 7.5 now');
  });

  test.each([
    [{ data: 'tst=2-b, stf=1-c' }, 'the data differ: tst=1-a before, tst=2-b now;'],
    [{ data: null }, 'tst=1-a, stf=1-c before, not named now'],
    [{ plan: { rates_per_s: [60], batch_s: 2 } }, 'no rate in common'],
    [{ plan: { rates_per_s: [100], batch_s: 3 } }, 'the same --duration and --passes'],
  ])('refuses %j', (other, message) => {
    const of = { ...before, data: 'tst=1-a, stf=1-c' };
    const now = { ...of, plan: { rates_per_s: [100, 200], batch_s: before.plan.batch_s } };
    const check = (allowOtherData: boolean) => () => {
      needComparable(of, { ...now, ...other }, allowOtherData);
    };
    expect(check(false)).toThrow(message);
    if ('data' in other) expect(check(true)).not.toThrow();
    expect(() => {
      needComparable(of, now, false);
    }).not.toThrow();
  });
});

describe('a condition on a difference', () => {
  const before = made({ seed: 1 });
  const verdicts = (text: string, run: Run) => verdictsOf(conditionsOf(text), run, before);

  test('is met by a figure that is worse beyond noise, in percent or in its own unit', () => {
    const [percent, ms, better] = verdicts('p50>+20%,p50>+5,p50<-20%', made({ seed: 2, slower: 2.5 }));
    expect(percent).toMatchObject({ is_met: true, is_noise: false, rate_per_s: null });
    expect(percent?.value).toBeGreaterThan(100);
    expect(ms).toMatchObject({ is_met: true });
    expect(ms?.value).toBeLessThan(30);
    expect(better).toMatchObject({ is_met: false });
  });

  test('is not met by noise, however great', () => {
    const [p99, complete] = verdicts('p99>+0.0001%,complete<-0', made({ seed: 2 }));
    expect(p99).toMatchObject({ is_met: false, is_noise: true });
    expect(complete).toMatchObject({ is_met: false });
  });

  test('takes a share in points', () => {
    const [complete] = verdicts('complete<-3', made({ seed: 2, failing: 10 }));
    expect(complete).toMatchObject({ is_met: true });
    expect(complete?.value).toBeCloseTo(-10, -1);
  });

  test.each([
    ['p99>20%', 'write a figure'],
    ['max>+20%', 'they are by p50, p99, complete'],
    ['knee<-10%', 'not compared by knee'],
    ['complete<-20%', 'in points; write complete<-20'],
  ])('is refused as %s', (text, message) => {
    expect(() => conditionsOf(text)).toThrow(message);
  });

  test('is refused before the load if there is no earlier run', () => {
    expect(() => {
      needDecidable(conditionsOf('p99>+20%'), false, false);
    }).toThrow('give them with --compare');
  });
});
