import { STATUS_CODES } from 'node:http';
import { forEachOf } from '../contract/records.ts';
import { BASES, ORDENS, type Base } from '../contract/vocabulary.ts';
import { FAILURES } from '../engine/outcome.ts';
import { STEP_KINDS, type Step, type StepKind } from '../engine/steps.ts';
import type { RequestNotes } from '../http/observer.ts';
import { NOTHING_REASONS, whyNothing } from '../search/nothing.ts';
import type { SearchPage } from '../search/page.ts';
import { TallySet, type Durations, type Tally } from './tally-set.ts';

type Route = RequestNotes['route'];
type PorBase = SearchPage['por_base'][number];

/** The statuses that each route can answer with: they are in `/metrics`, as 0, from the start. */
const STATUSES: Readonly<Record<Route, readonly number[]>> = {
  busca: [200, 304, 400, 401, 405, 429, 500],
  decisao: [200, 304, 401, 404, 405, 429, 500, 504],
  cobertura: [200, 304, 405, 429, 500],
  nenhuma: [404, 429],
};
const ROUTES = ['busca', 'decisao', 'cobertura', 'nenhuma'] as const;
const REFUSALS = ['ip', 'quota'] as const;
const RESULTS = ['ok', ...FAILURES] as const;

/** What each metric says of itself in `/metrics`. */
const HELP = {
  event_loop_delay_seconds: 'How late timers of the main thread run, looked at twenty times a second',
  http_refusals_total: 'Requests refused with 429, by the per-IP limit or by the quota of their key',
  http_requests_abandoned_total:
    'Requests whose client left before the answer, by route; no other figure of requests has them',
  searches_rejected_total: 'Searches that were not begun because a base they need was congested',
  result_cache_hits_total: 'Searches and records answered from the cache, or with 304, without asking a base',
  searches_incomplete_total:
    'Searches answered with 200 without the answer of some base that they needed, or of any',
  searches_without_results_total: 'Searches that found nothing, by reason',
  http_requests_total: 'Requests answered, by route and HTTP status',
  http_request_duration_seconds: 'Time from the arrival of a request to its answer, by route',
  base_queue_seconds: 'Time that an ask spent in the queues of the base',
  base_run_seconds: 'Time that an ask of the base spent with its threads, the way there and back included',
  base_searches_total: 'Searches that needed the base, by the order applied and by what came of it',
  base_fallbacks_total: 'Searches by relevance that the base was asked again by recency, for want of time',
  base_failures_total: 'Asks of the base that gave nothing, by kind; the failure deadline is a timeout',
  base_abandoned_total:
    'Asks of the base that nobody waited for any more, by kind; no other figure of asks has them',
};

/** Counts since the start, each answer or ask once as it ends: `/metrics` shows the sums, the console how they rise by second. */
export class Tallies {
  readonly set = new TallySet();
  /** Answers by route and status, and how long they took from the arrival of the request. */
  readonly answers: Readonly<Record<Route, ReadonlyMap<number, Tally>>>;
  readonly durations: Readonly<Record<Route, Durations>>;
  readonly bases: Readonly<Record<Base, BaseTallies>>;
  readonly incomplete: Tally;
  readonly rejected: Tally;
  /** Searches and records that needed a base, and how many of these came from the cache, or the client had them already. */
  readonly byBases = this.set.tally();
  readonly fromCache: Tally;
  readonly loopDelay: Durations;
  readonly #nothing: Readonly<Record<(typeof NOTHING_REASONS)[number], Tally>>;
  readonly #refusals: Readonly<Record<(typeof REFUSALS)[number], Tally>>;
  readonly #abandoned: Readonly<Record<Route, Tally>>;

  constructor() {
    const { set } = this;
    this.loopDelay = set.histogram('event_loop_delay_seconds', HELP.event_loop_delay_seconds, true)();
    this.answers = answersIn(set);
    this.durations = durationsIn(set);
    const refusals = set.counter('http_refusals_total', HELP.http_refusals_total);
    this.#refusals = forEachOf(REFUSALS, (reason) => refusals({ reason }));
    const abandoned = set.counter('http_requests_abandoned_total', HELP.http_requests_abandoned_total);
    this.#abandoned = forEachOf(ROUTES, (route) => abandoned({ route }));
    this.rejected = set.counter('searches_rejected_total', HELP.searches_rejected_total)();
    this.fromCache = set.counter('result_cache_hits_total', HELP.result_cache_hits_total)();
    this.incomplete = set.counter('searches_incomplete_total', HELP.searches_incomplete_total)();
    const nothing = set.counter('searches_without_results_total', HELP.searches_without_results_total);
    this.#nothing = forEachOf(NOTHING_REASONS, (reason) => nothing({ reason }));
    this.bases = basesIn(set);
  }

