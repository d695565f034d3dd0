import { addCounts } from '../../contract/records.ts';
import type { SearchEnd } from './answer.ts';
import { Histogram, type HistogramText } from './histogram.ts';

type PorBase = SearchEnd['por_base'][number];

export const BASE_COUNTS = {
  first_pages: 0,
  /** First pages by recency although relevance was requested. */
  fallbacks: 0,
  /** No answer within the base's windows. */
  timed_out: 0,
  /** No answer because the base failed or was overloaded. */
  failed: 0,
  /** First pages without the count of matches. */
  no_count: 0,
  /** Searches in which this base was the slowest. Several equally slow bases share one search. */
  slowest: 0,
  /** Answers with known cache status, and those from the result cache. */
  cache_reported: 0,
  cache_hits: 0,
};
/** Orders with separate histograms. */
const ORDERS_MAX = 8;

export interface BaseTallyText {
  readonly counts: Readonly<typeof BASE_COUNTS>;
  readonly latency: HistogramText;
  readonly byOrder: readonly (readonly [string, HistogramText])[];
}

/** A base's counts over a step's searches. The service reports the times. */
export class BaseTally {
  readonly counts = { ...BASE_COUNTS };
  /** Times of answers, and of waits that ended without an answer. */
  readonly latency = new Histogram();
  /** Times of answers, by the order applied. */
  readonly byOrder = new Map<string, Histogram>();

  /** @param timeRanOut undefined if the base answered. */
  record(
    entry: PorBase,
    ms: number,
    about: {
      readonly isFirstPage: boolean;
      readonly timeRanOut: boolean | undefined;
      readonly isRelevance: boolean;
      readonly cached: boolean | null;
    },
  ): void {
    const { isFirstPage, timeRanOut, isRelevance, cached } = about;
    if (isFirstPage) this.counts.first_pages += 1;
    if (timeRanOut === false) {
      // A rejection is fast and would improve the base's figures.
      this.counts.failed += 1;
      return;
    }
    this.latency.record(ms);
    if (timeRanOut === true) {
      this.counts.timed_out += 1;
      return;
    }
    if (cached !== null) this.counts.cache_reported += 1;
    if (cached === true) this.counts.cache_hits += 1;
    this.#ofOrder(entry.ordem_aplicada).record(ms);
    if (!isFirstPage) return;
    if (entry.encontrados_ate_1000 === undefined) this.counts.no_count += 1;
    if (isRelevance && entry.ordem_aplicada === 'recentes') this.counts.fallbacks += 1;
  }

  add({ counts, latency, byOrder }: BaseTallyText): void {
    addCounts(this.counts, counts);
    this.latency.add(latency);
    for (const [ordem, histogram] of byOrder) this.#ofOrder(ordem).add(histogram);
  }

  toText(): BaseTallyText {
    return {
      counts: this.counts,
      latency: this.latency.toText(),
      byOrder: [...this.byOrder].map(([ordem, histogram]) => [ordem, histogram.toText()]),
    };
  }

  #ofOrder(ordem: string): Histogram {
    const isKept = this.byOrder.has(ordem) || this.byOrder.size < ORDERS_MAX;
    return this.byOrder.getOrInsertComputed(isKept ? ordem : 'others', () => new Histogram());
  }
}
