import { markup, type Markup } from '../../../html/markup.ts';
import type { Distribution, PercentileName } from '../histogram.ts';
import type { Step, Verdict } from '../result.ts';
import { roundedRate } from '../rounding.ts';
import {
  formatChange,
  formatPercent,
  formatPercentile,
  formatRate,
  formatRounded,
  formatWhole,
} from './numbers.ts';
import { kneeWords } from './sweep-plot.ts';
import { guardadas, outcomeTable, type Named } from './tables.ts';
import { cachedShare, errorCount } from '../step-figures.ts';

interface Figure {
  readonly name: string;
  readonly show: (step: Step) => string;
  /** The figure to compare; null if there is none. */
  readonly of: (step: Step) => number | null;
  /** True if the difference of two runs is within their confidence intervals. */
  readonly isWithinMargin?: (before: Step, after: Step) => boolean;
}

const FIGURES: readonly Figure[] = [
  latency('mediana', 'p50'),
  latency('percentil 99', 'p99'),
  latency('percentil 99,9', 'p999'),
  {
    name: 'respostas completas',
    show: ({ complete, seconds }) => `${formatRounded(roundedRate(complete, seconds))}/s`,
    of: ({ complete_per_s }) => complete_per_s,
  },
  count('incompletas ou recusadas', (step) => step.incomplete + step.rejected),
  count('erros', errorCount),
  {
    name: 'respostas das guardadas',
    show: guardadas,
    of: cachedShare,
  },
  share('a base mais lenta na busca', ({ slowest_base_percent: one }) =>
    one === null ? null : one.p50 / 100,
  ),
  share('CPU do gerador, de um núcleo', ({ generator }) => generator.cpu_share),
];

/** The most important figures at the rate of the plots, and for two runs the change. */
export function headline(all: readonly Named[]): Markup {
  const last = all.at(-1);
  if (last === undefined) throw new Error('a report without runs');
  const before = all.length > 1 ? all[0] : undefined;
  const rates = [...new Set(all.map(({ step }) => formatRate(step.rate_per_s)))].join(' e ');
  const knees = all.map(({ label, run }) => `${all.length > 1 ? `${label}: ` : ''}${kneeWords(run)}`);
  return markup`<section class="larga" aria-labelledby="resumo-h"><h2 id="resumo-h">Resumo a ${rates}</h2>
${knees.map((text) => markup`<p>${text}</p>`)}
${verdicts(last.run.verdicts)}
<dl class="numeros">${FIGURES.map((figure) => card(figure, last.step, before?.step))}</dl>
<details><summary>Tabela: o que foi feito dos pedidos</summary>${outcomeTable(all)}</details></section>`;
}

/** The results of the conditions of `--fail-if`. */
function verdicts(all: readonly Verdict[]): Markup | null {
  if (all.length === 0) return null;
  return markup`<ul class="veredito">${all.map(verdict)}</ul>`;
}

function verdict({ condition, is_met, value, rate_per_s }: Verdict): Markup {
  const figure =
    value === null ? 'não houve o que medir' : value.toLocaleString('pt-BR', { maximumSignificantDigits: 3 });
  const at = rate_per_s === null ? '' : ` a ${formatRate(rate_per_s)}`;
  const state = is_met ? 'Reprovado' : 'Aprovado';
  return markup`<li class="${is_met ? 'reprovado' : 'aprovado'}"><strong>${state}</strong>: <code>--fail-if ${condition}</code> (${figure}${at})</li>`;
}

function card({ name, show, of, isWithinMargin }: Figure, step: Step, before: Step | undefined): Markup {
  const was = before === undefined ? null : of(before);
  const isUnclear = before !== undefined && (isWithinMargin?.(before, step) ?? false);
  const change = isUnclear ? '(dentro da margem)' : formatChange(was, of(step));
  const earlier =
    before === undefined || was === null
      ? null
      : markup`<span class="antes">antes ${show(before)} ${change}</span>`;
  return markup`<div><dt>${name}</dt><dd>${of(step) === null ? '–' : show(step)}${earlier}</dd></div>`;
}

function latency(name: string, percentile: PercentileName): Figure {
  const between = ({ latency_ms }: Step) => latency_ms.all?.between[percentile];
  return {
    name,
    show: ({ latency_ms }) => `${formatPercentile(latency_ms.all, percentile)} ms`,
    of: ({ latency_ms }) => latency_ms.all?.[percentile] ?? null,
    isWithinMargin: (before, after) => overlap(between(before), between(after)),
  };
}

type Range = Distribution['between'][PercentileName] | undefined;

function overlap(a: Range, b: Range): boolean {
  if (a === undefined || b === undefined) return false;
  return a.low <= (b.high ?? Number.POSITIVE_INFINITY) && b.low <= (a.high ?? Number.POSITIVE_INFINITY);
}

function count(name: string, of: (step: Step) => number): Figure {
  return { name, of, show: (step) => formatWhole(of(step)) };
}

function share(name: string, of: (step: Step) => number | null): Figure {
  return { name, of, show: (step) => formatPercent(of(step) ?? 0) };
}
