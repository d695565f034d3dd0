import Database from 'better-sqlite3';
import { baseFile } from '../../../src/index/format/schema.ts';
import { recordsIn } from '../../../src/index/format/record-reader.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { Handler } from '../../../workers/handler.ts';
import { damagesOf, listsIn } from '../../support/index-content.ts';
import { searchFor } from '../../support/requests.ts';
import { COMUM, SETIMO, TERCO, newestWith } from './support-corpus.ts';

/** How many decisions a base holds, numbered without a gap. @throws where any part of its file is damaged. */
export function soundCount(dataDir: string, base: Base): number {
  const file = baseFile(dataDir, base);
  const damages = damagesOf(file, base);
  if (damages.length > 0) throw new Error(`${base}: ${damages.join('; ')}`);
  const db = new Database(file, { readonly: true });
  const count = db.prepare<[], number>('SELECT count(*) FROM item').pluck().get() ?? 0;
  db.close();
  return count;
}

/** All that a reader can learn of a base: its records, the positions of each word, and the order of relevance. */
export interface Content {
  readonly records: readonly (readonly [number, string])[];
  readonly words: Readonly<Record<string, string>>;
  readonly ranked: Readonly<Record<string, unknown>>;
}

const WORDS = [
  ...Array.from({ length: 997 }, (_, at) => `p${at}`),
  ...Array.from({ length: 60 }, (_, at) => `v${at}`),
  COMUM,
  TERCO,
  SETIMO,
  'turma',
  'lei',
  'apelacao',
  'inexistente',
];
const RANKED = [COMUM, 'p1 p8', 'p100 OR p200', 'tese : v1', 'p9*', '"fim de"'];

export function contentOf(dataDir: string, base: Base): Content {
  const db = new Database(baseFile(dataDir, base), { readonly: true });
  const stored = recordsIn(db);
  const records = db
    .prepare<[], number>('SELECT id FROM item ORDER BY 1')
    .pluck()
    .all()
    .map((numero) => [numero, stored.documento(numero)] as const);
  db.close();
  const lists = listsIn(baseFile(dataDir, base), base);
  const words = Object.fromEntries(WORDS.map((word) => [word, JSON.stringify(lists.get(word) ?? [])]));
  return { records, words, ranked: Object.fromEntries(RANKED.map((q) => [q, rankedBy(dataDir, base, q)])) };
}

function rankedBy(dataDir: string, base: Base, q: string) {
  const handler = new Handler(baseFile(dataDir, base), base);
  const [outcome] = handler.run([searchFor(q, { ordem: 'relevancia' })]);
  handler.close();
  if (outcome?.ok !== true || outcome.value.kind !== 'search') throw new Error(JSON.stringify(outcome));
  const { doc_ids, scores, count } = outcome.value;
  return { doc_ids, scores, count };
}

/** The order of relevance of each base for each word, read straight from the files before any fault. */
export class Ranking {
  readonly #lists = new Map<string, readonly number[]>();

  constructor(dataDir: string, counts: Readonly<Record<Base, number>>) {
    for (const base of BASES) {
      for (const word of [COMUM, TERCO, SETIMO]) {
        const { doc_ids } = rankedBy(dataDir, base, word);
        if (!sameSet(doc_ids, newestWith(word, counts[base])))
          throw new Error(`${base} does not find ${word}`);
        this.#lists.set(`${base} ${word}`, doc_ids);
      }
    }
  }

  of(base: Base, word: string): readonly number[] {
    return this.#lists.get(`${base} ${word}`) ?? [];
  }
}

/** True when both hold the same numbers; `all` is descending, and neither holds one twice. */
export function sameSet(places: readonly number[], all: readonly number[]): boolean {
  return new Set(places).size === places.length && places.toSorted((a, b) => b - a).join() === all.join();
}
