import type { Histogram, Registry } from 'prom-client';
import { SECONDS_BUCKETS } from './naming.ts';

interface Options {
  readonly name: string;
  readonly help: string;
  /** Whether a series is in the text before it has its first duration. */
  readonly isEmptyShown: boolean;
}

type Labels = Readonly<Record<string, string>>;

/** One line of the text: a value with its own name and labels. */
interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const BOUNDS = Float64Array.of(...SECONDS_BUCKETS, Infinity);

/** One series of a histogram: its durations in seconds, counted in `SECONDS_BUCKETS` and one bucket above them all. */
export class SecondsSeries {
  /** Of each bucket by itself; Prometheus has each with all that are below it. */
  readonly counts = new Float64Array(BOUNDS.length);
  sum = 0;
  readonly labels: Labels;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  /** @throws TypeError where `seconds` is no finite number, which would spoil the sum for good. */
  observe(seconds: number): void {
    if (!Number.isFinite(seconds)) throw new TypeError(`no duration: ${seconds}`);
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

/**
 * A histogram whose series are plain numbers until it is read: prom-client's own `observe` makes objects and a text
 * of the labels each time, which costs more than what it times.
 */
export class SecondsHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #isEmptyShown: boolean;
  readonly #series: SecondsSeries[] = [];

  constructor(registry: Registry, { name, help, isEmptyShown }: Options) {
    this.name = name;
    this.help = help;
    this.#isEmptyShown = isEmptyShown;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a registry reads name, help, type and `get` only
    registry.registerMetric(this as unknown as Histogram);
  }

  /** Adds a series. To be asked for once and kept. */
  series(labels: Labels = {}): SecondsSeries {
    const series = new SecondsSeries(labels);
    this.#series.push(series);
    return series;
  }

  /** What prom-client makes its text of: of each series its buckets, `le` first among the labels, its sum and count. */
  get(): Pick<SecondsHistogram, 'name' | 'help' | 'type'> & { readonly values: readonly Value[] } {
    const { name, help, type } = this;
    return { name, help, type, values: this.#series.flatMap((series) => this.#valuesOf(series)) };
  }

  #valuesOf({ labels, counts, sum }: SecondsSeries): Value[] {
    let count = 0;
    const buckets = Array.from(counts, (inBucket, bucket) => {
      count += inBucket;
      const le = SECONDS_BUCKETS[bucket] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
    });
    if (count === 0 && !this.#isEmptyShown) return [];
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
