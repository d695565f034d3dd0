import { forEachOf } from '../../contract/records.ts';
import type { RequestNotes } from '../../http/observer.ts';
import type { Histogram } from '../histogram.ts';
import type { MetricSet } from './metric-set.ts';
import { PREFIX } from './naming.ts';
import type { Tally } from './tally-counter.ts';

/** The statuses that each route can answer with: their counters exist, as 0, from the start. */
const STATUSES = {
  busca: [200, 400, 401, 405, 429, 500],
  decisao: [200, 304, 401, 404, 405, 429, 500, 504],
  cobertura: [200, 304, 405, 429, 500],
  nenhuma: [404, 429],
} as const satisfies Record<RequestNotes['route'], readonly number[]>;
const ROUTES = ['busca', 'decisao', 'cobertura', 'nenhuma'] as const;
const REFUSALS = ['ip', 'quota'] as const;

/** Requests of the public listener by route and status, and those refused before any work. */
export class RequestMetrics {
  readonly #answers: Readonly<Record<RequestNotes['route'], Map<number, Tally>>>;
  readonly #durations: Readonly<Record<RequestNotes['route'], Histogram>>;
  readonly #refusals: Readonly<Record<(typeof REFUSALS)[number], Tally>>;
  readonly #abandoned: Readonly<Record<RequestNotes['route'], Tally>>;
  readonly #rejected: Tally;
  readonly #incomplete: Tally;
  readonly #answerOf: (route: RequestNotes['route'], status: number) => Tally;

  constructor(metrics: MetricSet) {
    const answers = metrics.counter({
      name: `${PREFIX}http_requests_total`,
      help: 'Requests answered, by route and HTTP status',
      labelNames: ['route', 'status'],
    });
    const durations = metrics.histogram({
      name: `${PREFIX}http_request_duration_seconds`,
      help: 'Time from the arrival of a request to its answer, by route',
      isEmptyShown: true,
    });
    const refusals = metrics.counter({
      name: `${PREFIX}http_refusals_total`,
      help: 'Requests refused with 429, by the per-IP limit or by the quota of their key',
      labelNames: ['reason'],
    });
    const abandoned = metrics.counter({
      name: `${PREFIX}http_requests_abandoned_total`,
      help: 'Requests whose client left before the answer, by route; no other figure of requests has them',
      labelNames: ['route'],
    });
    this.#abandoned = forEachOf(ROUTES, (route) => abandoned.series({ route }));
    this.#rejected = metrics
      .counter({
        name: `${PREFIX}searches_rejected_total`,
        help: 'Searches that were not begun because a base they need was congested',
      })
      .series();
    this.#incomplete = metrics
      .counter({
        name: `${PREFIX}searches_incomplete_total`,
        help: 'Searches answered with 200 without the answer of some base that they needed, or of any',
      })
      .series();
    this.#answerOf = (route, status) => answers.series({ route, status: String(status) });
    this.#answers = forEachOf(
      ROUTES,
      (route) => new Map(STATUSES[route].map((status) => [status, this.#answerOf(route, status)])),
    );
    this.#durations = forEachOf(ROUTES, (route) => durations.series({ route }));
    this.#refusals = forEachOf(REFUSALS, (reason) => refusals.series({ reason }));
  }

  observe({ route, startedAt, refusal, isAbandoned, page }: RequestNotes, status: number): void {
    if (isAbandoned) {
      this.#abandoned[route].total += 1;
      return;
    }
    let answers = this.#answers[route].get(status);
    if (answers === undefined) {
      answers = this.#answerOf(route, status);
      this.#answers[route].set(status, answers);
    }
    answers.total += 1;
    this.#durations[route].observe((performance.now() - startedAt) / 1_000);
    if (status === 200 && page !== null && page.bases_sem_resposta.length > 0) this.#incomplete.total += 1;
    if (refusal !== null) this.#refusals[refusal].total += 1;
  }

  rejected(): void {
    this.#rejected.total += 1;
  }
}
