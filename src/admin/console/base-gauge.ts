import type { BaseStatus } from '../../engine/snapshot.ts';
import { FIGURES_RECENT_S, FIGURES_S } from '../../config/limits.ts';
import { totalOf } from '../../observe/histogram.ts';
import type { BaseTallies } from '../../observe/tallies.ts';
import { percentiles, RecentTotals, totalsOfBase, type Counts, type Percentiles } from './totals.ts';

/** One base in one second. */
export interface Point extends Counts {
  /** The second, since 1970. */
  readonly em: number;
  /** Queue and run times of the ten seconds that end here: one second has too few requests for a percentile. */
  readonly fila: Percentiles;
  readonly exec: Percentiles;
  /** Requests to the base that ended in this second: searches, rows and records, without coverage. */
  readonly pedidos: number;
  /** Mean fraction of the pool's threads that had a batch, 0 to 1; null without threads. */
  readonly uso: number | null;
  /** The longest queue seen. */
  readonly na_fila: number;
  readonly threads: number;
}

/** Events that an operator must hear of. */
const EVENTS = ['recuos', 'tempo_esgotado', 'recusados', 'falhas'] as const;
/** The second of the latest event of each kind, since 1970; null for none. */
type Events = Readonly<Record<(typeof EVENTS)[number], number | null>>;

/** The latest `FIGURES_RECENT_S` seconds together. */
export interface Recent extends Counts {
  /** How many seconds: fewer at the start. */
  readonly segundos: number;
  readonly fila: Percentiles;
  readonly exec: Percentiles;
  /** Requests to the base, as many as `fila` has durations. */
  readonly pedidos: number;
  readonly pedidos_por_s: number;
  readonly guardadas_por_s: number;
  readonly uso: number | null;
  /** The second of the latest event of each kind, since 1970; null if none since the start. */
  readonly ultimos: Events;
}

/** The latest second of a base, and its latest seconds together. */
export interface Instant {
  readonly ponto: Point;
  readonly recente: Recent;
}

/** The figures of one base: the current second, and the ended ones. */
export class BaseGauge {
  points: Point[] = [];
  readonly #tallies: BaseTallies;
  readonly #totals;
  #last: Events = { recuos: null, tempo_esgotado: null, recusados: null, falhas: null };
  #busy = 0;
  #samples = 0;
  #waiting = 0;
  #threads = 0;

  constructor(tallies: BaseTallies) {
    this.#tallies = tallies;
    this.#totals = new RecentTotals(totalsOfBase(tallies));
  }

  /** Takes a sample of the base's state; a second has several. */
  noteState({ threads, threads_busy, waiting }: BaseStatus): void {
    this.#samples += 1;
    this.#threads = threads;
    if (threads > 0) this.#busy += threads_busy / threads;
    this.#waiting = Math.max(this.#waiting, waiting);
  }

  /** For a clock that went back to `em`: removes the points from there on, and the counts of the current second. */
  goBack(em: number): void {
    this.points = this.points.filter((point) => point.em < em);
    this.#totals.endSecond(totalsOfBase(this.#tallies));
    this.#begin();
  }

  endSecond(em: number): Instant {
    this.#totals.endSecond(totalsOfBase(this.#tallies));
    const second = this.#totals.over(1);
    const recent = this.#totals.over(FIGURES_RECENT_S);
    const ponto: Point = {
      em,
      fila: percentiles(recent.times.queue),
      exec: percentiles(recent.times.run),
      pedidos: totalOf(second.times.queue),
      ...second.counts,
      uso: this.#threads === 0 ? null : Number((this.#busy / Math.max(1, this.#samples)).toFixed(3)),
      na_fila: this.#waiting,
      threads: this.#threads,
    };
    this.points.push(ponto);
    if (this.points.length > FIGURES_S) this.points.shift();
    for (const event of EVENTS) if (ponto[event] > 0) this.#last = { ...this.#last, [event]: em };
    this.#begin();
    return { ponto, recente: this.#recent(ponto, totalOf(recent.times.queue), recent.counts) };
  }

  #recent({ fila, exec }: Point, pedidos: number, counts: Counts): Recent {
    const seconds = this.points.slice(-FIGURES_RECENT_S);
    const uses = seconds.flatMap(({ uso }) => (uso === null ? [] : [uso]));
    return {
      segundos: seconds.length,
      fila,
      exec,
      pedidos,
      pedidos_por_s: pedidos / seconds.length,
      guardadas_por_s: counts.guardadas / seconds.length,
      ...counts,
      uso: uses.length === 0 ? null : uses.reduce((total, use) => total + use, 0) / uses.length,
      ultimos: this.#last,
    };
  }

  #begin(): void {
    this.#busy = 0;
    this.#samples = 0;
    this.#waiting = 0;
  }
}
