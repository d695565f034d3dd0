import { forEachOf } from '../../contract/records.ts';
import type { BaseStatus } from '../../engine/messages.ts';
import { STEP_KINDS } from '../../engine/steps.ts';
import type { BaseTallies } from '../../observe/tallies.ts';
import { FIGURES_RECENT_S, FIGURES_S, type Increase } from './increase.ts';

export type Point = Readonly<ReturnType<typeof pointOf>>;
/** The latest `FIGURES_RECENT_S` seconds; fewer at the start. */
export type Recent = Readonly<ReturnType<typeof recentOf>>;

/** Events that an operator must know of. */
const EVENTS = ['recuos', 'tempo_esgotado', 'recusados', 'falhas'] as const;
const COUNTS = ['pedidos', 'relevancia', 'recentes', ...EVENTS] as const;
/** When each kind of event last occurred, seconds since 1970; null if never since the start. */
type Events = Record<(typeof EVENTS)[number], number | null>;

const KINDS = STEP_KINDS.filter((kind) => kind !== 'cobertura');

export class BaseGauge {
  readonly points: Point[] = [];
  recent: Recent | null = null;
  readonly #tallies: BaseTallies;
  readonly #last: Events = forEachOf(EVENTS, () => null);
  /** The fraction of busy threads, as sampled in this second; none without threads. */
  #uses: number[] = [];

  constructor(tallies: BaseTallies) {
    this.#tallies = tallies;
  }

  /** Samples the base's state; called several times a second. */
  noteState({ threads, threads_busy }: BaseStatus): void {
    if (threads > 0) this.#uses.push(threads_busy / threads);
  }

  /** @param recent the ten seconds that end with this one. */
  endSecond(em: number, second: Increase, recent: Increase): void {
    const point = pointOf(em, this.#tallies, { second, recent, use: mean(this.#uses) });
    // Points that are not earlier are of a clock that was set back since.
    while ((this.points.at(-1)?.em ?? 0) >= em) this.points.pop();
    this.points.push(point);
    if (this.points.length > FIGURES_S) this.points.shift();
    for (const event of EVENTS) if (point[event] > 0) this.#last[event] = em;
    this.#uses = [];
    this.recent = recentOf(this.points.slice(-FIGURES_RECENT_S), point, { ...this.#last });
  }
}

interface Ended {
  readonly second: Increase;
  readonly recent: Increase;
  readonly use: number | null;
}

/** A base's figures of a second, none of which include coverage. */
function pointOf(em: number, tallies: BaseTallies, { second, recent, use }: Ended) {
  const { searches, answeredFallbacks, notAsked, failures, queue, run } = tallies;
  const [queues, runs] = [KINDS.map((kind) => queue[kind]), KINDS.map((kind) => run[kind])];
  const failed = (why: 'deadline' | 'overloaded' | 'unavailable') =>
    second.sum(KINDS.map((kind) => failures[kind][why]));
  return {
    em,
    // One second has too few requests for a percentile.
    fila: recent.percentiles(queues),
    exec: recent.percentiles(runs),
    /** Requests to the base that ended in this second: searches, rows and records. */
    pedidos: second.total(queues),
    /** Users' searches that the base answered, by the order applied. */
    relevancia: second.of(searches.relevancia.ok),
    recentes: second.of(searches.recentes.ok),
    /** Those among them that asked for relevance and got recency. */
    recuos: second.of(answeredFallbacks),
    tempo_esgotado: failed('deadline'),
    /** A search rejected before any request counts as refused for all its bases. */
    recusados: failed('overloaded') + second.of(notAsked),
    falhas: failed('unavailable'),
    /** Null without threads. */
    uso: use === null ? null : Number(use.toFixed(3)),
  };
}

function recentOf(seconds: readonly Point[], { fila, exec }: Point, ultimos: Events) {
  const counts = forEachOf(COUNTS, (of) => seconds.reduce((total, second) => total + second[of], 0));
  return {
    segundos: seconds.length,
    fila,
    exec,
    ...counts,
    pedidos_por_s: counts.pedidos / seconds.length,
    uso: mean(seconds.flatMap(({ uso }) => (uso === null ? [] : [uso]))),
    ultimos,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