  /** Counts an ask of a base as it ends. */
  step({ base, kind, queueMs, runMs, outcome }: Step): void {
    const { abandoned, queue, run, failures } = this.bases[base];
    // Nobody waited for it, so its duration means nothing.
    if (outcome === 'abandoned') abandoned[kind].add();
    else {
      queue[kind].observe(queueMs);
      // A request that never left the queue has not run.
      if (runMs > 0) run[kind].observe(runMs);
      if (outcome !== 'ok' && outcome !== 'pending') failures[kind][outcome].add();
    }
  }

  /** Counts an answer of the public listener. @param ms from the arrival of the request. */
  answer(
    { route, refusal, isAbandoned, isKept, pedido, page, steps }: RequestNotes,
    status: number,
    ms: number,
  ): void {
    if (isAbandoned) {
      this.#abandoned[route].add();
      return;
    }
    this.answers[route].get(status)?.add();
    this.durations[route].observe(ms);
    if (refusal !== null) this.#refusals[refusal].add();
    if (steps.length > 0 || isKept) this.byBases.add();
    if (isKept) this.fromCache.add();
    if (page === null) return;
    const reason = whyNothing(pedido, page);
    if (reason !== null) this.#nothing[reason].add();
    this.#search(page, steps, status);
  }

  /** Counts a search as its client sees it. */
  #search(page: SearchPage, steps: readonly Step[], status: number): void {
    if (status === 200 && page.bases_sem_resposta.length > 0) this.incomplete.add();
    for (const answer of page.por_base) {
      const { base, ordem_aplicada } = answer;
      const tallies = this.bases[base];
      const last = steps.findLast((step) => step.base === base);
      const result = resultOf(answer, page, last);
      tallies.searches[ordem_aplicada][result].add();
      if (result !== 'ok' && last === undefined) tallies.notAsked.add();
      if (ordem_aplicada !== 'recentes' || !fellBack(base, steps)) continue;
      tallies.fallbacks.add();
      if (result === 'ok') tallies.answeredFallbacks.add();
    }
  }
}

/** An unanswered base's last step has the reason; without a step, the search was rejected. */
function resultOf({ base }: PorBase, page: SearchPage, last: Step | undefined): (typeof RESULTS)[number] {
  const silent = page.bases_sem_resposta.find((one) => one.base === base);
  if (silent === undefined) return 'ok';
  if (silent.tempo_esgotado) return 'deadline';
  if (last === undefined) return 'overloaded';
  // Otherwise the base returned rows that the page could not use.
  return FAILURES.find((failure) => failure === last.outcome) ?? 'unavailable';
}

function fellBack(base: Base, steps: readonly Step[]): boolean {
  return steps.some((step) => step.base === base && step.kind === 'relevancia');
}

function answersIn(set: TallySet) {
  const answers = set.counter('http_requests_total', HELP.http_requests_total);
  // Every status, so that all processes have the same array layout.
  const statuses = Object.keys(STATUS_CODES).map(Number);
  return forEachOf(
    ROUTES,
    (route) =>
      new Map(
        [...STATUSES[route], ...statuses.filter((status) => !STATUSES[route].includes(status))].map(
          (status) => [status, answers({ route, status: String(status) }, STATUSES[route].includes(status))],
        ),
      ),
  );
}

function durationsIn(set: TallySet) {
  const durations = set.histogram('http_request_duration_seconds', HELP.http_request_duration_seconds, true);
  return forEachOf(ROUTES, (route) => durations({ route }));
}

const ofKinds = <V>(of: (kind: StepKind) => V) => forEachOf(STEP_KINDS, of);

export type BaseTallies = ReturnType<typeof basesIn>[Base];

/** A base's work for searches and record reads: results that clients see, and asks. */
function basesIn(set: TallySet) {
  const searches = set.counter('base_searches_total', HELP.base_searches_total);
  const fallbacks = set.counter('base_fallbacks_total', HELP.base_fallbacks_total);
  const failures = set.counter('base_failures_total', HELP.base_failures_total);
  const abandoned = set.counter('base_abandoned_total', HELP.base_abandoned_total);
  const queue = set.histogram('base_queue_seconds', HELP.base_queue_seconds, false);
  const run = set.histogram('base_run_seconds', HELP.base_run_seconds, false);
  return forEachOf(BASES, (base) => ({
    searches: forEachOf(ORDENS, (order) =>
      forEachOf(RESULTS, (outcome) => searches({ base, order, outcome })),
    ),
    fallbacks: fallbacks({ base }),
    /** The number that the base answered by recency. */
    answeredFallbacks: set.tally(),
    /** Searches that were rejected before the base was asked. */
    notAsked: set.tally(),
    failures: ofKinds((kind) => forEachOf(FAILURES, (failure) => failures({ base, kind, failure }))),
    abandoned: ofKinds((kind) => abandoned({ base, kind })),
    queue: ofKinds((kind) => queue({ base, kind })),
    run: ofKinds((kind) => run({ base, kind })),
  }));
}
