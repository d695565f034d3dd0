import { LRUCache } from 'lru-cache';
import type { Seen } from '../../http/described-request.ts';
import { mayHoldKey } from '../../keys/key.ts';
import { whyNothing } from '../../search/nothing.ts';

/** A word is listed once so many keys have asked for it, or it was asked so often: nobody's own words are shown. */
const KEYS_MIN = 3;
const TIMES_MIN = 10;
const SHOWN_MAX = 20;
/** The hour is counted in slices. A slice keeps the words asked last: a few MB in all. */
const HOUR_S = 3_600;
const SLICE_S = 600;
const SLICE_WORDS_MAX = 1_000;

interface Asked {
  times: number;
  /** Up to `KEYS_MIN`. */
  readonly keys: Set<string>;
}
type Slice = LRUCache<string, Asked>;

/** Words of searches that found nothing, which no decision has: those asked most in the last hour. */
export class AbsentWords {
  readonly #slices = new Map<number, Slice>();

  note({ notes: { pedido, page, keyId }, em }: Pick<Seen, 'notes' | 'em'>): void {
    if (pedido === null || page === null || keyId === null) return;
    if (whyNothing(pedido, page) !== 'absent_word' || mayHoldKey(pedido.q)) return;
    const slice = this.#sliceAt(em);
    for (const [at, { token, prefix }] of pedido.consulta.terms.entries()) {
      // Numbers may be of a person or a case.
      if (prefix || !page.absent.includes(at) || !/^\p{L}+$/u.test(token)) continue;
      const asked = slice.get(token) ?? { times: 0, keys: new Set() };
      asked.times += 1;
      if (asked.keys.size < KEYS_MIN) asked.keys.add(keyId);
      slice.set(token, asked);
    }
  }

  /** @param em now, seconds since 1970. @returns the most asked first. */
  listed(em: number): { readonly palavra: string; readonly vezes: number }[] {
    this.#forget(em);
    const all = new Map<string, Asked>();
    for (const slice of this.#slices.values()) {
      for (const [word, { times, keys }] of slice.entries()) {
        const sum = all.getOrInsertComputed(word, () => ({ times: 0, keys: new Set() }));
        sum.times += times;
        for (const key of keys) sum.keys.add(key);
      }
    }
    return [...all]
      .filter(([, { times, keys }]) => keys.size >= KEYS_MIN || times >= TIMES_MIN)
      .map(([palavra, { times }]) => ({ palavra, vezes: times }))
      .toSorted((a, b) => b.vezes - a.vezes || (a.palavra < b.palavra ? -1 : 1))
      .slice(0, SHOWN_MAX);
  }

  #sliceAt(em: number): Slice {
    this.#forget(em);
    return this.#slices.getOrInsertComputed(
      Math.floor(em / SLICE_S),
      () => new LRUCache<string, Asked>({ max: SLICE_WORDS_MAX }),
    );
  }

  /** Slices that ended over an hour ago, and those of a clock that was set back. */
  #forget(em: number): void {
    const now = Math.floor(em / SLICE_S);
    for (const number of this.#slices.keys())
      if (number > now || number <= now - HOUR_S / SLICE_S) this.#slices.delete(number);
  }
}
