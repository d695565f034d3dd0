import { describe, expect, test } from 'vitest';
import { reportPage } from '../../../src/tools/load/report/page.ts';
import { comparisonLines } from '../../../src/tools/load/comparison.ts';
import { conditionsOf, needDecidable, verdictsOf } from '../../../src/tools/load/fail-if.ts';
import { changeOf, FIGURES, overallChange } from '../../../src/tools/load/figures.ts';
import { ofPercentiles } from '../../../src/tools/load/histogram.ts';
import { findKnee } from '../../../src/tools/load/knee.ts';
import { isNoise, shareEstimate, difference } from '../../../src/tools/load/margins.ts';
import { outcomeOf } from '../../../src/tools/load/answer.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import type { Run, Step } from '../../../src/tools/load/result.ts';
import { Tally } from '../../../src/tools/load/tally.ts';
import { verdictText } from '../../../src/tools/load/summary.ts';
import { SUMMARY_WIDTH } from '../../../src/tools/load/terminal.ts';
import { madeRun, stepOf } from './made-run.ts';

const PASSES = 8;
const SECONDS = 2;

interface Made {
  readonly seed: number;
  readonly rate?: number;
  /** How many times slower the service is. */
  readonly slower?: number;
  /** By how much a pass, and a second of it, is slower or faster than another, on a logarithmic scale. */
  readonly drift?: number;
  /** One request in so many fails. */
  readonly failing?: number;
}

/** A rate of a service whose seconds and passes depend on each other, as on a machine with other work. */
function madeStep({ seed, rate = 100, slower = 1, drift = 0.25, failing = 0 }: Made): Step {
  const random = randomNumbers(seed);
  const tally = new Tally(1_000, 'relevancia');
  const about = { head: '', closes: false, body: Buffer.from('') };
  for (let pass = 0; pass < PASSES; pass += 1) {
    const ofPass = new Tally(1_000, 'relevancia');
    const slow = slower * Math.exp(drift * (2 * random() - 1));
    for (let at = 0; at < rate * SECONDS; at += 1) {
      const dueMs = (at * 1_000) / rate;
      const tookMs = slow * (5 - 10 * Math.log(1 - random()));
      const isFailed = failing > 0 && random() < 1 / failing;
      const sample = {
        ask: { kind: 'record', about: '', path: '' },
        dueAt: dueMs,
        pickedAt: dueMs,
        sentAt: dueMs,
        endedAt: dueMs + tookMs,
        result: { ...about, status: isFailed ? 500 : 200 },
      } as const;
      ofPass.record(sample, outcomeOf(sample, false), dueMs);
    }
    tally.add(ofPass.toText(), pass);
  }
  const durationMs = SECONDS * 1_000;
  return stepOf(tally, { ratePerS: rate, durationMs }, PASSES);
}

function sweep(made: Made, rates = [50, 100]): Run {
  const steps = rates.map((rate, at) => madeStep({ ...made, rate, seed: made.seed + 7_919 * at }));
  const run = madeRun(rates);
  return { ...run, plan: { ...run.plan, passes: PASSES }, steps, knee: findKnee(steps) };
}

