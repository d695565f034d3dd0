import { markup, type Markup } from '../../../html/markup.ts';
import { inteiro, ms, porcento, taxa, variacao } from './numbers.ts';
import { kneeWords } from './sweep-plot.ts';
import { outcomeTable, type Named } from './tables.ts';
import { erros } from './texts.ts';

type Figure = readonly [string, (named: Named) => number | null | undefined, (value: number) => string];

const FIGURES: readonly Figure[] = [
  ['mediana', ({ step }) => step.latency_ms.all?.p50, (value) => `${ms(value)} ms`],
  ['percentil 99', ({ step }) => step.latency_ms.all?.p99, (value) => `${ms(value)} ms`],
  ['percentil 99,9', ({ step }) => step.latency_ms.all?.p999, (value) => `${ms(value)} ms`],
  ['respostas completas', ({ step }) => step.complete_per_s, (value) => taxa(value)],
  ['incompletas ou recusadas', ({ step }) => step.incomplete + step.turned_away, inteiro],
  ['erros', ({ step }) => erros(step), inteiro],
  ['a base mais lenta na busca', ({ step }) => share(step.slowest_base_percent?.p50), porcento],
  ['CPU do gerador, de um núcleo', ({ step }) => step.generator.cpu_share, porcento],
];

/** The figures that most readers look for, of the rate that the plots show; of two runs with what changed. */
export function headline(all: readonly Named[]): Markup {
  const last = all.at(-1);
  if (last === undefined) throw new Error('a report of no run');
  const before = all.length > 1 ? all[0] : undefined;
  const rates = [...new Set(all.map(({ step }) => taxa(step.rate_per_s)))].join(' e ');
  const knees = all.map(({ label, run }) => `${all.length > 1 ? `${label}: ` : ''}${kneeWords(run)}`);
  return markup`<section aria-labelledby="resumo-h"><h2 id="resumo-h">Resumo a ${rates}</h2>
${knees.map((text) => markup`<p>${text}</p>`)}
<dl class="numeros">${FIGURES.map((figure) => card(figure, last, before))}</dl>
<details><summary>Tabela: o que foi feito dos pedidos</summary>${outcomeTable(all)}</details></section>`;
}

function card([name, of, show]: Figure, last: Named, before: Named | undefined): Markup {
  const value = of(last);
  const was = before === undefined ? undefined : of(before);
  const earlier =
    was === undefined || was === null
      ? null
      : markup`<span class="antes">antes ${show(was)} ${variacao(was, value)}</span>`;
  return markup`<div><dt>${name}</dt><dd>${value === null || value === undefined ? '–' : show(value)}${earlier}</dd></div>`;
}

function share(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : percent / 100;
}
