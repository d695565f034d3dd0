import { markup, type Markup } from './markup.ts';
import { changeOf, FIGURES, overallChange, valueOf, type Figure } from '../figures.ts';
import { isNoise, type Difference } from '../margins.ts';
import type { Step, Verdict } from '../result.ts';
import { roundedRate } from '../rounding.ts';
import {
  DASH,
  formatChange,
  formatPercent,
  formatPercentile,
  formatPoints,
  formatRate,
  formatRounded,
  formatShort,
  formatWhole,
} from './numbers.ts';
import { outcomeTable, type Named } from './tables.ts';
import { kneeWords } from './texts.ts';

/** The shown figures: some that runs are compared by, and others without a margin. */
const CARDS: readonly Card[] = [
  { name: 'mediana', figure: FIGURES.p50 },
  { name: 'percentil 99', figure: FIGURES.p99 },
  { name: 'percentil 99,9', figure: FIGURES['p99.9'] },
  { name: 'respostas completas', figure: FIGURES.rate },
  { name: 'incompletas ou recusadas', figure: FIGURES.incomplete },
  { name: 'erros', figure: FIGURES.errors },
  { name: 'respostas das guardadas', figure: FIGURES.cached },
  share('a base mais lenta na busca', ({ slowest_base_percent: one }) =>
    one === null ? null : one.p50 / 100,
  ),
  share('CPU do gerador, de um núcleo', ({ generator }) => generator.cpu_share),
];

interface Card {
  readonly name: string;
  readonly figure?: Figure;
  /** Shown instead of a figure. */
  readonly share?: (step: Step) => number | null;
}

/** The most important figures at the rate of the plots, and for two runs the change. */
export function headline(all: readonly Named[]): Markup {
  const last = all.at(-1);
  if (last === undefined) throw new Error('a report without runs');
  const before = all.length > 1 ? all[0] : undefined;
  const rates = [...new Set(all.map(({ step }) => formatRate(step.rate_per_s)))].join(' e ');
  const knees = all.map(({ label, run }) => `${all.length > 1 ? `${label}: ` : ''}${kneeWords(run)}`);
  return markup`<section class="larga" aria-labelledby="resumo-h"><h2 id="resumo-h">Resumo a ${rates}</h2>
${[...knees, ...overallWords(all)].map((text) => markup`<p>${text}</p>`)}
${verdicts(last.run.verdicts)}
<dl class="numeros">${CARDS.map((one) => card(one, last.step, before?.step))}</dl>
<details><summary>Tabela: o que foi feito dos pedidos</summary>${outcomeTable(all)}</details></section>`;
}

/** The factor of the second run's latencies, over all common rates. */
function overallWords([before, after]: readonly Named[]): string[] {
  if (before === undefined || after === undefined) return [];
  return CARDS.slice(0, 2).flatMap(({ name, figure }) => {
    const change = overallChange(figure ?? null, before.run, after.run);
    if (change === null) return [];
    const [times, low, high] = [change.value, change.low, change.high].map(formatShort);
    const noise = isNoise(change, 1) ? ': dentro da margem' : '';
    return [
      `Nas ${formatWhole(change.rates)} taxas comuns, ${name}: ${times} vezes o de antes (de ${low} a ${high})${noise}.`,
    ];
  });
}

function verdicts(all: readonly Verdict[]): Markup | null {
  if (all.length === 0) return null;
  return markup`<ul class="veredito">${all.map(verdict)}</ul>`;
}

function verdict({ condition, is_met, value, rate_per_s, is_noise }: Verdict): Markup {
  const figure =
    value === null ? 'não houve o que medir' : value.toLocaleString('pt-BR', { maximumSignificantDigits: 3 });
  const at = rate_per_s === null ? '' : ` a ${formatRate(rate_per_s)}`;
  const state = is_met ? 'Reprovado' : 'Aprovado';
  return markup`<li class="${is_met ? 'reprovado' : 'aprovado'}"><strong>${state}</strong>: <code>--fail-if ${condition}</code> (${figure}${at}${is_noise ? ', dentro da margem' : ''})</li>`;
}

function card({ name, figure, share: of }: Card, step: Step, before: Step | undefined): Markup {
  const show = (one: Step) => (figure === undefined ? shareText(of?.(one) ?? null) : figureText(figure, one));
  const change = figure === undefined || before === undefined ? null : changeOf(figure, before, step);
  const earlier =
    before === undefined || show(before) === DASH
      ? null
      : markup`<span class="antes">antes ${show(before)} ${change === null || figure === undefined ? '' : changeText(figure, before, change)}</span>`;
  return markup`<div><dt>${name}</dt><dd>${show(step)}${earlier}</dd></div>`;
}

/** A share as a count out of a total: with few requests a percentage means little. */
function figureText(figure: Figure, step: Step): string {
  switch (figure.is) {
    case 'time': {
      const { percentile } = figure;
      if (percentile === 'max' || percentile === 'mean' || step.latency_ms.all === null) return DASH;
      return `${formatPercentile(step.latency_ms.all, percentile)} ms`;
    }
    case 'share': {
      const { of, counted } = figure.part(step);
      return of === 0 ? DASH : `${formatWhole(counted)} de ${formatWhole(of)}`;
    }
    case 'rate':
      return `${formatRounded(roundedRate(step.complete, step.seconds))}/s`;
  }
}

function changeText(figure: Figure, before: Step, change: Difference): string {
  if (isNoise(change)) return '(dentro da margem)';
  return figure.is === 'share'
    ? `(${formatPoints(change.value)})`
    : formatChange(change.value, valueOf(figure, before));
}

function share(name: string, of: (step: Step) => number | null): Card {
  return { name, share: of };
}

function shareText(of: number | null): string {
  return of === null ? DASH : formatPercent(of);
}
