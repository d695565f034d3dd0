import { BASES, isOneOf } from '../../contract/vocabulary.ts';
import { forEachOf } from '../../contract/records.ts';
import { PERCENTILES } from './histogram.ts';
import { BATCH_COUNTS, type BaseTally, type Tally } from './tally.ts';
import type { Pass } from './generator.ts';
import { BATCH_PERCENTILES, LATENCY_KINDS, type BaseStep, type Step } from './result.ts';

const MS_PER_S = 1_000;

/** @param passes all over the rate, which the tally counted. */
export function stepResult(ratePerS: number, tally: Tally, passes: readonly Pass[]): Step {
  const { histograms, counts } = tally;
  const measuredMs = passes.reduce((sum, pass) => sum + pass.measuredMs, 0);
  const seconds = measuredMs / MS_PER_S;
  const { connection_waits, ...outcomes } = counts;
  return {
    rate_per_s: ratePerS,
    seconds: thousandths(seconds),
    ...outcomes,
    errors: [...tally.errors]
      .map(([error, count]) => ({ error, count }))
      .toSorted((a, b) => b.count - a.count || a.error.localeCompare(b.error)),
    complete_per_s: seconds === 0 ? 0 : thousandths(counts.complete / seconds),
    latency_ms: forEachOf(LATENCY_KINDS, (kind) => histograms[kind].distribution()),
    service_ms: histograms.service.distribution(),
    slowest_base_percent: histograms.slowestShare.distribution(),
    generator: {
      cpu_share: thousandths(passes.reduce((sum, { cpuShare }) => sum + cpuShare / passes.length, 0)),
      lateness_ms: histograms.lateness.distribution(),
      connection_waits,
    },
    bases: [...tally.bases].toSorted(([a], [b]) => place(a) - place(b)).map((one) => baseResult(one)),
    batches: batchesOf(tally, measuredMs / tally.batchMs),
    curve: histograms.all.curve(),
    hdr: histograms.all.encode(),
  };
}

/** The contract's order of bases; unknown ones last. */
function place(base: string): number {
  return isOneOf(BASES, base) ? BASES.indexOf(base) : BASES.length;
}

function baseResult([base, tally]: [string, BaseTally]): BaseStep {
  return {
    base,
    latency_ms: tally.latency.distribution(),
    ...tally.counts,
    slowest: thousandths(tally.counts.slowest),
  };
}

/** Those that were measured whole. */
function batchesOf({ batches }: Tally, measured: number): Step['batches'] {
  return Array.from({ length: Math.floor(measured + 1e-9) }, (_, at) => {
    const { counts = BATCH_COUNTS, latency } = batches.get(at) ?? {};
    if (latency === undefined || latency.count === 0) return { ...counts, latency_ms: null };
    return { ...counts, latency_ms: forEachOf(BATCH_PERCENTILES, (name) => latency.at(PERCENTILES[name])) };
  });
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
