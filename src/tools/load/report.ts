import { bug } from '../../bug.ts';
import { compare, doubtsOf } from './comparison.ts';
import { rate } from './format.ts';
import { shownSteps } from './knee.ts';
import { planRows } from './plan-rows.ts';
import type { Run, Step } from './result.ts';
import { baseTable, comparisonTable, latencyTable, sweepTable, type Table } from './tables.ts';
import { basesText, comparisonText, generatorText, kneeText, outcomesText, verdictText } from './words.ts';

/** A part of a report, for a terminal and for a page. */
export interface Section {
  readonly title: string;
  readonly texts: readonly string[];
  readonly table: Table;
}

/** A run at the rate that is shown of it. */
export interface Shown {
  readonly label: string;
  readonly run: Run;
  readonly step: Step;
}

export interface Report {
  /** The run; before it the earlier one, if there is one. */
  readonly shown: readonly Shown[];
  readonly step: Step;
  readonly plan: Table;
  /** Null for a single rate. */
  readonly rates: Section | null;
  readonly percentiles: Section;
  /** Null if no search was answered. */
  readonly bases: Section | null;
  readonly comparison: Section | null;
  readonly warnings: readonly string[];
  readonly verdicts: readonly {
    readonly condition: string;
    readonly is_met: boolean;
    readonly text: string;
  }[];
}

/** @param before an earlier run to compare it with, or null; then both are shown at a rate that both have. */
export function reportOf(run: Run, before: Run | null): Report {
  const runs = before === null ? [run] : [before, run];
  const steps = shownSteps(runs);
  const shown = runs.map((one, at) => ({
    label: before === null ? 'this run' : one === before ? 'before' : 'now',
    run: one,
    step: steps[at] ?? bug('a run without a rate'),
  }));
  const { step } = shown.at(-1) ?? bug('no run');
  return {
    shown,
    step,
    plan: { caption: 'Plan of the load', head: ['', ''], rows: planRows(run) },
    rates:
      run.steps.length === 1
        ? null
        : { title: 'Rate and latency', texts: [kneeText(run)], table: sweepTable(run) },
    percentiles: {
      title: 'Latency by percentile',
      texts: [`at ${rate(step.rate_per_s)}: ${outcomesText(step)}`, generatorText(step)],
      table: latencyTable(step),
    },
    bases:
      step.bases.length === 0
        ? null
        : { title: 'Each base', texts: [basesText(step)], table: baseTable(step) },
    comparison: before === null ? null : comparisonOf(before, run),
    warnings: [
      ...run.warnings.map(({ text }) => text),
      ...(before === null ? [] : doubtsOf(before, run)),
      ...(before?.warnings ?? []).map(({ text }) => `before: ${text}`),
    ],
    verdicts: run.verdicts.map((one) => ({ ...one, text: verdictText(one) })),
  };
}

function comparisonOf(before: Run, run: Run): Section {
  const name = before.name === '' ? before.started_at : before.name;
  return {
    title: 'Two runs',
    texts: [`compared with ${name}: ${comparisonText(compare(before, run))}`],
    table: comparisonTable(before, run),
  };
}
