import type { RequestNotes } from '../../http/observer.ts';
import { addCounts } from '../../contract/records.ts';
import { FIGURES_RECENT_S } from './totals.ts';

/** A key's answers: `recusas` counts the 429s, `espera_ms` sums how long the requests waited. */
export interface KeyUse {
  readonly respostas: number;
  readonly recusas: number;
  readonly espera_ms: number;
}

/** The use for one answer. The wait is that for the key's turn plus the longest in a base's queue. */
export function useOf({
  refusal,
  startedAt,
  steps,
}: Pick<RequestNotes, 'refusal' | 'startedAt' | 'steps'>): KeyUse {
  const [first] = steps;
  const turnMs = first === undefined ? 0 : Math.max(0, first.startedAt - startedAt);
  const queueMs = Math.max(0, ...steps.map((step) => step.queueMs));
  return { respostas: 1, recusas: refusal === null ? 0 : 1, espera_ms: turnMs + queueMs };
}

/** Each key's answers, by the key's digest. At most one entry for each valid key. */
class KeyCounts {
  #uses = new Map<string, KeyUse>();

  note(id: string, use: KeyUse): void {
    addCounts(
      this.#uses.getOrInsertComputed(id, () => ({ respostas: 0, recusas: 0, espera_ms: 0 })),
      use,
    );
  }

  /** The counts since the last call. */
  take(): ReadonlyMap<string, KeyUse> {
    const uses = this.#uses;
    this.#uses = new Map();
    return uses;
  }
}

/** How fast each key asks, over the latest seconds. */
export class KeyRates {
  readonly counts = new KeyCounts();
  #seconds: ReadonlyMap<string, KeyUse>[] = [];

  endSecond(): void {
    this.#seconds = [...this.#seconds, this.counts.take()].slice(-FIGURES_RECENT_S);
  }

  /** Answers and refusals a second, and the mean wait of an answer; 0 for a key that has asked nothing. */
  of(id: string): { readonly por_s: number; readonly recusas_por_s: number; readonly espera_ms: number } {
    const uses = this.#seconds.flatMap((second) => second.get(id) ?? []);
    const seconds = Math.max(1, this.#seconds.length);
    const sum = (of: (use: KeyUse) => number) => uses.reduce((total, use) => total + of(use), 0);
    const answers = sum(({ respostas }) => respostas);
    return {
      por_s: answers / seconds,
      recusas_por_s: sum(({ recusas }) => recusas) / seconds,
      espera_ms: sum(({ espera_ms }) => espera_ms) / Math.max(1, answers),
    };
  }
}
