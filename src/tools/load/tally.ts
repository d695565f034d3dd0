import type { Ordem } from '../../contract/enums.ts';
import { serverTiming, type SearchEnd, type Timed } from './answer.ts';
import { BaseTally, type BaseTallyText } from './base-tally.ts';
import type { Sample } from './engine.ts';
import { Histogram, type HistogramText } from './histogram.ts';
import { KINDS, type Kind } from './mix.ts';
import { isWait, type Outcome } from './outcome.ts';

const COUNTS = [
  'due',
  'complete',
  'incomplete',
  'turned_away',
  'interrupted',
  'connection_waits',
  /** Answers of which the service says whether they came from its result cache, and those that did. */
  'cache_told',
  'cache_hits',
] as const;
type Count = (typeof COUNTS)[number];

/** A request that waited longer for a connection met none that was free. */
const CONNECTION_WAIT_MS = 1;
/** Names of errors that are told apart; a service cannot fill the memory with new ones. */
const ERROR_NAMES_MAX = 40;
const PERCENT = 100;

interface Slot {
  due: number;
  complete: number;
  failed: number;
  readonly latency: Histogram;
}

/** A tally as text and numbers, to go from a thread to another. */
export interface TallyText {
  readonly counts: Readonly<Record<Count, number>>;
  readonly errors: readonly (readonly [string, number])[];
  readonly histograms: Readonly<Record<string, HistogramText>>;
  readonly bases: readonly (readonly [string, BaseTallyText])[];
  readonly slots: readonly {
    readonly due: number;
    readonly complete: number;
    readonly failed: number;
    readonly latency: HistogramText;
  }[];
}

/** All that is counted of one step. Nothing of a request is kept but what it adds here. */
export class Tally {
  readonly counts: Record<Count, number>;
  readonly errors = new Map<string, number>();
  readonly bases = new Map<string, BaseTally>();
  readonly slots: Slot[] = [];
  readonly histograms = {
    all: new Histogram(),
    search: new Histogram(),
    page: new Histogram(),
    record: new Histogram(),
    /** From the real start of a request to its end. */
    service: new Histogram(),
    /** From when a request was due to when the generator came to it. */
    lateness: new Histogram(),
    /** Of each search's time, what its slowest base took, percent. */
    slowestShare: new Histogram(),
  } satisfies Record<Kind, Histogram> & Record<string, Histogram>;
  readonly #slotMs: number;
  readonly #isRelevance: boolean;

  /** @param ordem what the searches ask for. */
  constructor(slotMs: number, ordem: Ordem) {
    this.#slotMs = slotMs;
    this.#isRelevance = ordem === 'relevancia';
    this.counts = {
      due: 0,
      complete: 0,
      incomplete: 0,
      turned_away: 0,
      interrupted: 0,
      connection_waits: 0,
      cache_told: 0,
      cache_hits: 0,
    };
  }

  /** @param dueMs since the warm-up's end. */
  record(sample: Sample, outcome: Outcome, dueMs: number): void {
    this.counts.due += 1;
    this.histograms.lateness.record(sample.pickedAt - sample.dueAt);
    if (sample.sentAt - sample.pickedAt > CONNECTION_WAIT_MS) this.counts.connection_waits += 1;
    if (outcome.is === 'error') this.#countError(outcome.error);
    else this.counts[outcome.is] += 1;
    this.#recordTime(sample, outcome, this.#slotAt(dueMs));
    if (outcome.is !== 'complete' && outcome.is !== 'incomplete') return;
    if (typeof sample.result === 'string') return;
    const timing = serverTiming(sample.result);
    this.#countCached(timing);
    if (outcome.end !== null) this.#recordBases(sample, outcome.end, timing);
  }

