import type { Histogram as PromHistogram, Registry } from 'prom-client';
import { Histogram } from '../histogram.ts';
import { SECONDS_BUCKETS } from './naming.ts';

interface Options {
  readonly name: string;
  readonly help: string;
  /** True if a series without durations is in the text. */
  readonly isEmptyShown: boolean;
}

type Labels = Readonly<Record<string, string>>;

/** One line of the text. */
interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const BOUNDS = Float64Array.from(SECONDS_BUCKETS);

/**
 * A histogram whose series are plain numbers until it is read: prom-client's own `observe` makes objects and a text
 * of the labels each time, which costs more than what it times.
 */
export class SecondsHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #isEmptyShown: boolean;
  readonly #series: { readonly labels: Labels; readonly histogram: Histogram }[] = [];

  constructor({ name, help, isEmptyShown }: Options) {
    this.name = name;
    this.help = help;
    this.#isEmptyShown = isEmptyShown;
  }

  register(_: unknown, registry: Registry): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a registry reads name, help, type and `get` only
    registry.registerMetric(this as unknown as PromHistogram);
  }

  /** Adds a series, whose durations are in seconds. The caller keeps it. */
  series(labels: Labels = {}): Histogram {
    const histogram = new Histogram(BOUNDS);
    this.#series.push({ labels, histogram });
    return histogram;
  }

  /** The values in prom-client's form: for each series its buckets, `le` first among the labels, its sum and count. */
  get(): Pick<SecondsHistogram, 'name' | 'help' | 'type'> & { readonly values: readonly Value[] } {
    const { name, help, type } = this;
    return {
      name,
      help,
      type,
      values: this.#series.flatMap(({ labels, histogram }) => this.#valuesOf(labels, histogram)),
    };
  }

  #valuesOf(labels: Labels, { counts, sum, total }: Histogram): Value[] {
    if (total === 0 && !this.#isEmptyShown) return [];
    let count = 0;
    const buckets = Array.from(counts, (inBucket, bucket) => {
      count += inBucket;
      const le = SECONDS_BUCKETS[bucket] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}
