import type { BaseStatus } from '../../engine/snapshot.ts';
import type { Clock } from '../../engine/clock.ts';
import type { SearchPage } from '../../search/page.ts';
import type { Step } from '../../engine/steps.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { Pedido } from '../../query/parameters.ts';
import { BaseCounts, countSearch, type Counts } from './base-counts.ts';
import { percentiles, type Percentiles } from './percentiles.ts';
import { RecentSeconds } from './recent-seconds.ts';
import type { Answered, ServiceTotals } from './service-counts.ts';
import { ServiceFigures, type ServiceLoad, type ServiceRecent } from './service-figures.ts';
import { FIGURES_RECENT_S, FIGURES_S, FIGURES_SAMPLE_MS } from '../../config/limits.ts';

/** One base in one second. */
export interface Point {
  /** The second, since 1970. */
  readonly em: number;
  readonly fila: Percentiles;
  readonly exec: Percentiles;
  /** Requests to the base that ended in this second: searches, rows and records, without coverage. */
  readonly pedidos: number;
  /** Replies from the result cache. */
  readonly guardadas: number;
  /** Searches of users by the order that was applied, and how many of them had asked for the other one. */
  readonly relevancia: number;
  readonly recentes: number;
  readonly recuos: number;
  /**
   * Requests that ran out of time, that a full queue refused, and that failed. A search that was rejected before any
   * request counts as refused for each of its bases.
   */
  readonly tempo_esgotado: number;
  readonly recusados: number;
  readonly falhas: number;
  /** Mean share of the pool's threads that had a batch, 0 to 1; null where there are no threads. */
  readonly uso: number | null;
  /** The longest queue seen. */
  readonly na_fila: number;
  readonly threads: number;
}

/** The latest seconds together. */
interface Recent {
  readonly fila: Percentiles;
  readonly exec: Percentiles;
  readonly pedidos_por_s: number;
  readonly guardadas_por_s: number;
}

/** The latest second of a base, and its latest seconds together. */
export interface Instant {
  readonly ponto: Point;
  readonly recente: Recent;
}
export type Instants = Readonly<Record<Base, Instant>>;

/** What a base did in another process since its last report: durations as `LogHistogram` gives them in pairs. */
export interface Counted {
  readonly counts: Counts;
  readonly queue: readonly number[];
  readonly run: readonly number[];
}

/** Of a service whose processes are not looked at. */
const UNKNOWN: ServiceLoad = {
  cpu_ms: null,
  loop_delay_ms: null,
  memory_bytes: null,
  processes: 1,
  reporting: 0,
};
const SECOND_MS = 1_000;

/** What another process answered since its last report: durations as pairs. */
export interface ServedElsewhere {
  readonly totals: ServiceTotals;
  readonly served: readonly number[];
}

/**
 * Keeps the last fifteen minutes of every base, second by second, and the service's latest seconds, in constant memory.
 */
export class Figures {
  readonly #clock: Clock;
  readonly #statusOf: (base: Base) => BaseStatus;
  readonly #gauges: ReadonlyMap<Base, Gauge>;
  readonly #service: ServiceFigures;
  readonly #listeners = new Set<(instants: Instants | 'closed') => void>();
  #cancel: () => void = () => undefined;
  #second: number;

  /** @param readLoad called at the end of each second. */
  constructor(
    clock: Clock,
    statusOf: (base: Base) => BaseStatus,
    readLoad: () => ServiceLoad = () => UNKNOWN,
  ) {
    this.#clock = clock;
    this.#statusOf = statusOf;
    this.#service = new ServiceFigures(clock, readLoad);
    this.#gauges = new Map(BASES.map((base) => [base, new Gauge()]));
    this.#second = this.#now();
  }

