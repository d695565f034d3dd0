import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIGURES, type Figure } from '../figures.ts';
import { ms, percent, percentile, rate } from '../format.ts';
import { isKnee, kneeRate } from '../knee.ts';
import { reportOf, type Report, type Section, type Shown } from '../report.ts';
import type { Run, Step } from '../result.ts';
import type { Table } from '../tables.ts';
import { chart, evenAxis, percentileAxis } from './chart.ts';
import { markup, Markup } from './markup.ts';

/** Light and dark mode, and a narrow layout for phones. */
const STYLE = join(import.meta.dirname, 'style.css');
const TITLE = 'Load test of the case-law search';
/** In UTC, because readers may be in any time zone. */
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/**
 * The report of a run as a self-contained HTML document without scripts or network access.
 * @param before an earlier run to compare it with, or null.
 */
export function reportPage(run: Run, before: Run | null): string {
  const report = reportOf(run, before);
  const { shown, step, plan, rates, percentiles, bases, comparison } = report;
  const style = new Markup(readFileSync(STYLE, 'utf8'));
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${TITLE}: ${shown.map((one) => one.run.name || momentOf(one.run)).join(' and ')}</title>
<style>
${style}</style>
</head>
<body>
<header>
<h1>${TITLE}</h1>
${shown.map((one) => markup`<p class="quiet">${one.label}: ${one.run.name === '' ? '' : `${one.run.name}, `}${momentOf(one.run)}, ${one.run.url}</p>`)}
</header>
<main>
<section><h2>Summary at ${rate(step.rate_per_s)}</h2>
<dl class="figures">${figuresOf(run, step).map(([name, text]) => markup`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
${verdictList(report)}</section>
${warningList(report)}
${sectionMarkup(comparison, null)}
${sectionMarkup(rates, rates && ratesChart(shown))}
${sectionMarkup(percentiles, percentilesChart(shown))}
${sectionMarkup(bases, null)}
<section class="plan"><h2>What was asked for, and from where</h2>${tableMarkup(plan)}</section>
</main>
<footer><p>Latencies count from the time at which each request was due, and not from when it was sent: what a slow service makes later requests wait counts too. Waits without an answer are in them, and quick refusals are not. The knee is the last rate before the first that fails: under 95% complete answers, or a 99th percentile above 3 times that of the first rate plus 10 ms; one failing rate between two good ones does not count. ~ marks a percentile with fewer than four answers beyond it.</p></footer>
</body>
</html>
`.text;
}

function momentOf({ started_at }: Run): string {
  const date = new Date(started_at);
  return Number.isNaN(date.getTime()) ? started_at : `${clock.format(date)} UTC`;
}

/** The most important figures of a run. */
function figuresOf(run: Run, step: Step): [name: string, text: string][] {
  const share = ({ of }: Figure) => percent(of(step));
  const { all } = step.latency_ms;
  return [
    ...(run.knee.found === 'single' ? [] : [['kept up with', rate(kneeRate(run))] as [string, string]]),
    ['median', `${percentile(all, 'p50')} ms`],
    ['99th percentile', `${percentile(all, 'p99')} ms`],
    ['99.9th percentile', `${percentile(all, 'p999')} ms`],
    ['complete answers', rate(step.complete_per_s)],
    ['incomplete or rejected', share(FIGURES.incomplete)],
    ['errors', share(FIGURES.errors)],
    ['from the result cache', share(FIGURES.cached)],
  ];
}

function verdictList({ verdicts }: Report): Markup | null {
  if (verdicts.length === 0) return null;
  return markup`<ul class="verdicts">${verdicts.map(({ condition, is_met, text }) => markup`<li class="${is_met ? 'failed' : 'passed'}"><strong>${is_met ? 'Failed' : 'Passed'}</strong>: <code>--fail-if ${condition}</code> (${text})</li>`)}</ul>`;
}

function warningList({ warnings }: Report): Markup | null {
  if (warnings.length === 0) return null;
  return markup`<section class="warnings"><h2>Before you trust the figures</h2><ul>${warnings.map((text) => markup`<li>${withOptions(text)}.</li>`)}</ul></section>`;
}

/** A text with option names that do not break at hyphens. */
function withOptions(text: string): Markup[] {
  return text
    .split(/(--[a-z-]+)/u)
    .map((part, at) => (at % 2 === 1 ? markup`<code>${part}</code>` : markup`${part}`));
}

function sectionMarkup(section: Section | null, drawing: Markup | null): Markup | null {
  if (section === null) return null;
  const { title, texts, table } = section;
  return markup`<section><h2>${title}</h2>
${texts.map((text) => markup`<p>${text}.</p>`)}
${drawing}
${tableMarkup(table)}</section>`;
}

/** A table that scrolls if it is wider than the page, also by keyboard. */
function tableMarkup({ caption, head, rows }: Table): Markup {
  const names = head.map((name) => (name === '' ? markup`<td></td>` : markup`<th scope="col">${name}</th>`));
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${names}</tr></thead>
<tbody>${rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

/**
 * Latency by complete answers a second, a point for each rate. The curve goes right while the service keeps up, and up when
 * it does not. One run has its 99th percentile and median; two runs have their 99th percentiles.
 */
function ratesChart(shown: readonly Shown[]): Markup | null {
  const percentiles = shown.length > 1 ? (['p99'] as const) : (['p99', 'p50'] as const);
  const lines = shown.flatMap(({ label, run }) =>
    percentiles.map((of) => ({
      label: `${of}, ${label}${of === 'p99' && run.knee.found === 'knee' ? ' (ring: knee)' : ''}`,
      points: run.steps.flatMap((step) => {
        const { all } = step.latency_ms;
        if (all === null) return [];
        const title = `${rate(step.rate_per_s)}: ${ms(all[of])} ms`;
        return [{ x: step.complete_per_s, y: all[of], title, isRinged: of === 'p99' && isKnee(run, step) }];
      }),
    })),
  );
  return chart('Rate and latency', evenAxis, 'complete answers a second', lines);
}

/** Latency by percentile, with a finer scale towards 100%. */
function percentilesChart(shown: readonly Shown[]): Markup | null {
  const lines = shown.map(({ label, step }) => ({
    label: `${label} (${rate(step.rate_per_s)})`,
    points: step.curve.map(({ percentile: x, ms: y }) => ({ x, y })),
  }));
  return chart('Latency by percentile', percentileAxis, 'percentile (how many waited no longer)', lines);
}
