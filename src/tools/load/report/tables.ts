import { cellFrom } from '../heat-cells.ts';
import type { Distribution } from '../histogram.ts';
import type { BaseStep, Run, Step } from '../result.ts';
import { markup, type Markup } from '../../../html/markup.ts';
import { roundedRate } from '../rounding.ts';
import { arredondado, doisAlgarismos, inteiro, ms, percentil, porcento, taxa } from './numbers.ts';
import { erro, erros } from './texts.ts';

/** A run, or a part of one, with its label. */
export interface Named {
  readonly label: string;
  readonly run: Run;
  readonly step: Step;
}

const PERCENTILES = ['min', 'p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'] as const;
const NAMES = ['mínimo', '25%', 'mediana', '75%', '90%', '95%', '99%', '99,9%', 'máximo'];

export function latencyTable(all: readonly Named[]): Markup {
  const kinds = [
    ['todos os pedidos', ({ latency_ms }: Step) => latency_ms.all],
    ['buscas, primeira página', ({ latency_ms }: Step) => latency_ms.search],
    ['buscas, páginas seguintes', ({ latency_ms }: Step) => latency_ms.page],
    ['leituras de decisão', ({ latency_ms }: Step) => latency_ms.record],
    ['todos, desde o envio real', ({ service_ms }: Step) => service_ms],
  ] as const;
  const rows = kinds.flatMap(([kind, of]) =>
    all.map(({ label, step }) => [...named(all, label, kind), ...distributionCells(of(step))]),
  );
  return table('Latência em milissegundos', [...heads(all, 'pedidos'), 'quantos', ...NAMES], rows);
}

export function curveTable(all: readonly { readonly label: string; readonly step: Step }[]): Markup {
  // The points of the curve are only near round percentiles and would show other figures for the same name.
  const rows = PERCENTILES.map((name, at) =>
    row(
      NAMES[at] ?? name,
      all.map(({ step }) => latencyCell(step.latency_ms.all, name)),
    ),
  );
  return table('Latência por percentil, ms', ['percentil', ...all.map(({ label }) => label)], rows);
}

export function sweepTable(runs: readonly { readonly label: string; readonly run: Run }[]): Markup {
  const rows = runs.flatMap(({ label, run }) =>
    run.steps.map((step, at) => [
      ...named(runs, label, taxa(step.rate_per_s)),
      `${arredondado(roundedRate(step.complete, step.seconds))}/s`,
      percentil(step.latency_ms.all, 'p50'),
      percentil(step.latency_ms.all, 'p99'),
      ms(step.latency_ms.all?.max),
      inteiro(step.incomplete + step.rejected),
      inteiro(erros(step)),
      guardadas(step),
      porcento(step.generator.cpu_share),
      state(run, step, at),
    ]),
  );
  const head = [
    ...heads(runs, 'taxa'),
    'completas',
    'mediana',
    '99%',
    'máximo',
    'incompletas',
    'erros',
    'das guardadas',
    'CPU do gerador',
    'acompanhou?',
  ];
  return table('Cada taxa da varredura; latências em ms', head, rows);
}

export function baseTable(all: readonly Named[]): Markup {
  const head = [
    ...heads(all, 'base'),
    'respostas',
    'mediana',
    '90%',
    '99%',
    'máximo',
    'relevancia: 99%',
    'recentes: 99%',
    'recuos a recentes',
    'prazo esgotado',
    'falha ou sobrecarga',
    'sem contagem',
    'das guardadas',
    'foi a mais lenta',
  ];
  const bases = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const rows = bases.flatMap((base) =>
    all.map(({ label, step }) => {
      const found = step.bases.find((one) => one.base === base);
      return [
        ...named(all, label, base),
        ...(found === undefined ? head.slice(2).map(() => '–') : baseCells(found, step)),
      ];
    }),
  );
  return table('Cada base, pelo relógio do serviço; tempos em ms', head, rows);
}

export function timelineTable({ steps }: Run): Markup {
  const rows = steps.flatMap(({ timeline, rate_per_s }) =>
    timeline.map(({ at_s, due, complete, failed, p50_ms, p99_ms }) => [
      inteiro(at_s),
      taxa(rate_per_s),
      inteiro(due),
      inteiro(complete),
      inteiro(failed),
      doisAlgarismos(p50_ms),
      doisAlgarismos(p99_ms),
    ]),
  );
  const head = ['segundo', 'taxa', 'pedidos', 'completos', 'sem resposta completa', 'mediana, ms', '99%, ms'];
  return table('Cada ponto da linha do tempo', head, rows);
}