  start(): void {
    this.#cancel = this.#clock.after(FIGURES_SAMPLE_MS, () => {
      this.#look();
      this.start();
    });
  }

  close(): void {
    this.#cancel();
    this.#letGo();
  }

  /** Counts a request to a base that has ended. */
  noteStep(step: Step): void {
    if (step.kind !== 'cobertura') this.#gauge(step.base).counts.noteStep(step);
  }

  /**
   * Counts an answered search. Without `pedido` and `page` the request was something else, or refused.
   * @param steps its requests to bases, which `noteStep` counts; an unanswered base without a step was rejected.
   */
  noteSearch(pedido: Pedido | null, page: SearchPage | null, steps: readonly Step[]): void {
    countSearch((base) => this.#gauge(base).counts, { pedido, page, steps });
  }

  /** Counts an answer of the public listener that its client waited for. */
  noteAnswer(answered: Answered): void {
    this.#service.counts.note(answered);
  }

  /** Counts what another process answered. */
  noteServedElsewhere({ totals, served }: ServedElsewhere): void {
    this.#service.counts.add(totals);
    this.#service.counts.served.addPairs(served);
  }

  /** The service over its latest seconds; null until one has ended. */
  get service(): ServiceRecent | null {
    return this.#service.recent;
  }

  /** Counts what a base did in another process. */
  noteElsewhere(base: Base, counted: Counted): void {
    this.#gauge(base).noteElsewhere(counted);
  }

  /** The stored seconds of a base, in order. */
  history(base: Base): readonly Point[] {
    return this.#gauge(base).points;
  }

  /** Calls `listener` at the end of every second, until it gets `closed`. @returns a function that ends this. */
  listen(listener: (instants: Instants | 'closed') => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #look(): void {
    for (const [base, gauge] of this.#gauges) gauge.look(this.#statusOf(base));
    const now = this.#now();
    // A clock set back by less than a second makes one second longer, and repeats none.
    if (now === this.#second || now === this.#second - 1) return;
    const ended = this.#second;
    this.#second = now;
    if (now < ended) {
      // The clock went back: later seconds are removed, and readers who saw them must load everything again.
      for (const gauge of this.#gauges.values()) gauge.goBack(now);
      this.#letGo();
      return;
    }
    this.#service.endSecond(ended);
    const entries = [...this.#gauges].map(([base, gauge]) => [base, gauge.endSecond(ended)]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each base
    const instants = Object.fromEntries(entries) as Instants;
    for (const listener of this.#listeners) listener(instants);
  }

  #letGo(): void {
    for (const listener of this.#listeners) listener('closed');
    this.#listeners.clear();
  }

  #now(): number {
    return Math.floor(this.#clock.date().getTime() / SECOND_MS);
  }

  #gauge(base: Base): Gauge {
    const gauge = this.#gauges.get(base);
    if (gauge === undefined) throw new Error(`no figures for base ${base}`);
    return gauge;
  }
}

/** One base: the current second, and the ended ones. */
class Gauge {
  points: Point[] = [];
  readonly counts = new BaseCounts(new RecentSeconds(FIGURES_RECENT_S), new RecentSeconds(FIGURES_RECENT_S));
  #busy = 0;
  #looks = 0;
  #waiting = 0;
  #threads = 0;

  noteElsewhere({ counts, queue, run }: Counted): void {
    this.counts.add(counts);
    this.counts.queue.addPairs(queue);
    this.counts.run.addPairs(run);
  }

  look({ threads, threads_busy, waiting }: BaseStatus): void {
    this.#looks += 1;
    this.#threads = threads;
    if (threads > 0) this.#busy += threads_busy / threads;
    this.#waiting = Math.max(this.#waiting, waiting);
  }

  /** Removes this second and later ones after the clock went back, and the counts of the current one. */
  goBack(em: number): void {
    this.points = this.points.filter((point) => point.em < em);
    this.counts.queue.end();
    this.counts.run.end();
    this.#begin();
  }

  endSecond(em: number): Instant {
    const [queue, run] = [this.counts.queue.end(), this.counts.run.end()];
    const ponto: Point = {
      em,
      fila: percentiles(queue),
      exec: percentiles(run),
      pedidos: queue.total,
      ...this.counts.take(),
      uso: this.#threads === 0 ? null : Number((this.#busy / Math.max(1, this.#looks)).toFixed(3)),
      na_fila: this.#waiting,
      threads: this.#threads,
    };
    this.points.push(ponto);
    if (this.points.length > FIGURES_S) this.points.shift();
    this.#begin();
    return { ponto, recente: this.#recent() };
  }

  #recent(): Recent {
    const [queue, run] = [this.counts.queue.all, this.counts.run.all];
    const seconds = this.points.slice(-FIGURES_RECENT_S);
    const guardadas = seconds.reduce((sum, point) => sum + point.guardadas, 0);
    return {
      fila: percentiles(queue),
      exec: percentiles(run),
      pedidos_por_s: queue.total / seconds.length,
      guardadas_por_s: guardadas / seconds.length,
    };
  }

  #begin(): void {
    this.counts.take();
    this.#busy = 0;
    this.#looks = 0;
    this.#waiting = 0;
  }
}
