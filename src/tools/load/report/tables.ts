import type { Distribution } from '../histogram.ts';
import type { BaseStep, Run, Step } from '../result.ts';
import { markup, type Markup } from './markup.ts';
import { roundedRate } from '../rounding.ts';
import { formatPercent, formatPercentile, formatRate, formatRounded, formatWhole, ms } from './numbers.ts';
import { cachedShare, errorCount, latencyOfOrder, slowestShare } from '../figures.ts';
import { errorText } from './texts.ts';

/** A run or part of a run, with a label. */
export interface Named {
  readonly label: string;
  readonly run: Run;
  readonly step: Step;
}

type Column<T> = readonly [name: string, cell: (of: T) => string];

/** A row with a header, which names the run if there are two. Without a figure all cells are dashes. */
interface Row<T> {
  readonly name: string;
  readonly label: string;
  readonly of: T | undefined;
}

/** The minimum and maximum are measured times; the percentiles between them are estimates. */
const LATENCY_COLUMNS: readonly Column<Distribution | null>[] = [
  ['mínimo', (times) => ms(times?.min)],
  ['25%', (times) => formatPercentile(times, 'p25')],
  ['mediana', (times) => formatPercentile(times, 'p50')],
  ['75%', (times) => formatPercentile(times, 'p75')],
  ['90%', (times) => formatPercentile(times, 'p90')],
  ['95%', (times) => formatPercentile(times, 'p95')],
  ['99%', (times) => formatPercentile(times, 'p99')],
  ['99,9%', (times) => formatPercentile(times, 'p999')],
  ['máximo', (times) => ms(times?.max)],
];

export function latencyTable(all: readonly Named[]): Markup {
  const kinds: readonly [string, (step: Step) => Distribution | null][] = [
    ['todos os pedidos', ({ latency_ms }) => latency_ms.all],
    ['buscas, primeira página', ({ latency_ms }) => latency_ms.search],
    ['buscas, páginas seguintes', ({ latency_ms }) => latency_ms.page],
    ['leituras de decisão', ({ latency_ms }) => latency_ms.record],
    ['todos, desde o envio real', ({ service_ms }) => service_ms],
  ];
  const rows = kinds.flatMap(([name, of]) => all.map(({ label, step }) => ({ name, label, of: of(step) })));
  const columns: readonly Column<Distribution | null>[] = [
    ['quantos', (times) => formatWhole(times?.count ?? 0)],
    ...LATENCY_COLUMNS,
  ];
  return tableOf(all, 'Latência em milissegundos', 'pedidos', columns, rows);
}

export function curveTable(all: readonly { readonly label: string; readonly step: Step }[]): Markup {
  // The points of the curve are only near round percentiles and would show other figures for the same name.
  const rows = LATENCY_COLUMNS.map(([name, cell]) =>
    [name].concat(all.map(({ step }) => cell(step.latency_ms.all))),
  );
  return table('Latência por percentil, ms', ['percentil', ...all.map(({ label }) => label)], rows);
}

const SWEEP_COLUMNS: readonly Column<{ readonly run: Run; readonly step: Step; readonly at: number }>[] = [
  ['completas', ({ step }) => `${formatRounded(roundedRate(step.complete, step.seconds))}/s`],
  ['mediana', ({ step }) => formatPercentile(step.latency_ms.all, 'p50')],
  ['99%', ({ step }) => formatPercentile(step.latency_ms.all, 'p99')],
  ['máximo', ({ step }) => ms(step.latency_ms.all?.max)],
  ['incompletas', ({ step }) => formatWhole(step.incomplete + step.rejected)],
  ['erros', ({ step }) => formatWhole(errorCount(step))],
  ['das guardadas', ({ step }) => guardadas(step)],
  ['CPU do gerador', ({ step }) => formatPercent(step.generator.cpu_share)],
  ['acompanhou?', ({ run, step, at }) => state(run, step, at)],
];

export function sweepTable(runs: readonly { readonly label: string; readonly run: Run }[]): Markup {
  const rows = runs.flatMap(({ label, run }) =>
    run.steps.map((step, at) => ({ name: formatRate(step.rate_per_s), label, of: { run, step, at } })),
  );
  return tableOf(runs, 'Cada taxa da varredura; latências em ms', 'taxa', SWEEP_COLUMNS, rows);
}

