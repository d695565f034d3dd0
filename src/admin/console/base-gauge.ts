import type { BaseStatus } from '../../engine/messages.ts';
import { totalOf } from '../../observe/histogram.ts';
import type { BaseTallies } from '../../observe/tallies.ts';
import { percentiles, RecentTotals, totalsOfBase, FIGURES_S, FIGURES_RECENT_S } from './totals.ts';

type BaseTotals = ReturnType<typeof totalsOfBase>;
export type Point = Readonly<ReturnType<typeof pointOf>>;
/** Totals of the latest `FIGURES_RECENT_S` seconds; fewer at the start. */
export type Recent = Readonly<ReturnType<typeof recentOf>>;

/** Events that an operator must know of. */
const EVENTS = ['recuos', 'tempo_esgotado', 'recusados', 'falhas'] as const;
/** When each kind of event last occurred, seconds since 1970; null if never since the start. */
type Events = Readonly<Record<(typeof EVENTS)[number], number | null>>;

/** Samples of a base's state in a second: the fraction of busy threads, and the longest queue. */
interface Samples {
  readonly uses: readonly number[];
  readonly waiting: number;
  readonly threads: number;
}

export class BaseGauge {
  points: Point[] = [];
  recent: Recent | null = null;
  readonly #tallies: BaseTallies;
  readonly #totals;
  #last: Events = { recuos: null, tempo_esgotado: null, recusados: null, falhas: null };
  #samples: Samples = { uses: [], waiting: 0, threads: 0 };

  constructor(tallies: BaseTallies) {
    this.#tallies = tallies;
    this.#totals = new RecentTotals(totalsOfBase(tallies));
  }

  /** Samples the base's state; called several times a second. */
  noteState({ threads, threads_busy, waiting }: BaseStatus): void {
    const { uses, waiting: before } = this.#samples;
    const use = threads > 0 ? threads_busy / threads : 0;
    this.#samples = { uses: [...uses, use], waiting: Math.max(before, waiting), threads };
  }

  /** For a clock that went back to `em`: removes later points, and clears the current second. */
  goBack(em: number): void {
    this.points = this.points.filter((point) => point.em < em);
    this.#totals.endSecond(totalsOfBase(this.#tallies));
    this.#begin();
  }

  endSecond(em: number): void {
    this.#totals.endSecond(totalsOfBase(this.#tallies));
    const recent = this.#totals.over(FIGURES_RECENT_S);
    const ponto = pointOf(em, this.#totals.over(1), recent, this.#samples);
    this.points.push(ponto);
    if (this.points.length > FIGURES_S) this.points.shift();
    for (const event of EVENTS) if (ponto[event] > 0) this.#last = { ...this.#last, [event]: em };
    this.#begin();
    this.recent = recentOf(this.points.slice(-FIGURES_RECENT_S), ponto, recent, this.#last);
  }

  #begin(): void {
    this.#samples = { ...this.#samples, uses: [], waiting: 0 };
  }
}

/** @param second its totals. @param recent totals of the ten seconds that end with it. */
function pointOf(em: number, second: BaseTotals, recent: BaseTotals, { uses, waiting, threads }: Samples) {
  return {
    em,
    // One second has too few requests for a percentile.
    fila: percentiles(recent.times.queue),
    exec: percentiles(recent.times.run),
    /** Requests to the base that ended in this second: searches, rows and records, but not coverage. */
    pedidos: totalOf(second.times.queue),
    ...second.counts,
    /** Null without threads. */
    uso: threads === 0 ? null : Number(mean(uses).toFixed(3)),
    na_fila: waiting,
    threads,
  };
}

function recentOf(
  seconds: readonly Point[],
  { fila, exec }: Point,
  { counts, times }: BaseTotals,
  ultimos: Events,
) {
  const pedidos = totalOf(times.queue);
  const uses = seconds.flatMap(({ uso }) => (uso === null ? [] : [uso]));
  return {
    segundos: seconds.length,
    fila,
    exec,
    /** Requests to the base, as many as `fila` has durations. */
    pedidos,
    pedidos_por_s: pedidos / seconds.length,
    ...counts,
    uso: uses.length === 0 ? null : mean(uses),
    ultimos,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
