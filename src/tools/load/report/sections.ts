import { basePlot, boxSeries } from './base-plot.ts';
import { curvePlot, type Curve } from './curve-plot.ts';
import { SIZES } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { taxa } from './numbers.ts';
import { sweepPlot } from './sweep-plot.ts';
import {
  baseTable,
  curveTable,
  latencyTable,
  row,
  sweepTable,
  table,
  timelineTable,
  type Named,
} from './tables.ts';
import { plano } from './texts.ts';
import { timelinePlot, timelineValues } from './timeline-plot.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

type Swatch = 'linha' | 'caixa';

/** Absent when no run had more than one rate. */
export function sweepSection(all: readonly Named[]): Section | null {
  if (all.every(({ run }) => run.steps.length < 2)) return null;
  const runs = all.map(({ run }) => run);
  const labels =
    all.length > 1 ? all.map(({ label }) => `percentil 99, ${label}`) : ['percentil 99', 'mediana'];
  return {
    id: 'vazao',
    title: 'Vazão e latência',
    content: joined([
      markup`<p class="fraco">Cada ponto é uma taxa. O joelho é a última taxa antes da primeira que falha e não se recupera: menos de 95% de respostas completas, ou percentil 99 acima de 3 vezes o da primeira taxa mais 10 ms.</p>`,
      legend(labels, 'linha'),
      ...SIZES.map((size) => sweepPlot(runs, size)),
      folded('cada taxa', sweepTable(all)),
    ]),
  };
}

/** Of one sweep also the rate after the one shown: what happens past the knee. */
export function curveSection(all: readonly Named[]): Section {
  const curves = all.length > 1 ? all.map(rateLabel) : withNext(all[0]);
  return {
    id: 'percentis',
    title: 'Curva de percentis',
    content: joined([
      markup`<p class="fraco">Quanto esperou cada fração dos pedidos, contando desde o momento em que deviam sair. Entram as respostas completas, as incompletas e as esperas que acabaram sem resposta; recusas imediatas não entram, porque embelezariam a curva.</p>`,
      legend(
        curves.map(({ label }) => label),
        'linha',
      ),
      ...SIZES.map((size) => curvePlot(curves, size)),
      folded('percentis', curveTable(curves)),
      folded('latência por tipo de pedido', latencyTable(all)),
    ]),
  };
}

/** Absent when no search was answered. */
export function baseSection(all: readonly Named[]): Section | null {
  const series = boxSeries(all);
  const bases = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const plots = SIZES.map((size) => basePlot(bases, series, size));
  if (plots.every((plot) => plot === null)) return null;
  const shares = all.flatMap(({ label, step }) => {
    const share = step.slowest_base_percent;
    const of = all.length > 1 ? ` (${label})` : '';
    return share === null
      ? []
      : [`A base mais lenta ocupou ${Math.round(share.p50)}% do tempo de cada busca na mediana${of}.`];
  });
  return {
    id: 'bases',
    title: 'Cada base',
    content: joined([
      markup`<p class="fraco">Tempos que o próprio serviço informa (Server-Timing e por_base), em milissegundos inteiros. Caixa: metade central dos tempos, com a mediana; hastes: do mínimo ao percentil 99; ponto: o maior. Menos de 0,5 ms aparece como 0,5.</p>`,
      ...shares.map((text) => markup`<p>${text}</p>`),
      legend(
        series.map(({ label }) => label),
        'caixa',
      ),
      ...plots,
      folded('cada base', baseTable(all)),
    ]),
  };
}

export function timelineSection(all: readonly Named[]): Section {
  const values = timelineValues(all.map(({ run }) => run));
  return {
    id: 'tempo',
    title: 'Linha do tempo',
    content: joined([
      markup`<p class="fraco">Pelo momento em que os pedidos deviam sair; o aquecimento fica de fora. Marcas vermelhas embaixo: pedidos sem resposta completa.</p>`,
      legend(['percentil 99', 'mediana'], 'linha'),
      ...all.map(({ label, run }, at) =>
        joined([
          all.length > 1 ? markup`<h3>${label}</h3>` : null,
          ...SIZES.map((size) => timelinePlot(run, `tempo-${at}`, values, size)),
          folded(all.length > 1 ? `linha do tempo, ${label}` : 'linha do tempo', timelineTable(run)),
        ]),
      ),
    ]),
  };
}

export function planSection(all: readonly Named[]): Section {
  const plans = all.map(({ run }) => plano(run));
  const rows = (plans[0] ?? []).map(([name], at) =>
    row(
      name,
      plans.map((plan) => plan[at]?.[1] ?? ''),
    ),
  );
  return {
    id: 'plano',
    title: 'O que foi pedido, e de onde',
    content: markup`<div class="plano">${table('Plano do teste', ['', ...all.map(({ label }) => label)], rows)}</div>`,
  };
}

function rateLabel({ label, step }: Named): Curve {
  return { label: `${label} (${taxa(step.rate_per_s)})`, step };
}

function withNext(named: Named | undefined): Curve[] {
  if (named === undefined) return [];
  const { run, step } = named;
  const next = run.steps[run.steps.indexOf(step) + 1];
  return [step, ...(next === undefined ? [] : [next])].map((one) => ({
    label: taxa(one.rate_per_s),
    step: one,
  }));
}

function legend(labels: readonly string[], swatch: Swatch): Markup {
  const drawn = (at: number): Markup =>
    swatch === 'linha'
      ? markup`<path class="linha s${at}" d="M0 7H28"/>`
      : markup`<g class="caixa s${at}"><rect x="2" y="1" width="24" height="12"/></g>`;
  return markup`<ul class="legenda">${labels.map((label, at) => markup`<li><svg width="28" height="14" aria-hidden="true">${drawn(at)}</svg>${label}</li>`)}</ul>`;
}

function folded(name: string, content: Markup): Markup {
  return markup`<details><summary>Tabela: ${name}</summary>${content}</details>`;
}