describe('two runs of one service', () => {
  const pairs = Array.from({ length: 24 }, (_, at) => [
    madeStep({ seed: 2 * at + 1 }),
    madeStep({ seed: 2 * at + 2 }),
  ]);
  const found = (name: keyof typeof FIGURES, slower: readonly (Step | undefined)[][]) =>
    slower.filter(([was, is]) => {
      const change = changeOf(FIGURES[name], was!, is!);
      return change !== null && !isNoise(change);
    }).length;

  test('are told apart in one of twenty pairs at the most, although their seconds and passes hang together', () => {
    expect(found('p50', pairs)).toBeLessThanOrEqual(1);
    expect(found('p99', pairs)).toBeLessThanOrEqual(1);
  });

  test('are told apart where one is half as fast', () => {
    const slowed = pairs.map(([was], at) => [was, madeStep({ seed: 1_000 + at, slower: 2 })]);
    expect(found('p50', slowed)).toBeGreaterThan(21);
  });

  test('of several rates are told apart where one is half as fast, on a busy machine too', () => {
    const busy = (seed: number, slower = 1) => sweep({ seed, drift: 0.8, slower }, [10, 16, 25, 40]);
    const runs = Array.from({ length: 10 }, (_, at) => ({
      before: busy(3 * at + 1),
      same: busy(3 * at + 2),
      slowed: busy(3 * at + 3, 2),
    }));
    for (const name of ['p50', 'p99'] as const) {
      const told = (now: 'same' | 'slowed') =>
        runs.filter((run) => !isNoise(overallChange(FIGURES[name], run.before, run[now])!, 1)).length;
      expect(told('same')).toBeLessThanOrEqual(1);
      expect(told('slowed')).toBeGreaterThanOrEqual(9);
    }
  });

  test('of several rates have a margin from batches of passes, because other work often lasts longer than one', () => {
    const run = (times: number) => {
      const ofPass = (ms: number) => ofPercentiles(() => ms * times);
      const passes_ms = [1, 1, 2, 2, 1, 1, 2, 2].map(ofPass);
      return { steps: madeRun([50, 100]).steps.map((step) => Object.assign({}, step, { passes_ms })) };
    };
    // From single passes it would differ: 1.7 times (1.14 to 2.53).
    expect(isNoise(overallChange(FIGURES.p50, run(1), run(1.7))!, 1)).toBe(true);
    expect(isNoise(overallChange(FIGURES.p50, run(1), run(2.1))!, 1)).toBe(false);
  });

  test('have a wider margin than independent requests would have', () => {
    const widthOf = (drift: number) => {
      const { between } = madeStep({ seed: 5, drift }).latency_ms.all!;
      return between.p50.high! - between.p50.low;
    };
    expect(widthOf(0.5)).toBeGreaterThan(3 * widthOf(0));
  });
});

describe('a share', () => {
  const change = (before: number, after: number, of = 1_281) =>
    difference(shareEstimate({ of, counted: before }, 1), shareEstimate({ of, counted: after }, 1));

  test('of 10 and of 16 requests in 1,281 is the same, and so is one of none and of 3', () => {
    expect(isNoise(change(10, 16))).toBe(true);
    expect(isNoise(change(0, 3))).toBe(true);
    expect(isNoise(change(10, 60))).toBe(false);
  });
});

describe('the comparison in text', () => {
  test('says of an unchanged service that all is within noise', () => {
    const lines = comparisonLines(sweep({ seed: 1, failing: 100 }), sweep({ seed: 2, failing: 80 }));
    expect(lines.join(' ')).toMatch(/: no difference at 100\/s or over all +rates, all is within +noise/u);
    expect(lines.join('\n')).not.toContain('differs');
    expect(lines.join('\n')).toMatch(/^errors +\d+ of 1600 +\d+ of 1600 .* points .* within noise$/mu);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(SUMMARY_WIDTH);
  });

  test('names what differs, at every rate that both runs have', () => {
    const lines = comparisonLines(sweep({ seed: 1 }), sweep({ seed: 2, slower: 2.5 })).join('\n');
    expect(lines).toMatch(
      /over all rates p50 and p99 differ; at\s+100\/s p50, p90, .*differ\s+beyond noise/u,
    );
    expect(lines).toMatch(/^p50 over all 2 rates: [23]\.?\d* times \(.* to .*\), differs$/mu);
    expect(lines).toMatch(/^p50, ms .* differs$/mu);
    expect(lines).toMatch(/^50 .*differs/mu);
    for (const line of lines.split('\n')) expect(line.length).toBeLessThanOrEqual(SUMMARY_WIDTH);
  });

  test('says first that there is none over all rates where only one rate differs', () => {
    const before = sweep({ seed: 1 });
    const { steps } = sweep({ seed: 3, failing: 4 });
    const lines = comparisonLines(before, { ...sweep({ seed: 2 }), steps })
      .join(' ')
      .replaceAll(/ +/gu, ' ');
    expect(lines).toMatch(
      /: over all rates no difference; at 100\/s complete, errors, rate differ beyond noise/u,
    );
  });

  test('warns of runs with one pass, of plans that differ, of other work on the machine, and of an unlike result cache', () => {
    const before = madeRun([50, 100]);
    const machine = { ...before.machine, load_average: 7.5 };
    const steps = before.steps.map((step) => ({ ...step, cache_reported: 100, cache_hits: 78 }));
    const after = { ...before, machine, steps, plan: { ...before.plan, seed: 2 } };
    const text = comparisonLines(before, after).join(' ').replaceAll(/ +/gu, ' ');
    expect(text).toContain('with one pass, the margins leave out');
    expect(text).toContain('the plans of the two runs differ in seed');
    expect(text).toContain('load average was 0.1 before and 7.5 now');
    expect(text).toContain('0% came from the result cache before and 78% now');
    const html = reportPage([before, after]);
    expect(html).toContain('era 0,1 antes e 7,5 depois');
    expect(html).toContain('Vieram das guardadas 0% das respostas antes e 78% depois');
  });
});

