import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import { forEachOf } from '../../contract/records.ts';
import type { BaseTally, Tally } from './tally.ts';
import type { CpuShare } from './fleet.ts';
import { Histogram, ofPercentiles, type Widening } from './histogram.ts';
import { widening } from './margins.ts';
import type { StepPlan } from './plan.ts';
import { LATENCY_KINDS, type BaseStep, type Step } from './result.ts';

const MS_PER_S = 1_000;

/** The measurements of all passes over a rate. */
export interface Measured {
  readonly tally: Tally;
  readonly passes: readonly {
    readonly measuredMs: number;
    readonly cpu: CpuShare;
  }[];
}

export function stepResult(plan: StepPlan, { tally, passes }: Measured): Step {
  const { histograms, counts } = tally;
  const measuredMs = passes.reduce((sum, pass) => sum + pass.measuredMs, 0);
  const wider = wideningOf(tally);
  const seconds = measuredMs / MS_PER_S;
  const { connection_waits, ...outcomes } = counts;
  return {
    rate_per_s: plan.ratePerS,
    seconds: thousandths(seconds),
    ...outcomes,
    errors: [...tally.errors]
      .map(([error, count]) => ({ error, count }))
      .toSorted((a, b) => b.count - a.count || a.error.localeCompare(b.error)),
    complete_per_s: seconds === 0 ? 0 : thousandths(counts.complete / seconds),
    latency_ms: forEachOf(LATENCY_KINDS, (kind) => histograms[kind].distribution(wider)),
    service_ms: histograms.service.distribution(wider),
    slowest_base_percent: histograms.slowestShare.distribution(),
    generator: {
      cpu_share: thousandths(passes.reduce((sum, { cpu }) => sum + cpu.mean / passes.length, 0)),
      cpu_share_max: thousandths(Math.max(...passes.map(({ cpu }) => cpu.max))),
      lateness_ms: histograms.lateness.distribution(),
      connection_waits,
    },
    bases: [...tally.bases].toSorted(([a], [b]) => place(a) - place(b)).map((one) => baseResult(one, wider)),
    passes_ms: tally.passes.map((slots) => {
      const all = Histogram.sum(slots.map(({ latency }) => latency));
      return all.count === 0 ? null : ofPercentiles((percentile) => all.at(percentile));
    }),
    curve: histograms.all.curve(),
    timeline: tally.passes.flatMap((slots, pass) =>
      slots.map(({ due, complete, failed }) => ({ pass, due, complete, failed })),
    ),
    hdr: histograms.all.encode(),
  };
}

/** The contract's order of bases; unknown ones last. */
function place(base: string): number {
  return isOneOf(BASES, base) ? BASES.indexOf(base) : BASES.length;
}

function baseResult([base, tally]: [string, BaseTally], wider: Widening): BaseStep {
  return {
    base,
    latency_ms: tally.latency.distribution(wider),
    por_ordem: [...tally.byOrder]
      .map(([ordem, histogram]) => ({ ordem, latency_ms: histogram.distribution(wider) }))
      .toSorted((a, b) => b.ordem.localeCompare(a.ordem)),
    ...tally.counts,
    slowest: thousandths(tally.counts.slowest),
  };
}

/** How much latencies correlate within a second or a pass; assumed to be the same for all kinds of request. */
function wideningOf({ histograms, passes }: Tally): Widening {
  return ofPercentiles((percentile) => {
    const limit = histograms.all.at(percentile);
    return widening(
      passes.map((slots) =>
        slots.map(({ latency }) => ({ of: latency.count, counted: latency.count - latency.upTo(limit) })),
      ),
    );
  });
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
