import { bug } from '../../bug.ts';
import { forEachOf, keysOf } from '../../contract/records.ts';
import { STEP_KINDS, type StepKind } from '../../engine/steps.ts';
import { BUCKETS, percentilesOf } from '../../observe/histogram.ts';
import type { BaseTallies, Tallies } from '../../observe/tallies.ts';
import type { Durations, Tally } from '../../observe/tally-set.ts';

/** Seconds of figures that the console shows, and the seconds that make up the latest figures. */
export const FIGURES_S = 900;
export const FIGURES_RECENT_S = 10;

/** Percentiles of times, milliseconds; null without a request. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** Counts, and durations by bucket, since the start or over some seconds. */
export interface Totals<Count extends string, Time extends string> {
  readonly counts: Readonly<Record<Count, number>>;
  readonly times: Readonly<Record<Time, Float64Array>>;
}

const SHOWN_KINDS = STEP_KINDS.filter((kind) => kind !== 'cobertura');

/** A base's counts, none of which include coverage. */
export function totalsOfBase(base: BaseTallies) {
  const { searches, answeredFallbacks, notAsked, failures, queue, run } = base;
  const sum = (of: (kind: StepKind) => Tally) =>
    SHOWN_KINDS.reduce((total, kind) => total + of(kind).total, 0);
  return {
    counts: {
      /** Users' searches that the base answered, by the order applied. */
      relevancia: searches.relevancia.ok.total,
      recentes: searches.recentes.ok.total,
      /** Those among them that asked for relevance and got recency. */
      recuos: answeredFallbacks.total,
      tempo_esgotado: sum((kind) => failures[kind].deadline),
      /** A search rejected before any request counts as refused for all its bases. */
      recusados: sum((kind) => failures[kind].overloaded) + notAsked.total,
      falhas: sum((kind) => failures[kind].unavailable),
    },
    times: {
      queue: together(SHOWN_KINDS.map((kind) => queue[kind])),
      run: together(SHOWN_KINDS.map((kind) => run[kind])),
    },
  };
}

export function totalsOfService(tallies: Tallies) {
  const { answers, durations, incomplete, byBases, fromCache } = tallies;
  const byStatus = Object.values(answers).flatMap((ofRoute) => Array.from(ofRoute));
  const sum = (isCounted: (status: number) => boolean) =>
    byStatus.reduce((total, [status, tally]) => total + (isCounted(status) ? tally.total : 0), 0);
  const buscas = answers.busca.get(200)?.total ?? 0;
  return {
    counts: {
      /** All answers, refusals included. */
      respostas: sum(() => true),
      /** Searches answered with 200, and how many of these are complete. */
      buscas,
      completas: buscas - incomplete.total,
      /** Answers that needed a base, and how many of these came from the cache. */
      pelas_bases: byBases.total,
      do_cache: fromCache.total,
      recusas_429: sum((status) => status === 429),
      erros_5xx: sum((status) => status >= 500),
    },
    times: { served: together(Object.values(durations)) },
  };
}

function together(all: readonly Durations[]): Float64Array {
  const sum = new Float64Array(BUCKETS);
  for (const { counts } of all)
    for (const [bucket, count] of counts.entries()) sum[bucket] = count + (sum[bucket] ?? bug('no bucket'));
  return sum;
}

function difference(counts: Float64Array, before: Float64Array): Float64Array {
  return counts.map((count, bucket) => count - (before[bucket] ?? bug('no bucket')));
}

export function percentiles(counts: Float64Array): Percentiles {
  const [p50 = null, p95 = null, p99 = null] = percentilesOf(counts, [0.5, 0.95, 0.99]);
  return { p50, p95, p99 };
}

/** Totals at the end of each of the latest seconds, and their increase. */
export class RecentTotals<Count extends string, Time extends string> {
  readonly #ends: Totals<Count, Time>[];

  /** @param start the totals now. */
  constructor(start: Totals<Count, Time>) {
    this.#ends = [start];
  }

  endSecond(totals: Totals<Count, Time>): void {
    this.#ends.push(totals);
    if (this.#ends.length > FIGURES_RECENT_S + 1) this.#ends.shift();
  }

  /** Over the latest seconds, `FIGURES_RECENT_S` at most. */
  over(seconds: number): Totals<Count, Time> {
    const now = this.#ends.at(-1);
    const before = this.#ends.at(-1 - seconds) ?? this.#ends[0];
    if (now === undefined || before === undefined) throw new RangeError('no second is stored');
    const times = forEachOf(keysOf(now.times), (time) => difference(now.times[time], before.times[time]));
    return { counts: forEachOf(keysOf(now.counts), (key) => now.counts[key] - before.counts[key]), times };
  }
}
