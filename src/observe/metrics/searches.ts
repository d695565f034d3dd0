import type { SearchPage } from '../../search/page.ts';
import { STEP_KINDS, type Step, type StepKind } from '../../engine/steps.ts';
import { FAILURES } from '../../engine/outcome.ts';
import { BASES, ORDENS, type Base, type Ordem } from '../../contract/vocabulary.ts';
import { forEachOf } from '../../contract/records.ts';
import type { RequestNotes } from '../../http/observer.ts';
import type { Histogram } from '../histogram.ts';
import type { MetricSet } from './metric-set.ts';
import { PREFIX } from './naming.ts';
import type { Tally } from './tally-counter.ts';

type Failure = (typeof FAILURES)[number];
type Result = 'ok' | Failure;
type ByBase<T> = Readonly<Record<Base, T>>;
type PorBase = SearchPage['por_base'][number];

const RESULTS: readonly Result[] = ['ok', ...FAILURES];

/** The work of each base for searches and record reads: the results that clients see, and each single request to it. */
export class BaseMetrics {
  readonly #searches: ByBase<Readonly<Record<Ordem, Readonly<Record<Result, Tally>>>>>;
  readonly #fallbacks: ByBase<Tally>;
  readonly #cacheHits: ByBase<Readonly<Record<StepKind, Tally>>>;
  readonly #failures: ByBase<Readonly<Record<StepKind, Readonly<Record<Failure, Tally>>>>>;
  readonly #abandoned: ByBase<Readonly<Record<StepKind, Tally>>>;
  readonly #queue: ByBase<Readonly<Record<StepKind, Histogram>>>;
  readonly #run: ByBase<Readonly<Record<StepKind, Histogram>>>;

  constructor(metrics: MetricSet) {
    const searches = metrics.counter({
      name: `${PREFIX}base_searches_total`,
      help: 'Searches that needed the base, by the order applied and by what came of it',
      labelNames: ['base', 'order', 'outcome'],
    });
    const fallbacks = metrics.counter({
      name: `${PREFIX}base_fallbacks_total`,
      help: 'Searches by relevance that the base was asked again by recency, for want of time',
      labelNames: ['base'],
    });
    const cacheHits = metrics.counter({
      name: `${PREFIX}base_result_cache_hits_total`,
      help: 'Replies from the result cache of the base, by kind',
      labelNames: ['base', 'kind'],
    });
    const failures = metrics.counter({
      name: `${PREFIX}base_failures_total`,
      help: 'Asks of the base that gave nothing, by kind; the failure deadline is a timeout',
      labelNames: ['base', 'kind', 'failure'],
    });
    const abandoned = metrics.counter({
      name: `${PREFIX}base_abandoned_total`,
      help: 'Asks of the base that nobody waited for any more, by kind; no other figure of asks has them',
      labelNames: ['base', 'kind'],
    });
    const times = (name: string, help: string) => {
      const histogram = metrics.histogram({
        name: `${PREFIX}${name}`,
        help,
        isEmptyShown: false,
      });
      return forEachOf(BASES, (base) => forEachOf(STEP_KINDS, (kind) => histogram.series({ base, kind })));
    };
    this.#searches = forEachOf(BASES, (base) =>
      forEachOf(ORDENS, (order) =>
        forEachOf(RESULTS, (outcome) => searches.series({ base, order, outcome })),
      ),
    );
    this.#fallbacks = forEachOf(BASES, (base) => fallbacks.series({ base }));
    this.#cacheHits = forEachOf(BASES, (base) =>
      forEachOf(STEP_KINDS, (kind) => cacheHits.series({ base, kind })),
    );
    this.#failures = forEachOf(BASES, (base) =>
      forEachOf(STEP_KINDS, (kind) =>
        forEachOf(FAILURES, (failure) => failures.series({ base, kind, failure })),
      ),
    );
    this.#abandoned = forEachOf(BASES, (base) =>
      forEachOf(STEP_KINDS, (kind) => abandoned.series({ base, kind })),
    );
    this.#queue = times('base_queue_seconds', 'Time that an ask spent in the queues of the base');
    this.#run = times(
      'base_run_seconds',
      'Time that an ask of the base spent with its threads, the way there and back included',
    );
  }

  /** Counts a request to a base as it ends; one that the result cache answered has neither waited nor run. */
  step({ base, kind, queueMs, runMs, cached, outcome }: Step): void {
    if (cached) {
      this.#cacheHits[base][kind].total += 1;
      return;
    }
    if (outcome === 'abandoned') {
      this.#abandoned[base][kind].total += 1;
      return;
    }
    this.#queue[base][kind].observe(queueMs / 1_000);
    // A request that never left the queue has no run time.
    if (runMs > 0) this.#run[base][kind].observe(runMs / 1_000);
    if (outcome !== 'ok' && outcome !== 'pending') this.#failures[base][kind][outcome].total += 1;
  }

  /** Counts a search as its client sees it; other requests have no page, and an abandoned one has no client. */
  observe({ page, steps, isAbandoned }: RequestNotes): void {
    if (page === null || isAbandoned) return;
    for (const answer of page.por_base) {
      const { base, ordem_aplicada } = answer;
      this.#searches[base][ordem_aplicada][resultOf(answer, page, steps)].total += 1;
      if (ordem_aplicada === 'recentes' && fellBack(base, steps)) this.#fallbacks[base].total += 1;
    }
  }
}

/** The last step of an unanswered base says why it did not answer; without a step, the search was rejected. */
function resultOf({ base }: PorBase, page: SearchPage, steps: readonly Step[]): Result {
  const silent = page.bases_sem_resposta.find((one) => one.base === base);
  if (silent === undefined) return 'ok';
  if (silent.tempo_esgotado) return 'deadline';
  const last = steps.findLast((step) => step.base === base);
  if (last === undefined) return 'overloaded';
  // Otherwise the base answered with rows that the page could not use.
  return FAILURES.find((failure) => failure === last.outcome) ?? 'unavailable';
}

function fellBack(base: Base, steps: readonly Step[]): boolean {
  return steps.some((step) => step.base === base && step.kind === 'relevancia');
}
