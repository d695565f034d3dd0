import type { CounterConfiguration, Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';

/** One series of a counter. Whoever counts adds to its total, which never falls. */
export interface Tally {
  total: number;
}

/**
 * A counter whose series are plain numbers, handed to prom-client when it is read: its own `inc` makes a text of the
 * labels each time, which costs more than what it counts.
 */
export class TallyCounter {
  readonly #series: { readonly labels: Readonly<Record<string, string>>; readonly tally: Tally }[] = [];

  constructor(
    registry: Registry,
    options: Pick<CounterConfiguration<string>, 'name' | 'help' | 'labelNames'>,
  ) {
    const counter = new Counter({
      ...options,
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const { labels, tally } of this.#series) counter.inc(labels, tally.total);
      },
    });
  }

  /** Adds a series, which is there from now on, as 0. To be asked for once and kept. */
  series(labels: Readonly<Record<string, string>> = {}): Tally {
    const tally = { total: 0 };
    this.#series.push({ labels, tally });
    return tally;
  }
}
