import { basePlot, boxSeries } from './base-plot.ts';
import { curvePlot, type Curve } from './curve-plot.ts';
import { SIZES } from './frame.ts';
import { joined, markup, type Markup } from '../../../html/markup.ts';
import { heatPlot, LEVELS } from './heat-plot.ts';
import { formatPercent, formatRate } from './numbers.ts';
import { few, rampSwatch } from './ramp.ts';
import { ratePlot } from './rate-plot.ts';
import { kneeLabel, sweepPlot } from './sweep-plot.ts';
import {
  baseTable,
  curveTable,
  heatTable,
  latencyTable,
  sweepTable,
  table,
  timelineTable,
  type Named,
} from './tables.ts';
import { planRows } from './texts.ts';
import { timelinePlot, timelineValues } from './timeline-plot.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

type Swatch = 'linha' | 'caixa';

/** The parts of the report below its head, in order. */
export function sectionsOf(all: readonly Named[]): Section[] {
  const makers = [sweepSection, curveSection, baseSection, heatSection, timelineSection, planSection];
  return makers.map((make) => make(all)).filter((one) => one !== null);
}

/** Absent if no run has more than one rate. */
function sweepSection(all: readonly Named[]): Section | null {
  if (all.every(({ run }) => run.steps.length < 2)) return null;
  const runs = all.map(({ run }) => run);
  const labels =
    all.length > 1
      ? all.map(({ label, run }) => `percentil 99, ${label}${kneeLabel(run)}`)
      : [`percentil 99${runs.map(kneeLabel).join('')}`, 'mediana'];
  return section('vazao', 'Vazão e latência', [
    markup`<p class="fraco">Cada ponto é uma taxa. O joelho é a última taxa antes da primeira que falha e não se recupera: menos de 95% de respostas completas, ou percentil 99 acima de 3 vezes o da primeira taxa mais 10 ms.</p>`,
    legend(labels, 'linha'),
    ...SIZES.map((size) => sweepPlot(runs, size)),
    folded('cada taxa', sweepTable(all)),
  ]);
}

/** Every rate of one run; for two runs the compared rate, then every rate of each. */
function curveSection(all: readonly Named[]): Section {
  const compared = all.map(rateLabel);
  return section('percentis', 'Curva de percentis', [
    markup`<p class="fraco">Quanto esperou cada fração dos pedidos, contando desde o momento em que deviam sair. Entram as respostas completas, as incompletas e as esperas que acabaram sem resposta; recusas imediatas não entram, porque embelezariam a curva.</p>`,
    ...(all.length > 1 ? comparedCurves(compared) : []),
    ...all.map((named, at) =>
      joined([
        all.length > 1 ? markup`<h3>${named.label}, cada taxa</h3>` : null,
        rateCurves(named, at, ofRun(all, named.label)),
      ]),
    ),
    folded('latência por tipo de pedido', latencyTable(all)),
  ]);
}

function comparedCurves(curves: readonly Curve[]): Markup[] {
  return [
    legend(labelsOf(curves), 'linha'),
    ...SIZES.map((size) => curvePlot('curva', curves, size)),
    folded('percentis', curveTable(curves)),
  ];
}

/** The curve of each rate, with the rate of the other plots highlighted. */
function rateCurves({ run, step: shown }: Named, at: number, of: string): Markup {
  const place = run.steps.indexOf(shown);
  const steps = few(run.steps, [place, place + 1]);
  const curves = steps.map((step) => ({ label: formatRate(step.rate_per_s), step }));
  const marked = steps.indexOf(shown);
  const isKnee = run.knee.found === 'knee' && shown.rate_per_s === run.knee.rate_per_s;
  const labels = curves.map((curve, one) =>
    one === marked && isKnee ? `${curve.label} (joelho)` : curve.label,
  );
  return joined([
    swatches(labels, (one) => rampSwatch(one, curves.length, one === marked)),
    ...SIZES.map((size) => curvePlot(`curva-${at}`, curves, size, marked)),
    folded(`percentis de cada taxa${of}`, curveTable(curves)),
  ]);
}

/** Absent if no search was answered. */
function baseSection(all: readonly Named[]): Section | null {
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
  return section('bases', 'Cada base', [
    markup`<p class="fraco">Tempos que o próprio serviço informa (Server-Timing e por_base), em milissegundos. Caixa: metade central dos tempos, com a mediana; hastes: do mínimo ao percentil 99; ponto: o maior. Menos de 0,05 ms aparece como 0,05. Se várias bases empatam como a mais lenta de uma busca, cada uma fica com uma parte dela.</p>`,
    ...shares.map((text) => markup`<p>${text}</p>`),
    legend(labelsOf(series), 'caixa'),
    ...plots,
    folded('cada base', baseTable(all)),
  ]);
}