const BASE_COLUMNS: readonly Column<{ readonly base: BaseStep; readonly step: Step }>[] = [
  ['respostas', ({ base }) => formatWhole(base.latency_ms?.count ?? 0)],
  ['mediana', ({ base }) => formatPercentile(base.latency_ms, 'p50')],
  ['90%', ({ base }) => formatPercentile(base.latency_ms, 'p90')],
  ['99%', ({ base }) => formatPercentile(base.latency_ms, 'p99')],
  ['máximo', ({ base }) => ms(base.latency_ms?.max)],
  ['relevancia: 99%', ({ base }) => formatPercentile(latencyOfOrder(base, 'relevancia'), 'p99')],
  ['recentes: 99%', ({ base }) => formatPercentile(latencyOfOrder(base, 'recentes'), 'p99')],
  ['recuos a recentes', ({ base }) => formatWhole(base.fallbacks)],
  ['prazo esgotado', ({ base }) => formatWhole(base.timed_out)],
  ['falha ou sobrecarga', ({ base }) => formatWhole(base.failed)],
  ['sem contagem', ({ base }) => formatWhole(base.no_count)],
  ['das guardadas', ({ base }) => guardadas(base)],
  ['foi a mais lenta', ({ base, step }) => formatPercent(slowestShare(base, step))],
];

export function baseTable(all: readonly Named[]): Markup {
  const names = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const rows = names.flatMap((name) =>
    all.map(({ label, step }) => {
      const base = step.bases.find((one) => one.base === name);
      return { name, label, of: base === undefined ? undefined : { base, step } };
    }),
  );
  return tableOf(all, 'Cada base, pelo relógio do serviço; tempos em ms', 'base', BASE_COLUMNS, rows);
}

export function outcomeTable(all: readonly Named[]): Markup {
  const names = [...new Set(all.flatMap(({ step }) => step.errors.map(({ error }) => error)))];
  const rows: [string, (step: Step) => number][] = [
    ['pedidos no prazo medido', ({ due }) => due],
    ['completos', ({ complete }) => complete],
    ['buscas a que faltou uma base', ({ incomplete }) => incomplete],
    ['buscas recusadas inteiras por sobrecarga', ({ rejected }) => rejected],
    ['interrompidos pelo fim do teste', ({ interrupted }) => interrupted],
    ['decisões da gravação que não existem mais', ({ gone }) => gone],
    ...names.map((name): [string, (step: Step) => number] => [
      errorText(name),
      ({ errors }) => errors.find(({ error }) => error === name)?.count ?? 0,
    ]),
  ];
  const cells = rows.map(([name, of]) => [name].concat(all.map(({ step }) => formatWhole(of(step)))));
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

function tableOf<T>(
  runs: readonly unknown[],
  caption: string,
  first: string,
  columns: readonly Column<T>[],
  rows: readonly Row<T>[],
): Markup {
  const ofRun = (label: string) => (runs.length > 1 ? [label] : []);
  const head = [first, ...ofRun('execução'), ...columns.map(([name]) => name)];
  const cells = ({ name, label, of }: Row<T>) => [
    name,
    ...ofRun(label),
    ...columns.map(([, cell]) => (of === undefined ? '–' : cell(of))),
  ];
  return table(caption, head, rows.map(cells));
}

/** The fraction of cached answers; a dash if not reported. */
export function guardadas(of: Pick<Step, 'cache_reported' | 'cache_hits'>): string {
  const share = cachedShare(of);
  return share === null ? '–' : formatPercent(share);
}

function state({ knee }: Run, step: Step, at: number): string {
  const reasons = knee.reasons[at] ?? [];
  if (reasons.length > 0) {
    const texts = { incomplete: 'faltaram respostas', slow: 'lento' };
    return `não: ${reasons.map((reason) => texts[reason]).join(' e ')}`;
  }
  return knee.found === 'knee' && step.rate_per_s === knee.rate_per_s ? 'sim (joelho)' : 'sim';
}
