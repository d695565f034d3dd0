import Database from 'better-sqlite3';
import { baseFile } from '../../../src/index/format/schema.ts';
import { recordsIn } from '../../../src/index/format/record-reader.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { Handler } from '../../../workers/handler.ts';
import { damagesOf, listsIn } from '../../support/index-content.ts';
import { searchFor } from '../../support/requests.ts';
import { COMUM, SETIMO, TERCO } from './support-corpus.ts';

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

/** All that a reader can learn of a base: its records, where each word stands, and the order of relevance. */
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

function rankedBy(dataDir: string, base: Base, q: string): unknown {
  const handler = new Handler(baseFile(dataDir, base), base);
  const [outcome] = handler.run([searchFor(q, { ordem: 'relevancia' })]);
  handler.close();
  if (outcome?.ok !== true || outcome.value.kind !== 'search') throw new Error(JSON.stringify(outcome));
  const { doc_ids, scores, count } = outcome.value;
  return { doc_ids, scores, count };
}
