import type * as Prom from 'prom-client';
import { SecondsHistogram } from './seconds-histogram.ts';
import { TallyCounter } from './tally-counter.ts';

/** The library, which is loaded at the first `GET /metrics`: it would take 22 ms of every start. */
export type PromClient = typeof Prom;

/** The metrics that count in plain numbers, from the start of the service and without the library. */
export class MetricSet {
  readonly #metrics: (TallyCounter | SecondsHistogram)[] = [];

  counter(options: ConstructorParameters<typeof TallyCounter>[0]): TallyCounter {
    return this.#add(new TallyCounter(options));
  }

  histogram(options: ConstructorParameters<typeof SecondsHistogram>[0]): SecondsHistogram {
    return this.#add(new SecondsHistogram(options));
  }

  register(client: PromClient, registry: Prom.Registry): void {
    for (const metric of this.#metrics) metric.register(client, registry);
  }

  #add<Metric extends TallyCounter | SecondsHistogram>(metric: Metric): Metric {
    this.#metrics.push(metric);
    return metric;
  }
}
