import { FIGURES_RECENT_S } from './increase.ts';

/** A key's answers, and how many of these were 429. */
interface KeyUse {
  respostas: number;
  recusas: number;
}

/** How fast each key asks, over the latest seconds; by the key's digest, at most one entry for each valid key. */
export class KeyRates {
  #now = new Map<string, KeyUse>();
  #seconds: ReadonlyMap<string, Readonly<KeyUse>>[] = [];

  note(id: string, isRefused: boolean): void {
    const use = this.#now.getOrInsertComputed(id, () => ({ respostas: 0, recusas: 0 }));
    use.respostas += 1;
    if (isRefused) use.recusas += 1;
  }

  endSecond(): void {
    this.#seconds = [...this.#seconds, this.#now].slice(-FIGURES_RECENT_S);
    this.#now = new Map();
  }

  /** Answers and refusals a second; 0 for a key that has asked nothing. */
  of(id: string): { readonly por_s: number; readonly recusas_por_s: number } {
    const seconds = Math.max(1, this.#seconds.length);
    const rate = (of: keyof KeyUse) =>
      this.#seconds.reduce((sum, second) => sum + (second.get(id)?.[of] ?? 0), 0) / seconds;
    return { por_s: rate('respostas'), recusas_por_s: rate('recusas') };
  }
}
