import { joined, markup, type Markup } from './markup.ts';
import { rate } from '../format.ts';
import { planRows } from '../plan-rows.ts';
import { baseTable, latencyTable, sweepTable, type Named, type Table } from '../tables.ts';
import { BASE_COLUMNS, slowestText } from '../words.ts';
import { colourOf, seriesLine } from './picture.ts';
import { basePlot, curvePlot, kneeLabel, sweepPlot } from './plots.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

/** The report's parts below the head, in order. */
export function sectionsOf(all: readonly Named[]): Section[] {
  const makers = [sweepSection, curveSection, baseSection, planSection];
  return makers.map((make) => make(all)).filter((one) => one !== null);
}

/** Absent if no run has more than one rate. */
function sweepSection(all: readonly Named[]): Section | null {
  if (all.every(({ run }) => run.steps.length < 2)) return null;
  const runs = all.map(({ run }) => run);
  const labels =
    all.length > 1
      ? all.map(({ label, run }) => `99th percentile, ${label}${kneeLabel(run)}`)
      : [`99th percentile${runs.map(kneeLabel).join('')}`, 'median'];
  return section('rates', 'Rate and latency', [
    markup`<p class="quiet">Each point is a rate. The knee is the last rate before the first that fails: under 95% complete answers, or a 99th percentile above 3 times that of the first rate plus 10 ms. One failing rate between two good ones does not count.</p>`,
    seriesLegend(labels),
    sweepPlot(runs),
    folded(sweepTable(all)),
  ]);
}

function curveSection(all: readonly Named[]): Section {
  return section('percentiles', 'Latency by percentile', [
    markup`<p class="quiet">How long each part of the requests waited, from the time at which they were due. Complete and incomplete answers are in it, and waits without an answer; quick refusals are not, because they would make the service look fast.</p>`,
    seriesLegend(all.map(({ label, step }) => `${label} (${rate(step.rate_per_s)})`)),
    curvePlot(all),
    folded(latencyTable(all)),
  ]);
}

/** Absent if no search was answered. */
function baseSection(all: readonly Named[]): Section | null {
  const bases = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const plot = basePlot(bases, all);
  if (plot === null) return null;
  return section('bases', 'Each base', [
    markup`<p class="quiet">Times by the service’s own clock (Server-Timing and por_base). Box: the middle half, with the median; whiskers: from the minimum to the 99th percentile; dot: the maximum. Less than 0.05 ms is drawn as 0.05.</p>`,
    markup`<p class="quiet">${BASE_COLUMNS}.</p>`,
    ...all.map(({ label, step }) => markup`<p>${ofRun(all, label)}${slowestText(step)}</p>`),
    legend(labelsOf(all), (at) => boxSwatch('var(--paper)', colourOf(at))),
    plot,
    folded(baseTable(all)),
  ]);
}

function planSection(all: readonly Named[]): Section {
  const plans = all.map(({ run }) => planRows(run));
  const names = [...new Set(plans.flat().map(([name]) => name))];
  const rows = names.map((name) =>
    [name].concat(plans.map((plan) => plan.find(([one]) => one === name)?.[1] ?? '')),
  );
  const table = { caption: 'Plan of the load', head: ['', ...labelsOf(all)], rows };
  return section('plan', 'What was asked for, and from where', [
    markup`<div class="plan">${tableMarkup(table)}</div>`,
  ]);
}

function section(id: string, title: string, parts: readonly (Markup | null)[]): Section {
  return { id, title, content: joined(parts) };
}

function labelsOf(all: readonly { readonly label: string }[]): string[] {
  return all.map(({ label }) => label);
}

function seriesLegend(labels: readonly string[]): Markup {
  return legend(labels, (at) => lineSwatch(seriesLine(at)));
}

function legend(labels: readonly string[], swatch: (at: number) => Markup | null): Markup {
  return markup`<ul class="legend">${labels.map((label, at) => markup`<li><svg width="28" height="14" aria-hidden="true">${swatch(at)}</svg>${label}</li>`)}</ul>`;
}

function lineSwatch(line: {
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly strokeDasharray?: string;
}): Markup {
  return markup`<path d="M0 7H28" stroke="${line.stroke}" stroke-width="${line.strokeWidth}" stroke-dasharray="${line.strokeDasharray ?? 'none'}"/>`;
}

function boxSwatch(fill: string, stroke: string): Markup {
  return markup`<rect x="2" y="1" width="24" height="12" fill="${fill}" stroke="${stroke}" stroke-width="2"/>`;
}

/** A run's name before a text about it, if there are two. */
export function ofRun(all: readonly Named[], label: string): string {
  return all.length > 1 ? `${label}: ` : '';
}

export function folded(table: Table): Markup {
  return markup`<details><summary>Table: ${table.caption}</summary>${tableMarkup(table)}</details>`;
}

/** A table that scrolls if it is wider than the page, also by keyboard. */
export function tableMarkup({ caption, head, rows }: Table): Markup {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${head.map((name) => (name === '' ? markup`<td></td>` : markup`<th scope="col">${name}</th>`))}</tr></thead>
<tbody>${rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}