  /** Takes in what another thread has counted of the same step. */
  add(text: TallyText): void {
    for (const count of COUNTS) this.counts[count] += text.counts[count];
    for (const [name, count] of text.errors) this.#countError(name, count);
    for (const [name, histogram] of Object.entries(this.histograms)) {
      histogram.add(text.histograms[name] ?? new Histogram().toText());
    }
    for (const [base, tally] of text.bases) this.#base(base).add(tally);
    for (const [at, { due, complete, failed, latency }] of text.slots.entries()) {
      const slot = this.#slotAt(at * this.#slotMs);
      slot.due += due;
      slot.complete += complete;
      slot.failed += failed;
      slot.latency.add(latency);
    }
  }

  toText(): TallyText {
    return {
      counts: this.counts,
      errors: [...this.errors],
      histograms: Object.fromEntries(
        Object.entries(this.histograms).map(([name, histogram]) => [name, histogram.toText()]),
      ),
      bases: [...this.bases].map(([base, tally]) => [base, tally.toText()]),
      slots: this.slots.map((slot) => ({ ...slot, latency: slot.latency.toText() })),
    };
  }

  #recordTime({ ask, dueAt, sentAt, endedAt, result }: Sample, outcome: Outcome, slot: Slot): void {
    slot.due += 1;
    if (outcome.is === 'complete') slot.complete += 1;
    else if (outcome.is !== 'interrupted') slot.failed += 1;
    if (!isWait(outcome)) return;
    const latency = endedAt - dueAt;
    this.histograms.all.record(latency);
    this.histograms[ask.kind].record(latency);
    slot.latency.record(latency);
    if (typeof result !== 'string') this.histograms.service.record(endedAt - sentAt);
  }

  /** An answer came from the result cache when all that its bases gave did. */
  #countCached(timing: ReadonlyMap<string, Timed>): void {
    const told = [...timing.values()].filter(({ cached }) => cached !== null);
    if (told.length === 0) return;
    this.counts.cache_told += 1;
    if (told.every(({ cached }) => cached)) this.counts.cache_hits += 1;
  }

  #recordBases({ ask, sentAt, endedAt }: Sample, end: SearchEnd, timing: ReadonlyMap<string, Timed>): void {
    const missing = new Map(end.bases_sem_resposta.map((one) => [one.base, one.tempo_esgotado]));
    let slowest: BaseTally[] = [];
    let slowestMs = -1;
    for (const entry of end.por_base) {
      const timed = timing.get(entry.base);
      const ms = timed?.ms ?? entry.ms;
      const tally = this.#base(entry.base);
      tally.record(entry, ms, {
        isFirstPage: ask.kind === 'search',
        isRelevance: this.#isRelevance,
        timeRanOut: missing.get(entry.base),
        cached: timed?.cached ?? null,
      });
      if (ms > slowestMs) slowest = [];
      if (ms >= slowestMs) slowest.push(tally);
      slowestMs = Math.max(ms, slowestMs);
    }
    if (slowest.length === 0) return;
    // Whole milliseconds tie often: each of the tied has its part, or the first in order would have all.
    for (const tally of slowest) tally.slowest += 1 / slowest.length;
    const share = Math.min(1, slowestMs / Math.max(endedAt - sentAt, Number.EPSILON));
    this.histograms.slowestShare.record(share * PERCENT);
  }

  #base(name: string): BaseTally {
    const known = this.bases.get(name);
    if (known !== undefined) return known;
    const tally = new BaseTally();
    this.bases.set(name, tally);
    return tally;
  }

  #slotAt(dueMs: number): Slot {
    const at = Math.floor(dueMs / this.#slotMs);
    while (this.slots.length <= at) {
      this.slots.push({ due: 0, complete: 0, failed: 0, latency: new Histogram(2) });
    }
    const slot = this.slots[at];
    if (slot === undefined) throw new Error(`no slot ${at}`);
    return slot;
  }

  #countError(name: string, count = 1): void {
    const isKept = this.errors.has(name) || this.errors.size < ERROR_NAMES_MAX;
    const kept = isKept ? name : 'others';
    this.errors.set(kept, (this.errors.get(kept) ?? 0) + count);
  }
}

/** The kinds of request by which latencies are told apart. */
export const LATENCY_KINDS = ['all', ...KINDS] as const;