describe('a condition on a difference', () => {
  const before = sweep({ seed: 1 });
  const verdicts = (text: string, run: Run) => verdictsOf(conditionsOf(text), run, before);

  test('is met by a figure that is worse beyond noise, in percent or in its own unit', () => {
    const [percent, ms, better] = verdicts('p50>+20%,p50>+5,p50<-20%', sweep({ seed: 2, slower: 2.5 }));
    expect(percent).toMatchObject({ is_met: true, is_noise: false });
    expect(percent?.value).toBeGreaterThan(100);
    expect(ms).toMatchObject({ is_met: true });
    expect(better).toMatchObject({ is_met: false });
  });

  test('is met over all rates where no single rate tells', () => {
    const busy = (seed: number, slower = 1) => sweep({ seed, drift: 0.8, slower }, [10, 16, 25, 40]);
    const [p99] = verdictsOf(conditionsOf('p99>+20%'), busy(6, 1.7), busy(4));
    expect(p99).toMatchObject({ is_met: true, rate_per_s: null });
    expect(verdictText(p99!)).toMatch(/^fail-if p99>\+20%: MET \(\+[\d.]+% over all rates\)$/u);
  });

  test('is not met by noise, however great', () => {
    const [p99, errors] = verdicts('p99>+0.0001%,errors>+0', sweep({ seed: 2 }));
    expect(p99).toMatchObject({ is_met: false, is_noise: true });
    expect(errors).toMatchObject({ is_met: false });
  });

  test('takes a share in points', () => {
    const [errors] = verdicts('errors>+3', sweep({ seed: 2, failing: 10 }));
    expect(errors).toMatchObject({ is_met: true });
    expect(errors?.value).toBeGreaterThan(5);
    expect(errors?.value).toBeLessThan(15);
  });

  test('takes a knee for the same that is one rate away, or of rates that tell nothing apart', () => {
    const knee = (at: number): Run['knee'] => ({
      found: 'knee',
      rate_per_s: [10, 20, 40, 80][at]!,
      reasons: [],
    });
    const { steps } = sweep({ seed: 1 }, [10, 20, 40, 80]);
    const worse = sweep({ seed: 2, failing: 2 }, [10, 20, 40, 80]).steps;
    const runs = [
      { steps: worse, knee: knee(0) },
      { steps, knee: knee(1) },
      { steps, knee: knee(2) },
      { steps, knee: knee(0) },
    ];
    const fallen = (at: number) => verdictsOf(conditionsOf('knee<-10%'), runs[at]!, runs[2]!)[0];
    expect(fallen(1)).toMatchObject({ is_met: false, is_noise: true });
    expect(fallen(0)).toMatchObject({ is_met: true, value: -75 });
    expect(fallen(3)).toMatchObject({ is_met: false, is_noise: true });
  });

  test.each([
    ['p99>20%', 'write a figure'],
    ['max>+20%', 'has no margin'],
    ['errors>+20%', 'in points; write errors>+20'],
  ])('is refused as %s', (text, message) => {
    expect(() => conditionsOf(text)).toThrow(message);
  });

  test('is refused before the load if no earlier run can decide it', () => {
    const conditions = conditionsOf('p99>+20%');
    expect(() => {
      needDecidable(conditions, [50], null);
    }).toThrow('give them with --compare');
    expect(() => {
      needDecidable(conditions, [60], before);
    }).toThrow('no rate in common');
    expect(() => {
      needDecidable(conditions, [100], before);
    }).not.toThrow();
  });
});
