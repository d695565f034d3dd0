import { BASES, isOneOf } from '../../contract/enums.ts';
import { forEachOf } from '../../contract/records.ts';
import type { BaseTally } from './base-tally.ts';
import type { FleetStep } from './fleet.ts';
import { filledCells } from './heat-cells.ts';
import type { StepPlan } from './plan.ts';
import { LATENCY_KINDS, type BaseStep, type Step } from './result.ts';
import type { Tally } from './tally.ts';

const MS_PER_S = 1_000;

/** The result of a step. @param startedMs end of its warm-up, since the run's start. */
export function stepResult(plan: StepPlan, { tally, measuredMs, cpu }: FleetStep, startedMs: number): Step {
  const { histograms, counts } = tally;
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
    latency_ms: forEachOf(LATENCY_KINDS, (kind) => histograms[kind].distribution()),
    service_ms: histograms.service.distribution(),
    slowest_base_percent: histograms.slowestShare.distribution(),
    generator: {
      cpu_share: thousandths(cpu.mean),
      cpu_share_max: thousandths(cpu.max),
      lateness_ms: histograms.lateness.distribution(),
      connection_waits,
    },
    bases: [...tally.bases].toSorted(([a], [b]) => place(a) - place(b)).map(baseResult),
    curve: histograms.all.curve(),
    timeline: timeline(plan, tally, startedMs),
    slot_s: plan.slotMs / MS_PER_S,
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
    por_ordem: [...tally.byOrder]
      .map(([ordem, histogram]) => ({ ordem, latency_ms: histogram.distribution() }))
      .toSorted((a, b) => b.ordem.localeCompare(a.ordem)),
    ...tally.counts,
    slowest: thousandths(tally.counts.slowest),
  };
}

function timeline({ slotMs }: StepPlan, { slots }: Tally, startedMs: number): Step['timeline'] {
  return slots.map(({ due, complete, failed, latency }, at) => ({
    at_s: thousandths((startedMs + at * slotMs) / MS_PER_S),
    due,
    complete,
    failed,
    p50_ms: latency.count === 0 ? null : latency.at(50),
    p99_ms: latency.count === 0 ? null : latency.at(99),
    cells: filledCells(latency),
  }));
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