/** Counts of requests by rate and range of latencies. */
export function heatTable(all: readonly Named[]): Markup {
  const columns = all.flatMap(({ label, run }) =>
    run.steps.map((step) => {
      const counts = new Map<number, number>();
      for (const [at, count] of step.timeline.flatMap(({ cells }) => cells))
        counts.set(at, (counts.get(at) ?? 0) + count);
      return { name: all.length > 1 ? `${label}, ${taxa(step.rate_per_s)}` : taxa(step.rate_per_s), counts };
    }),
  );
  const cells = [...new Set(columns.flatMap(({ counts }) => [...counts.keys()]))].toSorted((a, b) => a - b);
  const rows = cells.map((at) =>
    row(
      `${doisAlgarismos(at === 0 ? 0 : cellFrom(at))} a ${doisAlgarismos(cellFrom(at + 1))}`,
      columns.map(({ counts }) => inteiro(counts.get(at) ?? 0)),
    ),
  );
  return table('Pedidos por faixa de latência', ['faixa, ms', ...columns.map(({ name }) => name)], rows);
}

export function outcomeTable(all: readonly Named[]): Markup {
  const names = [...new Set(all.flatMap(({ step }) => step.errors.map(({ error }) => error)))];
  const rows: [string, (step: Step) => number][] = [
    ['pedidos no prazo medido', ({ due }) => due],
    ['completos', ({ complete }) => complete],
    ['buscas a que faltou uma base', ({ incomplete }) => incomplete],
    ['buscas recusadas inteiras por sobrecarga', ({ rejected }) => rejected],
    ['interrompidos pelo fim do teste', ({ interrupted }) => interrupted],
    ...names.map((name): [string, (step: Step) => number] => [
      erro(name),
      ({ errors }) => errors.find(({ error }) => error === name)?.count ?? 0,
    ]),
  ];
  const cells = rows.map(([name, of]) =>
    row(
      name,
      all.map(({ step }) => inteiro(of(step))),
    ),
  );
  return table('O que foi feito dos pedidos', ['', ...all.map(({ label }) => label)], cells);
}

/** A table that scrolls if it is wider than the page, also by keyboard. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Markup {
  return markup`<div class="rolagem" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr>${head.map((name) => (name === '' ? markup`<td></td>` : markup`<th scope="col">${name}</th>`))}</tr></thead>
<tbody>${rows.map(([first = '', ...rest]) => markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** A row of a table with its header cell first. */
export function row(head: string, cells: readonly string[]): string[] {
  return [head, ...cells];
}

/** With two runs, each row names its run. */
function named(all: readonly unknown[], label: string, name: string): string[] {
  return all.length > 1 ? [name, label] : [name];
}

function heads(all: readonly unknown[], name: string): string[] {
  return all.length > 1 ? [name, 'execução'] : [name];
}

/** The share of answers from the result cache; a dash if not reported. */
export function guardadas({
  cache_reported,
  cache_hits,
}: Pick<Step, 'cache_reported' | 'cache_hits'>): string {
  return cache_reported === 0 ? '–' : porcento(cache_hits / cache_reported);
}

/** The minimum and maximum are measured times; the percentiles between them are estimates. */
function latencyCell(distribution: Distribution | null, name: (typeof PERCENTILES)[number]): string {
  if (name === 'min' || name === 'max') return ms(distribution?.[name]);
  return percentil(distribution, name);
}

function distributionCells(distribution: Distribution | null): string[] {
  return [inteiro(distribution?.count ?? 0), ...PERCENTILES.map((name) => latencyCell(distribution, name))];
}

function baseCells(base: BaseStep, step: Step): string[] {
  const searches = step.bases.reduce((sum, { slowest }) => sum + slowest, 0);
  const ofOrder = (ordem: string): string =>
    percentil(base.por_ordem.find((one) => one.ordem === ordem)?.latency_ms, 'p99');
  const { latency_ms } = base;
  return [
    inteiro(latency_ms?.count ?? 0),
    percentil(latency_ms, 'p50'),
    percentil(latency_ms, 'p90'),
    percentil(latency_ms, 'p99'),
    ms(latency_ms?.max),
    ofOrder('relevancia'),
    ofOrder('recentes'),
    inteiro(base.fallbacks),
    inteiro(base.timed_out),
    inteiro(base.failed),
    inteiro(base.no_count),
    guardadas(base),
    porcento(searches === 0 ? 0 : base.slowest / searches),
  ];
}

function state({ knee }: Run, step: Step, at: number): string {
  const reasons = knee.reasons[at] ?? [];
  if (reasons.length > 0) {
    const texts = { incomplete: 'faltaram respostas', slow: 'lento' };
    return `não: ${reasons.map((reason) => texts[reason]).join(' e ')}`;
  }
  return knee.found === 'knee' && step.rate_per_s === knee.rate_per_s ? 'sim (joelho)' : 'sim';
}
