import type { Metric, Registry } from '@prometheus-io/client';
import { bug } from '../bug.ts';
import { BOUNDS_MS, bucketOf, BUCKETS, SHOWN_BOUNDS_MS, totalOf } from './histogram.ts';

export type { Registry };

type Labels = Readonly<Record<string, string>>;

/** The prefix of the service's metrics; `process_*` are Prometheus's standard names for any process. */
export const PREFIX = 'jurisprudencia_';

/** A line of Prometheus's text, in the library's form. */
export interface Line {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface Described {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
}

const VALUES_MAX = 20_000;
const MS_PER_S = 1_000;
/** For each bucket of the text except the last, how many of our buckets it holds. */
const SHOWN_ENDS = SHOWN_BOUNDS_MS.map((bound) => BOUNDS_MS.indexOf(bound) + 1);

/** A number that only increases. */
export class Tally {
  readonly #values: Float64Array;
  /** Its place among the numbers of the set. */
  readonly at: number;

  constructor(values: Float64Array, at: number) {
    this.#values = values;
    this.at = at;
  }

  add(count = 1): void {
    this.#values[this.at] = this.total + count;
  }

  get total(): number {
    return this.#values[this.at] ?? bug('no place of a tally');
  }
}

/** Durations in buckets. */
export class Durations {
  /** Per bucket, not cumulative. */
  readonly counts: Float64Array;
  /** The place of the first bucket among the numbers of the set. */
  readonly at: number;
  seconds = 0;

  constructor(values: Float64Array, at: number) {
    this.counts = values.subarray(at, at + BUCKETS);
    this.at = at;
  }

  /** @throws TypeError for a number that is not finite, which would spoil the sum permanently. */
  observe(ms: number): void {
    if (!Number.isFinite(ms)) throw new TypeError(`not a finite number: ${ms}`);
    const bucket = bucketOf(ms);
    this.counts[bucket] = (this.counts[bucket] ?? bug('no bucket')) + 1;
    this.seconds += ms / MS_PER_S;
  }
}

/**
 * Counters and histograms as numbers in a single array. Prometheus's text is
 * made from it when it is read: the library's own `inc` and `observe` create objects and a label text on every call,
 * which costs more than the work that they count.
 */
export class TallySet {
  readonly #values = new Float64Array(VALUES_MAX);
  #used = 0;
  readonly #register: ((registry: Registry) => void)[] = [];

  /** A number that only the console shows. */
  tally(): Tally {
    return new Tally(this.#values, this.#take(1));
  }

  /** @returns adds a series, shown by default even while it is 0. */
  counter(name: string, help: string): (labels?: Labels, isEmptyShown?: boolean) => Tally {
    const add = this.#metric('counter', PREFIX + name, help);
    return (labels = {}, isEmptyShown = true) => {
      const tally = this.tally();
      add(() => (isEmptyShown || tally.total > 0 ? [{ labels, value: tally.total }] : []));
      return tally;
    };
  }

  /** @returns adds a series. @param isEmptyShown whether to show it without durations. */
  histogram(name: string, help: string, isEmptyShown: boolean): (labels?: Labels) => Durations {
    const add = this.#metric('histogram', PREFIX + name, help);
    return (labels = {}) => {
      const durations = new Durations(this.#values, this.#take(BUCKETS));
      add(() => linesOf(PREFIX + name, labels, durations, isEmptyShown));
      return durations;
    };
  }

  /** All numbers now, each at its place. */
  copy(): Float64Array {
    return this.#values.slice(0, this.#used);
  }

  register(registry: Registry): void {
    for (const register of this.#register) register(registry);
  }

  #take(length: number): number {
    const at = this.#used;
    this.#used += length;
    if (this.#used > VALUES_MAX) throw new RangeError(`more than ${VALUES_MAX} numbers`);
    return at;
  }

  #metric(type: Described['type'], name: string, help: string): (lines: () => readonly Line[]) => void {
    const series: (() => readonly Line[])[] = [];
    this.#register.push((registry) => {
      addMetric(registry, { type, name, help }, () => series.flatMap((lines) => lines()));
    });
    return (lines) => {
      series.push(lines);
    };
  }
}

/** Adds a metric whose lines are made when the registry is read. */
function addMetric(registry: Registry, described: Described, lines: () => readonly Line[]): void {
  const get = () => ({ ...described, values: lines() });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a registry reads the name and `get` only
  registry.registerMetric({ ...described, get } as unknown as Metric);
}

/** Adds a metric that is read from its source: a counter if its name ends with `_total`, else a gauge. */
export function addRead(registry: Registry, name: string, help: string, lines: () => readonly Line[]): void {
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  addMetric(registry, { type, name, help }, lines);
}

/** A metric's only line, or none without a value. */
export function lineOf(labels: Line['labels'], value: number | null | undefined): readonly Line[] {
  return value === null || value === undefined ? [] : [{ labels, value }];
}

/** A series' lines: buckets, with the label `le` first, sum and count. */
function linesOf(
  name: string,
  labels: Labels,
  { counts, seconds }: Durations,
  isEmptyShown: boolean,
): readonly Line[] {
  const total = totalOf(counts);
  if (total === 0 && !isEmptyShown) return [];
  const bucket = (le: number | '+Inf', value: number) => ({
    metricName: `${name}_bucket`,
    labels: { le, ...labels },
    value,
  });
  return [
    ...SHOWN_BOUNDS_MS.map((bound, at) =>
      bucket(bound / MS_PER_S, totalOf(counts.subarray(0, SHOWN_ENDS[at]))),
    ),
    bucket('+Inf', total),
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
