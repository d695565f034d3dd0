import type { BaseStatus } from '../../engine/snapshot.ts';
import type { Clock } from '../../engine/clock.ts';
import type { SearchPage } from '../../search/page.ts';
import type { Step } from '../../engine/steps.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { Pedido } from '../../query/parameters.ts';
import { BaseCounts, countSearch, type Counts } from './base-counts.ts';
import type { LogHistogram } from './log-histogram.ts';
import { RecentSeconds } from './recent-seconds.ts';

/** Percentiles of what bases were asked for, milliseconds; null where nothing was. */
export interface Percentis {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** One base in one second. */
export interface Ponto {
  /** The second, since 1970. */
  readonly em: number;
  readonly fila: Percentis;
  readonly exec: Percentis;
  /** Asks of the base that ended in this second: searches, rows and records; coverage is not among them. */
  readonly pedidos: number;
  /** What was answered without asking the base, from answers that are cached. */
  readonly guardadas: number;
  /** Searches of users by the order that was applied, and how many of them had asked for the other one. */
  readonly relevancia: number;
  readonly recentes: number;
  readonly recuos: number;
  /**
   * Asks whose window ran out, that were refused for a full queue, that failed. Searches turned away whole, with no
   * ask made, are among the refused of every base that they wanted.
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

/** Some seconds together: what the base was asked for, and what was answered without asking it. */
interface Recente {
  readonly fila: Percentis;
  readonly exec: Percentis;
  readonly pedidos_por_s: number;
  readonly guardadas_por_s: number;
}

/** What each base did of late: its latest second, and percentiles of some seconds together. */
export interface Instante {
  readonly ponto: Ponto;
  readonly recente: Recente;
}
export type Instantes = Readonly<Record<Base, Instante>>;

/** What a base did in another process since that last told: durations as `LogHistogram` gives them in pairs. */
export interface Counted {
  readonly counts: Counts;
  readonly queue: readonly number[];
  readonly run: readonly number[];
}

export const HISTORY_S = 900;
const SHARES = [0.5, 0.95, 0.99];
/** Seconds that are read together as "of late". */
const RECENT_S = 10;
const SECOND_MS = 1_000;
/** The pool is looked at this often: a batch is over in a moment. */
const LOOK_MS = 100;

/** Keeps the last fifteen minutes of every base in steps of a second; what it keeps is of one size. */
export class Figures {
  readonly #clock: Clock;
  readonly #statusOf: (base: Base) => BaseStatus;
  readonly #gauges: ReadonlyMap<Base, Gauge>;
  readonly #listeners = new Set<(instants: Instantes | 'closed') => void>();
  #cancel: () => void = () => undefined;
  #second: number;

  constructor(clock: Clock, statusOf: (base: Base) => BaseStatus) {
    this.#clock = clock;
    this.#statusOf = statusOf;
    this.#gauges = new Map(BASES.map((base) => [base, new Gauge()]));
    this.#second = this.#now();
  }

  start(): void {
    this.#cancel = this.#clock.after(LOOK_MS, () => {
      this.#look();
      this.start();
    });
  }

  close(): void {
    this.#cancel();
    this.#letGo();
  }

  /** Takes in an ask of a base that has ended. */
  noteStep(step: Step): void {
    if (step.kind !== 'cobertura') this.#gauge(step.base).counts.noteStep(step);
  }

  /**
   * Takes in a search that was answered; there is none where a request was something else, or refused.
   * @param steps its asks, which are taken in by themselves; a base that gave nothing and has none was not asked.
   */
  noteSearch(pedido: Pedido | null, page: SearchPage | null, steps: readonly Step[]): void {
    countSearch((base) => this.#gauge(base).counts, { pedido, page, steps });
  }

  /** Takes in what a base did in another process. */
  noteElsewhere(base: Base, counted: Counted): void {
    this.#gauge(base).noteElsewhere(counted);
  }

  /** The seconds kept of a base, in order. */
  history(base: Base): readonly Ponto[] {
    return this.#gauge(base).points;
  }

  /** Has someone told of every second as it ends, until told that it is `closed`. @returns what takes that back. */
  listen(listener: (instants: Instantes | 'closed') => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #look(): void {
    for (const [base, gauge] of this.#gauges) gauge.look(this.#statusOf(base));
    const now = this.#now();
    // A clock that is put right by less than a second makes one second longer, and none twice.
    if (now === this.#second || now === this.#second - 1) return;
    const ended = this.#second;
    this.#second = now;
    if (now < ended) {
      // Seconds that are still to come were never; whoever has seen them asks for all anew.
      for (const gauge of this.#gauges.values()) gauge.goBack(now);
      this.#letGo();
      return;
    }
    const entries = [...this.#gauges].map(([base, gauge]) => [base, gauge.endSecond(ended)]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each base
    const instants = Object.fromEntries(entries) as Instantes;
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

/** One base: the second under way, and those that have ended. */
class Gauge {
  points: Ponto[] = [];
  readonly counts = new BaseCounts(new RecentSeconds(RECENT_S), new RecentSeconds(RECENT_S));
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

  /** The clock was put back: forgets what is of that second or later, and what has been counted since. */
  goBack(em: number): void {
    this.points = this.points.filter((point) => point.em < em);
    this.counts.queue.end();
    this.counts.run.end();
    this.#begin();
  }

  endSecond(em: number): Instante {
    const [queue, run] = [this.counts.queue.end(), this.counts.run.end()];
    const ponto: Ponto = {
      em,
      fila: percentis(queue),
      exec: percentis(run),
      pedidos: queue.total,
      ...this.counts.take(),
      uso: this.#threads === 0 ? null : Number((this.#busy / Math.max(1, this.#looks)).toFixed(3)),
      na_fila: this.#waiting,
      threads: this.#threads,
    };
    this.points.push(ponto);
    if (this.points.length > HISTORY_S) this.points.shift();
    this.#begin();
    return { ponto, recente: this.#recent() };
  }

  #recent(): Recente {
    const [queue, run] = [this.counts.queue.all, this.counts.run.all];
    const seconds = this.points.slice(-RECENT_S);
    const guardadas = seconds.reduce((sum, point) => sum + point.guardadas, 0);
    return {
      fila: percentis(queue),
      exec: percentis(run),
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

function percentis(histogram: LogHistogram): Percentis {
  const [p50 = null, p95 = null, p99 = null] = histogram.percentiles(SHARES);
  return { p50, p95, p99 };
}
