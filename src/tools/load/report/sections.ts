import { joined, markup, type Markup } from './markup.ts';
import { PORTUGUESE as t } from '../language.ts';
import { planRows } from '../plan-rows.ts';
import { baseTable, curveTable, latencyTable, sweepTable, type Named, type Table } from '../tables.ts';
import { colourOf, rateLine, seriesLine } from './picture.ts';
import { basePlot, curvePlot, isKnee, kneeLabel, sweepPlot } from './plots.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

/** Maximum number of distinguishable curves in a plot. */
const CURVES_MAX = 10;

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
      ? all.map(({ label, run }) => `percentil 99, ${label}${kneeLabel(run)}`)
      : [`percentil 99${runs.map(kneeLabel).join('')}`, 'mediana'];
  return section('vazao', 'Vazão e latência', [
    markup`<p class="fraco">Cada ponto é uma taxa. O joelho é a última taxa antes da primeira que falha e não se recupera: menos de 95% de respostas completas, ou percentil 99 acima de 3 vezes o da primeira taxa mais 10 ms.</p>`,
    seriesLegend(labels),
    sweepPlot(runs),
    folded(sweepTable(all, t)),
  ]);
}

/** Every rate of a run, or the compared rate of two. */
function curveSection(all: readonly Named[]): Section {
  const [first, second] = all;
  return section('percentis', 'Curva de percentis', [
    markup`<p class="fraco">Quanto esperou cada fração dos pedidos, contando desde o momento em que deviam sair. Entram as respostas completas, as incompletas e as esperas que acabaram sem resposta; recusas imediatas não entram, porque embelezariam a curva.</p>`,
    ...(first !== undefined && second === undefined ? rateCurves(first) : comparedCurves(all)),
    folded(latencyTable(all, t)),
  ]);
}

function comparedCurves(all: readonly Named[]): Markup[] {
  const curves = all.map(({ label, step }) => ({ label: `${label} (${t.rate(step.rate_per_s)})`, step }));
  return [seriesLegend(labelsOf(curves)), curvePlot(curves), folded(curveTable(curves, t))];
}

/** A curve for each rate, with the other plots' rate highlighted. */
function rateCurves({ run, step: shown }: Named): Markup[] {
  const place = run.steps.indexOf(shown);
  const steps = few(run.steps, [place, place + 1]);
  const curves = steps.map((step) => ({ label: t.rate(step.rate_per_s), step }));
  const marked = steps.indexOf(shown);
  const labels = curves.map(({ label }, one) =>
    one === marked && isKnee(run, shown) ? `${label} (joelho)` : label,
  );
  return [
    legend(labels, (one) => lineSwatch(rateLine(one, curves.length, one === marked))),
    curvePlot(curves, marked),
    folded(curveTable(curves, t)),
  ];
}

/** Absent if no search was answered. */
function baseSection(all: readonly Named[]): Section | null {
  const bases = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const plot = basePlot(bases, all);
  if (plot === null) return null;
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
    legend(labelsOf(all), (at) => boxSwatch('var(--papel)', colourOf(at))),
    plot,
    folded(baseTable(all, t)),
  ]);
}

function planSection(all: readonly Named[]): Section {
  const plans = all.map(({ run }) => planRows(run, t));
  const names = [...new Set(plans.flat().map(([name]) => name))];
  const rows = names.map((name) =>
    [name].concat(plans.map((plan) => plan.find(([one]) => one === name)?.[1] ?? '')),
  );
  const table = { caption: 'Plano do teste', head: ['', ...labelsOf(all)], rows };
  return section('plano', 'O que foi pedido, e de onde', [
    markup`<div class="plano">${tableMarkup(table)}</div>`,
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
  return markup`<ul class="legenda">${labels.map((label, at) => markup`<li><svg width="28" height="14" aria-hidden="true">${swatch(at)}</svg>${label}</li>`)}</ul>`;
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

export function folded(table: Table): Markup {
  return markup`<details><summary>Tabela: ${table.caption}</summary>${tableMarkup(table)}</details>`;
}

/** A table that scrolls if it is wider than the page, also by keyboard. */
export function tableMarkup({ caption, head, rows }: Table): Markup {
  return markup`<div class="rolagem" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${head.map((name) => (name === '' ? markup`<td></td>` : markup`<th scope="col">${name}</th>`))}</tr></thead>
<tbody>${rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

/**
 * An even selection with the first, the last and all needed items.
 * @param needed indexes that must be selected.
 */
function few<T>(all: readonly T[], needed: readonly number[]): T[] {
  if (all.length <= CURVES_MAX) return [...all];
  const chosen = new Set([0, all.length - 1, ...needed.filter((at) => at >= 0 && at < all.length)]);
  const stride = (all.length - 1) / (CURVES_MAX - 1);
  for (let at = 1; chosen.size < CURVES_MAX && at < CURVES_MAX; at += 1) chosen.add(Math.round(at * stride));
  return all.filter((_, at) => chosen.has(at));
}
