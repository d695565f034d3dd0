import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, doubtsOf } from '../comparison.ts';
import { FIGURES, type Figure } from '../figures.ts';
import { shownSteps } from '../knee.ts';
import { percent, percentile, rate } from '../format.ts';
import type { Run, Step, Verdict } from '../result.ts';
import { comparisonTable, outcomeTable, type Named } from '../tables.ts';
import { comparisonText, kneeText, verdictText } from '../words.ts';
import { joined, markup, Markup } from './markup.ts';
import { folded, ofRun, sectionsOf, tableMarkup } from './sections.ts';

/** Light and dark mode, and a narrow layout for phones. */
const STYLE = join(import.meta.dirname, 'style.css');
const TITLE = 'Load test of the case-law search';
const NAMES = ['before', 'now'];
/** In UTC, because readers may be in any time zone. */
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/**
 * The report of a run, or a comparison of two, the earlier first. A self-contained HTML document without
 * scripts or network access.
 */
export function reportPage(runs: readonly Run[]): string {
  const steps = shownSteps(runs);
  const all = runs.flatMap((run, at): Named[] => {
    const [step, label = ''] = [steps[at], runs.length > 1 ? NAMES[at] : 'this run'];
    return step === undefined ? [] : [{ label, run, step }];
  });
  const style = new Markup(readFileSync(STYLE, 'utf8'));
  const sections = sectionsOf(all);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${TITLE}: ${runs.map((run) => (run.name === '' ? momentOf(run) : run.name)).join(' and ')}</title>
<style>
${style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${TITLE}</h1>
${all.map(({ label, run }) => markup`<p class="quiet">${ofRun(all, label)}${run.name === '' ? '' : `${run.name}, `}<time datetime="${run.started_at}">${momentOf(run)}</time>, ${run.url}</p>`)}
<nav aria-label="Parts of the report"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main id="content" tabindex="-1">
${headline(all)}
${warnings(all)}
${joined(sections.map(({ id, title, content }) => markup`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${title}</h2>${content}</section>`))}
</main>
<footer><p>Latencies count from the time at which each request was due, and not from when it was sent: what a slow service makes later requests wait counts too. ~ marks a percentile with fewer than four answers beyond it.</p></footer>
</body>
</html>
`.text;
}

function momentOf({ started_at }: Run): string {
  const date = new Date(started_at);
  return Number.isNaN(date.getTime()) ? started_at : `${clock.format(date)} UTC`;
}

/** The most important figures of the last run, the comparison with an earlier one, and the verdicts. */
function headline(all: readonly Named[]): Markup {
  const last = all.at(-1);
  if (last === undefined) throw new Error('a report without runs');
  const { step, run } = last;
  const [before, now] = all.map((one) => one.run);
  const compared =
    before === undefined || now === undefined
      ? null
      : markup`<p>Now beside before: <strong>${comparisonText(compare(before, now))}</strong>. The intervals come from batches of seconds, and hold together in 95 of 100 comparisons; over several rates, times are geometric means.</p><div class="plan">${tableMarkup(comparisonTable(before, now))}</div>`;
  return markup`<section aria-labelledby="summary-h"><h2 id="summary-h">Summary at ${rate(step.rate_per_s)}</h2>
${all.map((one) => markup`<p>${ofRun(all, one.label)}${kneeText(one.run)}</p>`)}
${run.verdicts.length === 0 ? null : markup`<ul class="verdicts">${run.verdicts.map(verdictItem)}</ul>`}
${compared}
<dl class="figures">${CARDS.map(([name, text]) => markup`<div><dt>${name}</dt><dd>${text(step)}</dd></div>`)}</dl>
${folded(outcomeTable(all))}</section>`;
}

const shareOf = (figure: Figure) => (step: Step) => percent(figure.of(step));
const CARDS: readonly (readonly [string, (step: Step) => string])[] = [
  ['median', ({ latency_ms }) => `${percentile(latency_ms.all, 'p50')} ms`],
  ['99th percentile', ({ latency_ms }) => `${percentile(latency_ms.all, 'p99')} ms`],
  ['99.9th percentile', ({ latency_ms }) => `${percentile(latency_ms.all, 'p999')} ms`],
  ['complete answers', ({ complete_per_s }) => rate(complete_per_s)],
  ['incomplete or rejected', shareOf(FIGURES.incomplete)],
  ['errors', shareOf(FIGURES.errors)],
  ['from the result cache', shareOf(FIGURES.cached)],
];

function verdictItem(verdict: Verdict): Markup {
  const [name, state] = verdict.is_met ? ['failed', 'Failed'] : ['passed', 'Passed'];
  return markup`<li class="${name}"><strong>${state}</strong>: <code>--fail-if ${verdict.condition}</code> (${verdictText(verdict)})</li>`;
}

function warnings(all: readonly Named[]): Markup | null {
  const [before, now] = all.map(({ run }) => run);
  const texts = [
    ...all.flatMap(({ label, run }) => run.warnings.map(({ text }) => `${ofRun(all, label)}${text}`)),
    ...(before === undefined || now === undefined ? [] : doubtsOf(before, now)),
  ];
  if (texts.length === 0) return null;
  return markup`<section class="warnings" aria-labelledby="warnings-h"><h2 id="warnings-h">Before you trust the figures</h2><ul>${texts.map((text) => markup`<li>${withOptions(text)}.</li>`)}</ul></section>`;
}

/** A text with option names that do not break at hyphens. */
function withOptions(text: string): Markup[] {
  return text
    .split(/(--[a-z-]+)/u)
    .map((part) => (part.startsWith('--') ? markup`<code>${part}</code>` : markup`${part}`));
}