function timelineSection(all: readonly Named[]): Section {
  const values = timelineValues(all.map(({ run }) => run));
  return section('tempo', 'Linha do tempo', [
    markup`<p class="fraco">Pelo momento em que os pedidos deviam sair; o aquecimento fica de fora.</p>`,
    ...all.map(({ label, run }, at) =>
      joined([
        markup`<h3>Latência${ofRun(all, label)}</h3>`,
        legend(['percentil 99', 'mediana'], 'linha'),
        ...SIZES.map((size) => timelinePlot(run, `tempo-${at}`, values, size)),
        markup`<h3>Pedidos e falhas${ofRun(all, label)}</h3>`,
        swatches(
          ['a enviar', 'respostas completas', 'sem resposta completa'],
          (one) => RATE_SWATCHES[one] ?? NONE,
        ),
        ...SIZES.map((size) => ratePlot(run, `taxa-${at}`, size)),
        folded(all.length > 1 ? `linha do tempo, ${label}` : 'linha do tempo', timelineTable(run)),
      ]),
    ),
  ]);
}

const NONE = markup``;
const RATE_SWATCHES = [
  markup`<path class="linha devida" d="M0 7H28"/>`,
  markup`<path class="linha s0" d="M0 7H28"/>`,
  markup`<rect class="falhas" x="0" y="1" width="28" height="12"/>`,
];

function heatSection(all: readonly Named[]): Section {
  const labels = LEVELS.map((share, at) => {
    const next = LEVELS[at + 1];
    if (next === undefined) return `${formatPercent(share)} ou mais`;
    return at === 0 ? `até ${formatPercent(next)}` : `${formatPercent(share)} a ${formatPercent(next)}`;
  });
  return section('calor', 'Mapa de calor da latência', [
    markup`<p class="fraco">Cada coluna é um tempo, cada linha uma faixa de latências; quanto mais forte a cor, maior a parte dos pedidos desse tempo que caiu na faixa. Até o pedido mais isolado aparece.</p>`,
    swatches(labels, (one) => markup`<rect class="calor c${one}" x="2" y="1" width="24" height="12"/>`),
    ...all.map(({ label, run }, at) =>
      joined([
        all.length > 1 ? markup`<h3>${label}</h3>` : null,
        ...SIZES.map((size) => heatPlot(run, `calor-${at}`, size)),
      ]),
    ),
    folded('pedidos de cada faixa de latência', heatTable(all)),
  ]);
}

function planSection(all: readonly Named[]): Section {
  const plans = all.map(({ run }) => planRows(run));
  const rows = (plans[0] ?? []).map(([name], at) => [name].concat(plans.map((plan) => plan[at]?.[1] ?? '')));
  return section('plano', 'O que foi pedido, e de onde', [
    markup`<div class="plano">${table('Plano do teste', ['', ...labelsOf(all)], rows)}</div>`,
  ]);
}

function section(id: string, title: string, parts: readonly (Markup | null)[]): Section {
  return { id, title, content: joined(parts) };
}

function rateLabel({ label, step }: Named): Curve {
  return { label: `${label} (${formatRate(step.rate_per_s)})`, step };
}

function ofRun(all: readonly Named[], label: string): string {
  return all.length > 1 ? `, ${label}` : '';
}

function labelsOf(all: readonly { readonly label: string }[]): string[] {
  return all.map(({ label }) => label);
}

function legend(labels: readonly string[], swatch: Swatch): Markup {
  return swatches(labels, (at) =>
    swatch === 'linha'
      ? markup`<path class="linha s${at}" d="M0 7H28"/>`
      : markup`<g class="caixa s${at}"><rect x="2" y="1" width="24" height="12"/></g>`,
  );
}

function swatches(labels: readonly string[], drawn: (at: number) => Markup): Markup {
  return markup`<ul class="legenda">${labels.map((label, at) => markup`<li><svg width="28" height="14" aria-hidden="true">${drawn(at)}</svg>${label}</li>`)}</ul>`;
}

function folded(name: string, content: Markup): Markup {
  return markup`<details><summary>Tabela: ${name}</summary>${content}</details>`;
}
