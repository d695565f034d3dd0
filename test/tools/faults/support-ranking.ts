import { baseFile } from '../../../src/index/format/schema.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { Handler } from '../../../workers/handler.ts';
import { searchFor } from '../../support/requests.ts';
import { COMUM, newestWith, SETIMO, TERCO } from './support-corpus.ts';

/** The order of relevance of each base for each word, read straight from the files before any fault. */
export class Ranking {
  readonly #lists = new Map<string, readonly number[]>();

  constructor(dataDir: string, counts: Readonly<Record<Base, number>>) {
    for (const base of BASES) {
      const handler = new Handler(baseFile(dataDir, base), base);
      for (const word of [COMUM, TERCO, SETIMO]) {
        const [outcome] = handler.run([searchFor(word, { ordem: 'relevancia' })]);
        if (outcome?.ok !== true || outcome.value.kind !== 'search') throw new Error(JSON.stringify(outcome));
        const { doc_ids } = outcome.value;
        if (!sameSet(doc_ids, newestWith(word, counts[base])))
          throw new Error(`${base} does not find ${word}`);
        this.#lists.set(`${base} ${word}`, doc_ids);
      }
      handler.close();
    }
  }

  /** Numbers, the best first. */
  of(base: Base, word: string): readonly number[] {
    return this.#lists.get(`${base} ${word}`) ?? [];
  }
}

/** True when both hold the same numbers; `all` is descending, and neither holds one twice. */
export function sameSet(places: readonly number[], all: readonly number[]): boolean {
  return new Set(places).size === places.length && places.toSorted((a, b) => b - a).join() === all.join();
}
