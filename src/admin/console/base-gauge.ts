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

export class BaseGauge {
  points: Point[] = [];
  recent: Recent | null = null;
  readonly #tallies: BaseTallies;
  readonly #totals;
  #last: Events = { recuos: null, tempo_esgotado: null, recusados: null, falhas: null };
  /** The fraction of busy threads, as sampled in this second; none without threads. */
  #uses: number[] = [];

  constructor(tallies: BaseTallies) {
    this.#tallies = tallies;
    this.#totals = new RecentTotals(totalsOfBase(tallies));
  }

  /** Samples the base's state; called several times a second. */
  noteState({ threads, threads_busy }: BaseStatus): void {
    if (threads > 0) this.#uses.push(threads_busy / threads);
  }

  endSecond(em: number): void {
    this.#totals.endSecond(totalsOfBase(this.#tallies));
    const recent = this.#totals.over(FIGURES_RECENT_S);
    const ponto = pointOf(em, this.#totals.over(1), recent, this.#uses);
    // Points that are not earlier are of a clock that was set back since.
    this.points = [...this.points.filter((point) => point.em < em), ponto].slice(-FIGURES_S);
    for (const event of EVENTS) if (ponto[event] > 0) this.#last = { ...this.#last, [event]: em };
    this.#uses = [];
    this.recent = recentOf(this.points.slice(-FIGURES_RECENT_S), ponto, recent, this.#last);
  }
}

/** @param second its totals. @param recent totals of the ten seconds that end with it. */
function pointOf(em: number, second: BaseTotals, recent: BaseTotals, uses: readonly number[]) {
  const use = mean(uses);
  return {
    em,
    // One second has too few requests for a percentile.
    fila: percentiles(recent.times.queue),
    exec: percentiles(recent.times.run),
    /** Requests to the base that ended in this second: searches, rows and records, but not coverage. */
    pedidos: totalOf(second.times.queue),
    ...second.counts,
    /** Null without threads. */
    uso: use === null ? null : Number(use.toFixed(3)),
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
    uso: mean(uses),
    ultimos,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
