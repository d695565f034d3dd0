import type { Step } from '../../engine/steps.ts';
import type { SearchPage } from '../../search/page.ts';
import { addCounts, keysOf } from '../../contract/records.ts';
import type { Durations } from './base-counts.ts';

/** An answer of the public listener, as its client got it. */
export interface Answered {
  readonly status: number;
  /** From the arrival of the request to its answer, milliseconds. */
  readonly ms: number;
  /** Of a search that was answered; null for anything else. */
  readonly page: SearchPage | null;
  readonly steps: readonly Step[];
}

const ZERO = {
  /** All answers, refusals included. */
  respostas: 0,
  /** Searches answered with 200, and those of them that all their bases answered. */
  buscas: 0,
  completas: 0,
  /** Answers that needed a base, and those of them that came from the result cache alone. */
  pelas_bases: 0,
  do_cache: 0,
  /** Answers with 429, and with 500 to 599. */
  recusas_429: 0,
  erros_5xx: 0,
};
export type ServiceTotals = Readonly<typeof ZERO>;
export const SERVICE_TOTALS = keysOf<keyof ServiceTotals>(ZERO);

/** Counts what users got, until somebody takes the counts. */
export class ServiceCounts<D extends Durations = Durations> {
  /** Durations of all answers. */
  readonly served: D;
  #totals = { ...ZERO };

  constructor(served: D) {
    this.served = served;
  }

  note({ status, ms, page, steps }: Answered): void {
    const totals = this.#totals;
    totals.respostas += 1;
    this.served.observe(ms);
    if (status === 429) totals.recusas_429 += 1;
    if (status >= 500) totals.erros_5xx += 1;
    if (page !== null && status === 200) {
      totals.buscas += 1;
      if (page.bases_sem_resposta.length === 0) totals.completas += 1;
    }
    if (steps.length === 0) return;
    totals.pelas_bases += 1;
    if (steps.every(({ cached }) => cached)) totals.do_cache += 1;
  }

  /** Adds what was counted in another process. */
  add(totals: ServiceTotals): void {
    addCounts(this.#totals, totals);
  }

  /** What was counted since it was last taken. Durations are not among it. */
  take(): ServiceTotals {
    const totals = this.#totals;
    this.#totals = { ...ZERO };
    return totals;
  }
}
