import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare, doubtsOf } from '../comparison.ts';
import { FIGURES, type Figure } from '../figures.ts';
import { shownSteps } from '../knee.ts';
import { PORTUGUESE as t } from '../language.ts';
import { planDifferences } from '../plan-rows.ts';
import type { Run, Step, Verdict } from '../result.ts';
import { comparisonTable, outcomeTable, type Named } from '../tables.ts';
import { comparisonText, doubtText, kneeText, verdictText, warningText } from '../words.ts';
import { joined, markup, Markup } from './markup.ts';
import { folded, sectionsOf, tableMarkup } from './sections.ts';

/** Light and dark mode, and a narrow layout for phones. */
const STYLE = join(import.meta.dirname, 'style.css');
const TITLE = 'Teste de carga da busca de jurisprudência';
const NAMES = ['antes', 'agora'];
/** In UTC, because readers may be in any time zone. */
const clock = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' });

/**
 * The report of a run, or a comparison of two, the earlier first. A self-contained HTML document without
 * scripts or network access.
 */
export function reportPage(runs: readonly Run[]): string {
  const steps = shownSteps(runs);
  const all = runs.flatMap((run, at): Named[] => {
    const [step, label = ''] = [steps[at], runs.length > 1 ? NAMES[at] : 'esta execução'];
    return step === undefined ? [] : [{ label, run, step }];
  });
  const style = new Markup(readFileSync(STYLE, 'utf8'));
  const sections = sectionsOf(all);
  return markup`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${TITLE}: ${runs.map((run) => (run.name === '' ? momentOf(run) : run.name)).join(' e ')}</title>
<style>
${style}</style>
</head>
<body>
<a class="pular" href="#conteudo">Ir ao conteúdo</a>
<header>
<h1>${TITLE}</h1>
${all.map(({ label, run }) => markup`<p class="fraco">${ofRun(all, label)}${run.name === '' ? '' : `${run.name}, `}<time datetime="${run.started_at}">${momentOf(run)}</time>, ${run.url}</p>`)}
<nav aria-label="Partes do relatório"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main id="conteudo" tabindex="-1">
${headline(all)}
${warnings(all)}
${joined(sections.map(({ id, title, content }) => markup`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${title}</h2>${content}</section>`))}
</main>
<footer><p>Latências contam desde o momento em que cada pedido devia sair, e não desde o envio: a espera que um serviço lento impõe aos pedidos seguintes também conta. ≈ marca um percentil que menos de quatro respostas ultrapassam.</p></footer>
</body>
</html>
`.text;
}

function momentOf({ started_at }: Run): string {
  const date = new Date(started_at);
  return Number.isNaN(date.getTime()) ? started_at : `${clock.format(date)} UTC`;
}

function ofRun(all: readonly Named[], label: string): string {
  return all.length > 1 ? `${label}: ` : '';
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
      : markup`<p><strong>${comparisonText(compare(before, now), t)}</strong> Os intervalos vêm de lotes de segundos e valem todos juntos em 95 de 100 comparações; de várias taxas, os tempos são a média geométrica.</p><div class="plano">${tableMarkup(comparisonTable(before, now, t))}</div>`;
  return markup`<section aria-labelledby="resumo-h"><h2 id="resumo-h">Resumo a ${t.rate(step.rate_per_s)}</h2>
${all.map((one) => markup`<p>${ofRun(all, one.label)}${kneeText(one.run, t)}</p>`)}
${run.verdicts.length === 0 ? null : markup`<ul class="veredito">${run.verdicts.map(verdictItem)}</ul>`}
${compared}
<dl class="numeros">${CARDS.map(([name, text]) => markup`<div><dt>${name}</dt><dd>${text(step)}</dd></div>`)}</dl>
${folded(outcomeTable(all, t))}</section>`;
}

const shareOf = (figure: Figure) => (step: Step) => t.percent(figure.of(step));
const CARDS: readonly (readonly [string, (step: Step) => string])[] = [
  ['mediana', ({ latency_ms }) => `${t.percentile(latency_ms.all, 'p50')} ms`],
  ['percentil 99', ({ latency_ms }) => `${t.percentile(latency_ms.all, 'p99')} ms`],
  ['percentil 99,9', ({ latency_ms }) => `${t.percentile(latency_ms.all, 'p999')} ms`],
  ['respostas completas', ({ complete_per_s }) => t.rate(complete_per_s)],
  ['incompletas ou recusadas', shareOf(FIGURES.incomplete)],
  ['erros', shareOf(FIGURES.errors)],
  ['respostas das guardadas', shareOf(FIGURES.cached)],
  [
    'a base mais lenta na busca',
    ({ slowest_base_percent: one }) => t.percent(one === null ? null : one.p50 / 100),
  ],
  ['CPU do gerador, de um núcleo', ({ generator }) => t.percent(generator.cpu_share)],
];

function verdictItem(verdict: Verdict): Markup {
  const [name, state] = verdict.is_met ? ['reprovado', 'Reprovado'] : ['aprovado', 'Aprovado'];
  return markup`<li class="${name}"><strong>${state}</strong>: <code>--fail-if ${verdict.condition}</code> (${verdictText(verdict, t)})</li>`;
}

function warnings(all: readonly Named[]): Markup | null {
  const [before, now] = all.map(({ run }) => run);
  const texts = all.flatMap(({ label, run }) =>
    run.warnings.map((warning) => `${ofRun(all, label)}${warningText(warning, run, t)}`),
  );
  if (before !== undefined && now !== undefined) {
    texts.push(...doubtsOf(before, now).map((doubt) => doubtText(doubt, now, t)));
    const differences = planDifferences(before, now);
    if (differences.length > 0)
      texts.push(`os planos das duas execuções diferem em ${differences.join(', ')}`);
  }
  if (texts.length === 0) return null;
  return markup`<section class="avisos" aria-labelledby="avisos-h"><h2 id="avisos-h">Antes de confiar nos números</h2><ul>${texts.map((text) => markup`<li>${withOptions(text)}.</li>`)}</ul></section>`;
}

/** A text with option names that do not break at hyphens. */
function withOptions(text: string): Markup[] {
  return text
    .split(/(--[a-z-]+)/u)
    .map((part) => (part.startsWith('--') ? markup`<code>${part}</code>` : markup`${part}`));
}
