import type * as Prom from 'prom-client';

/** One series of a counter. Callers add to its total, which never falls. */
export interface Tally {
  total: number;
}

/**
 * A counter whose series are plain numbers until they are read: prom-client's own `inc` makes a text of the labels each
 * time, which costs more than what it counts.
 */
export class TallyCounter {
  readonly #options: Pick<Prom.CounterConfiguration<string>, 'name' | 'help' | 'labelNames'>;
  readonly #series: { readonly labels: Readonly<Record<string, string>>; readonly tally: Tally }[] = [];

  constructor(options: Pick<Prom.CounterConfiguration<string>, 'name' | 'help' | 'labelNames'>) {
    this.#options = options;
  }

  /** Adds a series, which starts at 0. The caller keeps it. */
  series(labels: Readonly<Record<string, string>> = {}): Tally {
    const tally = { total: 0 };
    this.#series.push({ labels, tally });
    return tally;
  }

  register({ Counter }: Pick<typeof Prom, 'Counter'>, registry: Prom.Registry): void {
    const counter = new Counter({
      ...this.#options,
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const { labels, tally } of this.#series) counter.inc(labels, tally.total);
      },
    });
  }
}
