import type { Base } from '../contract/vocabulary.ts';
import type { DescribedRequest } from './described-request.ts';

/** Slow requests that are kept, and as many that failed or lack a base; one takes 2 to 3 kB. */
export const REQUESTS_KEPT_MAX = 100;
/** How many of each are shown. */
export const REQUESTS_SHOWN_MAX = 25;
/** A point of a chart shows so many seconds. */
const AROUND_S = 10;

/** The latest slow, failed and incomplete requests that asked bases, as the log has them. */
export class LatestRequests {
  /** Separate, so that a base that is down for long does not displace the slow ones. */
  #complete: DescribedRequest[] = [];
  #incomplete: DescribedRequest[] = [];
  /** Rises with every request. */
  version = 0;

  add(one: DescribedRequest): void {
    if (one.ordem === undefined && one.steps.length === 0) return;
    this.version += 1;
    if (isComplete(one)) this.#complete = [...this.#complete, one].slice(-REQUESTS_KEPT_MAX);
    else this.#incomplete = [...this.#incomplete, one].slice(-REQUESTS_KEPT_MAX);
  }

  /** Newest first. */
  get listed(): readonly DescribedRequest[] {
    const shown = [this.#complete, this.#incomplete].flatMap((all) => all.slice(-REQUESTS_SHOWN_MAX));
    return shown.toSorted((a, b) => b.em - a.em);
  }

  /** Those that asked a base and ended in the seconds before `em`, the slowest on that base first. */
  around(base: Base, em: number): readonly DescribedRequest[] {
    return [...this.#complete, ...this.#incomplete]
      .filter((one) => one.em >= em - AROUND_S && one.em < em + 2)
      .filter(({ steps }) => steps.some((step) => step.base === base))
      .toSorted((a, b) => timeIn(b, base) - timeIn(a, base))
      .slice(0, REQUESTS_SHOWN_MAX);
  }
}

function isComplete({ status, bases_sem_resposta }: DescribedRequest): boolean {
  return status !== undefined && status < 500 && bases_sem_resposta.length === 0;
}

function timeIn({ steps }: DescribedRequest, base: Base): number {
  return steps
    .filter((step) => step.base === base)
    .reduce((sum, { queue_ms, run_ms }) => sum + queue_ms + run_ms, 0);
}
