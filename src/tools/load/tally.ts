import type { Ordem } from '../../contract/vocabulary.ts';
import { serverTiming, isWait, type SearchEnd, type Timed, type Outcome } from './answer.ts';
import type { Ended } from './engine.ts';
import { Histogram } from './histogram.ts';
import type { Reply } from './http-client.ts';
import type { Kind, LoadAsk } from './plan.ts';

/** A request and its result. */
export type Sample = Ended<LoadAsk, Reply>;

export const STEP_COUNTS = {
  due: 0,
  complete: 0,
  incomplete: 0,
  rejected: 0,
  interrupted: 0,
  gone: 0,
  connection_waits: 0,
  /** Answers with known cache status, and how many came from the result cache. */
  cache_reported: 0,
  cache_hits: 0,
};

/** Distinct names of errors. The limit bounds the memory. */
const ERROR_NAMES_MAX = 40;
const PERCENT = 100;

export const BATCH_COUNTS = { ended: 0, complete: 0 };
/** The requests due in some seconds, which comparisons take together. */
interface Batch {
  readonly counts: typeof BATCH_COUNTS;
  readonly latency: Histogram;
}

export const BASE_COUNTS = {
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
};
/** A base's counts over a step's searches. The service reports the times. */
export interface BaseTally {
  readonly counts: typeof BASE_COUNTS;
  /** Times of answers, and of waits that ended without an answer. */
  readonly latency: Histogram;
}

/** A step's counts. Requests are not kept. */
export class Tally {
  readonly counts = { ...STEP_COUNTS };
  readonly errors = new Map<string, number>();
  readonly bases = new Map<string, BaseTally>();
  /** By their place in the measured time of all passes. */
  readonly batches = new Map<number, Batch>();
  readonly histograms = {
    all: new Histogram(),
    search: new Histogram(),
    page: new Histogram(),
    record: new Histogram(),
    /** From the real start of a request to its end. */
    service: new Histogram(),
    /** From the time a request was due until the generator handled it. */
    lateness: new Histogram(),
    /** The slowest base's percentage of a search's time. */
    slowestShare: new Histogram(),
  } satisfies Record<Kind, Histogram> & Record<string, Histogram>;
  readonly batchMs: number;
  readonly #isRelevance: boolean;

  /** @param ordem the requested order. */
  constructor(batchMs: number, ordem: Ordem) {
    this.batchMs = batchMs;
    this.#isRelevance = ordem === 'relevancia';
  }

  /** @param dueMs in the measured time of all passes. */
  record(sample: Sample, outcome: Outcome, dueMs: number): void {
    this.counts.due += 1;
    this.histograms.lateness.record(sample.pickedAt - sample.dueAt);
    if (sample.foundNoConnection) this.counts.connection_waits += 1;
    if (outcome.is === 'error') this.#countError(outcome.error);
    else this.counts[outcome.is] += 1;
    this.#recordTime(sample, outcome, this.#batchAt(Math.floor(dueMs / this.batchMs)));
    if (outcome.is !== 'complete' && outcome.is !== 'incomplete') return;
    if (typeof sample.result === 'string') return;
    const timing = serverTiming(sample.result);
    this.#countCached(timing);
    if (outcome.end !== null) this.#recordBases(sample, outcome.end, timing);
  }

  #recordTime(
    { ask, dueAt, sentAt, endedAt, result }: Sample,
    outcome: Outcome,
    { counts, latency: batch }: Batch,
  ): void {
    if (outcome.is !== 'interrupted' && outcome.is !== 'gone') counts.ended += 1;
    if (outcome.is === 'complete') counts.complete += 1;
    if (!isWait(outcome)) return;
    const latency = endedAt - dueAt;
    this.histograms.all.record(latency);
    this.histograms[ask.kind].record(latency);
    batch.record(latency);
    if (typeof result !== 'string') this.histograms.service.record(endedAt - sentAt);
  }

  /** An answer counts as cached if all bases answered from the result cache. */
  #countCached(timing: ReadonlyMap<string, Timed>): void {
    const known = [...timing.values()].filter(({ cached }) => cached !== null);
    if (known.length === 0) return;
    this.counts.cache_reported += 1;
    if (known.every(({ cached }) => cached)) this.counts.cache_hits += 1;
  }

  #recordBases({ ask, sentAt, endedAt }: Sample, end: SearchEnd, timing: ReadonlyMap<string, Timed>): void {
    const missing = new Map(end.bases_sem_resposta.map((one) => [one.base, one.tempo_esgotado]));
    let slowest: BaseTally[] = [];
    let slowestMs = -1;
    for (const entry of end.por_base) {
      const ms = timing.get(entry.base)?.ms ?? entry.ms;
      const tally = this.#base(entry.base);
      const timeRanOut = missing.get(entry.base);
      // A rejection is fast and would improve the base's figures.
      if (timeRanOut === false) tally.counts.failed += 1;
      else tally.latency.record(ms);
      if (timeRanOut === true) tally.counts.timed_out += 1;
      if (timeRanOut === undefined && ask.kind === 'search') this.#countFirstPage(tally, entry);
      if (ms > slowestMs) slowest = [];
      if (ms >= slowestMs) slowest.push(tally);
      slowestMs = Math.max(ms, slowestMs);
    }
    if (slowest.length === 0) return;
    // Whole milliseconds are often equal. Equal bases share the count, or the first one would get all.
    for (const tally of slowest) tally.counts.slowest += 1 / slowest.length;
    const share = Math.min(1, slowestMs / Math.max(endedAt - sentAt, Number.EPSILON));
    this.histograms.slowestShare.record(share * PERCENT);
  }

  #countFirstPage({ counts }: BaseTally, entry: SearchEnd['por_base'][number]): void {
    if (entry.encontrados_ate_1000 === undefined) counts.no_count += 1;
    if (this.#isRelevance && entry.ordem_aplicada === 'recentes') counts.fallbacks += 1;
  }

  #base(name: string): BaseTally {
    return this.bases.getOrInsertComputed(name, () => ({
      counts: { ...BASE_COUNTS },
      latency: new Histogram(),
    }));
  }

  #batchAt(at: number): Batch {
    return this.batches.getOrInsertComputed(at, () => ({
      counts: { ...BATCH_COUNTS },
      latency: new Histogram(2),
    }));
  }

  #countError(name: string): void {
    const isKept = this.errors.has(name) || this.errors.size < ERROR_NAMES_MAX;
    const key = isKept ? name : 'others';
    this.errors.set(key, (this.errors.get(key) ?? 0) + 1);
  }
}
