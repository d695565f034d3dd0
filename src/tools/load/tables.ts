import { compare, type Compared } from './comparison.ts';
import { cachedShare, errorCount, slowestShare } from './figures.ts';
import type { Distribution, PercentileName } from './histogram.ts';
import { kneeRate } from './knee.ts';
import type { Language } from './language.ts';
import type { BaseStep, Run, Step } from './result.ts';
import { isNoise } from './shift.ts';
import { errorText, figureName, stateText } from './words.ts';

/** A run, the rate of it that is shown, and its name beside another run. */
export interface Named {
  readonly label: string;
  readonly run: Run;
  readonly step: Step;
}

/** A table in one language; the first cell of a row is its name. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type Column<T> = readonly [name: string, cell: (of: T) => string];

/** A row with a name, which names the run too if there are two. Without a figure all cells are dashes. */
interface Row<T> {
  readonly name: string;
  readonly label: string;
  readonly of: T | undefined;
}

export function sweepTable(all: readonly Named[], t: Language): Table {
  const { say, whole, rate, percentile, percent, short } = t;
  const columns: readonly Column<{ readonly run: Run; readonly step: Step; readonly at: number }>[] = [
    [say('complete/s', 'completas/s'), ({ step }) => short(step.complete_per_s)],
    ['p50', ({ step }) => percentile(step.latency_ms.all, 'p50')],
    ['p99', ({ step }) => percentile(step.latency_ms.all, 'p99')],
    ['max', ({ step }) => t.ms(step.latency_ms.all?.max)],
    [say('incompl.', 'incompletas'), ({ step }) => whole(step.incomplete + step.rejected)],
    [say('errors', 'erros'), ({ step }) => whole(errorCount(step))],
    [say('cached', 'das guardadas'), ({ step }) => percent(cachedShare(step))],
    [say('kept up', 'acompanhou?'), ({ run, step, at }) => stateText(run, step, at, t)],
  ];
  const rows = all.flatMap(({ label, run }) =>
    run.steps.map((step, at) => ({ name: rate(step.rate_per_s), label, of: { run, step, at } })),
  );
  const caption = say(
    'Each rate; latency from when it was due, ms',
    'Cada taxa da varredura; latências em ms',
  );
  return tableOf(all, caption, say('rate', 'taxa'), columns, rows, t);
}

export function latencyTable(all: readonly Named[], t: Language): Table {
  const { say } = t;
  const kinds: readonly [string, (step: Step) => Distribution | null][] = [
    [say('all', 'todos os pedidos'), ({ latency_ms }) => latency_ms.all],
    [say('first pages', 'buscas, primeira página'), ({ latency_ms }) => latency_ms.search],
    [say('further pages', 'buscas, páginas seguintes'), ({ latency_ms }) => latency_ms.page],
    [say('records', 'leituras de decisão'), ({ latency_ms }) => latency_ms.record],
    [say('all, from the real start', 'todos, desde o envio real'), ({ service_ms }) => service_ms],
  ];
  const columns: readonly Column<Distribution | null>[] = [
    [say('count', 'quantos'), (times) => t.whole(times?.count ?? 0)],
    ...percentileColumns<Distribution | null>(['p50', 'p90', 'p99', 'p999'], (times) => times, t),
  ];
  const rows = kinds.flatMap(([name, of]) => all.map(({ label, step }) => ({ name, label, of: of(step) })));
  return tableOf(all, say('Latency, ms', 'Latência em ms'), say('requests', 'pedidos'), columns, rows, t);
}

