import type { Step } from '../../engine/steps.ts';
import type { SearchPage } from '../../search/page.ts';
import { addCounts, keysOf } from '../../contract/records.ts';
import type { Base, Ordem } from '../../contract/vocabulary.ts';
import type { Pedido } from '../../query/parameters.ts';

/** What is counted of a base. */
const ZERO = {
  /** Replies from the result cache. */
  guardadas: 0,
  /** Searches of users by the order that was applied; `recuos` counts those that asked for relevance and got recency. */
  relevancia: 0,
  recentes: 0,
  recuos: 0,
  /**
   * Requests that ran out of time, that a full queue refused, and that failed. A search that was rejected before any
   * request counts as refused for each of its bases.
   */
  tempo_esgotado: 0,
  recusados: 0,
  falhas: 0,
};
export type Counts = Readonly<typeof ZERO>;
export const COUNTS = keysOf<keyof Counts>(ZERO);

/** Where durations are noted down, milliseconds. */
export interface Durations {
  observe(ms: number): void;
}

/** Counts what one base did, until somebody takes the counts. */
export class BaseCounts<D extends Durations = Durations> {
  readonly queue: D;
  readonly run: D;
  #counts = { ...ZERO };

  constructor(queue: D, run: D) {
    this.queue = queue;
    this.run = run;
  }

  noteStep({ queueMs, runMs, cached, outcome }: Step): void {
    if (cached) {
      this.#counts.guardadas += 1;
      return;
    }
    // Nobody waited for it: how long it took tells nothing of the base.
    if (outcome === 'abandoned') return;
    this.queue.observe(queueMs);
    // What never left the queue has not run.
    if (runMs > 0) this.run.observe(runMs);
    if (outcome === 'deadline') this.#counts.tempo_esgotado += 1;
    else if (outcome === 'overloaded') this.#counts.recusados += 1;
    else if (outcome === 'unavailable') this.#counts.falhas += 1;
  }

  noteRejected(): void {
    this.#counts.recusados += 1;
  }

  noteOrder(ordem: Ordem, fellBack: boolean): void {
    this.#counts[ordem] += 1;
    if (fellBack) this.#counts.recuos += 1;
  }

  /** Adds what was counted in another process. */
  add(counts: Counts): void {
    addCounts(this.#counts, counts);
  }

  /** What was counted since it was last taken. Durations are not among it. */
  take(): Counts {
    const counts = this.#counts;
    this.#counts = { ...ZERO };
    return counts;
  }
}

/**
 * Counts a search that was answered; there is none where a request was something else, or refused.
 * @param steps its asks, which are counted by themselves; a base that gave nothing and has none was not asked.
 */
export function countSearch(
  of: (base: Base) => BaseCounts,
  { pedido, page, steps }: { pedido: Pedido | null; page: SearchPage | null; steps: readonly Step[] },
): void {
  if (pedido === null || page === null) return;
  for (const { base, ordem_aplicada } of page.por_base) {
    const isUnanswered = page.bases_sem_resposta.some((one) => one.base === base);
    if (isUnanswered) {
      if (!steps.some((step) => step.base === base)) of(base).noteRejected();
      continue;
    }
    const fellBack = pedido.cursor === null && pedido.ordem !== ordem_aplicada;
    of(base).noteOrder(ordem_aplicada, fellBack);
  }
}
