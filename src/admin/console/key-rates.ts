import { FIGURES_RECENT_S } from '../../config/limits.ts';

/** What one key was answered: `recusas` are the answers with 429. */
export interface KeyUse {
  readonly respostas: number;
  readonly recusas: number;
}

/** The use of one answer. @param refusal the reason of a 429; null for another status. */
export function useOf(refusal: string | null): KeyUse {
  return { respostas: 1, recusas: refusal === null ? 0 : 1 };
}

/** What each key was answered, by the key's digest. At most one entry for each key in force. */
export class KeyCounts {
  #uses = new Map<string, KeyUse>();

  note(id: string, { respostas, recusas }: KeyUse): void {
    const before = this.#uses.get(id) ?? { respostas: 0, recusas: 0 };
    this.#uses.set(id, { respostas: before.respostas + respostas, recusas: before.recusas + recusas });
  }

  /** What was counted since it was last taken. */
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

  /** Answers and refusals a second; 0 for a key that has asked nothing. */
  of(id: string): { readonly por_s: number; readonly recusas_por_s: number } {
    const uses = this.#seconds.flatMap((second) => second.get(id) ?? []);
    const seconds = Math.max(1, this.#seconds.length);
    const sum = (of: (use: KeyUse) => number) => uses.reduce((total, use) => total + of(use), 0) / seconds;
    return { por_s: sum(({ respostas }) => respostas), recusas_por_s: sum(({ recusas }) => recusas) };
  }
}