/** The percentiles of each curve. */
export function curveTable(curves: readonly Pick<Named, 'label' | 'step'>[], t: Language): Table {
  const columns = percentileColumns<Step>(
    ['p25', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999'],
    ({ latency_ms }) => latency_ms.all,
    t,
  );
  return {
    caption: t.say('Latency by percentile, ms', 'Latência por percentil, ms'),
    head: [t.say('percentile', 'percentil'), ...curves.map(({ label }) => label)],
    rows: columns.map(([name, cell]) => [name].concat(curves.map(({ step }) => cell(step)))),
  };
}

export function baseTable(all: readonly Named[], t: Language): Table {
  const { say, whole, percent } = t;
  const ofBase: readonly Column<BaseStep>[] = [
    [say('answers', 'respostas'), ({ latency_ms }) => whole(latency_ms?.count ?? 0)],
    ...percentileColumns<BaseStep>(['p50', 'p90', 'p99'], ({ latency_ms }) => latency_ms, t),
    [say('fell b.', 'recuos a recentes'), ({ fallbacks }) => whole(fallbacks)],
    [say('late', 'prazo esgotado'), ({ timed_out }) => whole(timed_out)],
    [say('failed', 'falha ou sobrecarga'), ({ failed }) => whole(failed)],
    [say('no c.', 'sem contagem'), ({ no_count }) => whole(no_count)],
    [say('hits', 'das guardadas'), (base) => percent(cachedShare(base))],
  ];
  const columns: Column<{ readonly base: BaseStep; readonly step: Step }>[] = [
    ...ofBase.map(([name, cell]): (typeof columns)[number] => [name, ({ base }) => cell(base)]),
    [say('slow', 'foi a mais lenta'), ({ base, step }) => percent(slowestShare(base, step))],
  ];
  const names = [...new Set(all.flatMap(({ step }) => step.bases.map(({ base }) => base)))];
  const rows = names.flatMap((name) =>
    all.map(({ label, step }) => {
      const base = step.bases.find((one) => one.base === name);
      return { name, label, of: base === undefined ? undefined : { base, step } };
    }),
  );
  const caption = say(
    'Each base by the service’s clock, ms',
    'Cada base, pelo relógio do serviço; tempos em ms',
  );
  return tableOf(all, caption, 'base', columns, rows, t);
}

/** What became of the requests; in the terminal without what never happened. */
export function outcomeTable(all: readonly Named[], t: Language): Table {
  const { say, whole } = t;
  const names = [...new Set(all.flatMap(({ step }) => step.errors.map(({ error }) => error)))];
  const rows: [string, (step: Step) => number][] = [
    [say('due', 'pedidos no prazo medido'), ({ due }) => due],
    [say('complete', 'completos'), ({ complete }) => complete],
    [say('incomplete', 'buscas a que faltou uma base'), ({ incomplete }) => incomplete],
    [say('rejected', 'buscas recusadas inteiras por sobrecarga'), ({ rejected }) => rejected],
    [say('interrupted', 'interrompidos pelo fim do teste'), ({ interrupted }) => interrupted],
    [say('ids gone', 'decisões da gravação que não existem mais'), ({ gone }) => gone],
    ...names.map((name): [string, (step: Step) => number] => [
      errorText(name, t),
      ({ errors }) => errors.find(({ error }) => error === name)?.count ?? 0,
    ]),
  ];
  return {
    caption: say('What became of the requests', 'O que foi feito dos pedidos'),
    head: ['', ...all.map(({ label }) => label)],
    rows: rows.map(([name, of]) => [name].concat(all.map(({ step }) => whole(of(step))))),
  };
}

/** Two runs: each figure before and now, and the difference with its interval. */
export function comparisonTable(before: Run, now: Run, t: Language): Table {
  const { say, rate } = t;
  const rows = compare(before, now).map((row) => comparedCells(row, t));
  if (before.knee.found !== 'single' && now.knee.found !== 'single')
    rows.push([say('knee', 'joelho'), rate(kneeRate(before)), rate(kneeRate(now)), '', '']);
  return {
    caption: say('Difference with its 95% interval', 'Diferença com o intervalo de 95%'),
    head: [
      '',
      say('before', 'antes'),
      say('now', 'agora'),
      say('difference (95% interval)', 'diferença (intervalo de 95%)'),
      '',
    ],
    rows,
  };
}

function comparedCells({ name, unit, before, now, change }: Compared, t: Language): string[] {
  const { say, ms, percent, signed } = t;
  const isTime = unit === 'ms';
  const shown = (value: number) => (isTime ? ms(value) : percent(value));
  const [value, low, high] = [change.value, change.low, change.high].map(
    (one) => `${signed(one * 100)}${isTime && Number.isFinite(one) ? '%' : ''}`,
  );
  const points = isTime ? '' : say(' points', ' pontos');
  return [
    `${figureName(name, t)}${isTime ? ', ms' : ''}`,
    shown(before),
    shown(now),
    `${value}${points} (${low} ${say('to', 'a')} ${high})`,
    isNoise(change) ? say('within noise', 'pode ser acaso') : say('differs', 'difere'),
  ];
}

function percentileColumns<T>(
  names: readonly PercentileName[],
  of: (row: T) => Distribution | null,
  t: Language,
): Column<T>[] {
  const columns = names.map((name): Column<T> => [
    name === 'p999' ? t.say('p99.9', 'p99,9') : name,
    (row) => t.percentile(of(row), name),
  ]);
  return [...columns, ['max', (row) => t.ms(of(row)?.max)]];
}

function tableOf<T>(
  all: readonly Named[],
  caption: string,
  first: string,
  columns: readonly Column<T>[],
  rows: readonly Row<T>[],
  t: Language,
): Table {
  const ofRun = (label: string) => (all.length > 1 ? [label] : []);
  return {
    caption,
    head: [first, ...ofRun(t.say('run', 'execução')), ...columns.map(([name]) => name)],
    rows: rows.map(({ name, label, of }) => [
      name,
      ...ofRun(label),
      ...columns.map(([, cell]) => (of === undefined ? t.whole(null) : cell(of))),
    ]),
  };
}
