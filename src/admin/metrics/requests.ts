import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestNotes } from '../../http/observer.ts';
import { forEachOf, PREFIX, SECONDS_BUCKETS } from './naming.ts';

/** The answers that each route can give: their counts are there, as 0, before the first of them is. */
const STATUSES = {
  busca: [200, 400, 401, 405, 429, 500],
  decisao: [200, 304, 401, 404, 405, 429, 500, 504],
  cobertura: [200, 304, 405, 429, 500],
  nenhuma: [404, 429],
} as const satisfies Record<RequestNotes['route'], readonly number[]>;
const ROUTES = ['busca', 'decisao', 'cobertura', 'nenhuma'] as const;
const REFUSALS = ['ip', 'quota'] as const;

/** Requests of the public listener, by route and status, and what was refused before it cost anything. */
export class RequestMetrics {
  readonly #answers: Readonly<Record<RequestNotes['route'], Map<number, Counter.Internal>>>;
  readonly #durations: Readonly<Record<RequestNotes['route'], Histogram.Internal<string>>>;
  readonly #refusals: Readonly<Record<(typeof REFUSALS)[number], Counter.Internal>>;
  readonly #turnedAway: Counter;
  readonly #answerOf: (route: RequestNotes['route'], status: number) => Counter.Internal;

  constructor(registry: Registry) {
    const registers = [registry];
    const answers = new Counter({
      name: `${PREFIX}http_requests_total`,
      help: 'Requests answered, by route and HTTP status',
      labelNames: ['route', 'status'],
      registers,
    });
    const durations = new Histogram({
      name: `${PREFIX}http_request_duration_seconds`,
      help: 'Time from the arrival of a request to its answer, by route',
      labelNames: ['route'],
      buckets: SECONDS_BUCKETS,
      registers,
    });
    const refusals = new Counter({
      name: `${PREFIX}http_refusals_total`,
      help: 'Requests refused with 429, by the per-IP limit or by the quota of their key',
      labelNames: ['reason'],
      registers,
    });
    this.#turnedAway = new Counter({
      name: `${PREFIX}searches_turned_away_total`,
      help: 'Searches that were not begun because a base they need was congested',
      registers,
    });
    this.#answerOf = (route, status) => answers.labels(route, String(status));
    this.#answers = forEachOf(ROUTES, (route) => {
      for (const status of STATUSES[route]) answers.labels(route, String(status)).inc(0);
      return new Map(STATUSES[route].map((status) => [status, this.#answerOf(route, status)]));
    });
    this.#durations = forEachOf(ROUTES, (route) => {
      durations.zero({ route });
      return durations.labels(route);
    });
    this.#refusals = forEachOf(REFUSALS, (reason) => {
      refusals.labels(reason).inc(0);
      return refusals.labels(reason);
    });
  }

  observe({ route, startedAt, refusal }: RequestNotes, status: number): void {
    let answers = this.#answers[route].get(status);
    if (answers === undefined) {
      answers = this.#answerOf(route, status);
      this.#answers[route].set(status, answers);
    }
    answers.inc();
    this.#durations[route].observe((performance.now() - startedAt) / 1_000);
    if (refusal !== null) this.#refusals[refusal].inc();
  }

  turnedAway(): void {
    this.#turnedAway.inc();
  }
}
