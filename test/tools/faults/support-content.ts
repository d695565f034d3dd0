import Database from 'better-sqlite3';
import { RECORDS_PER_BLOCK } from '../../../src/index/format/record-block.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { StoredDocumentos } from '../../../src/index/write/stored-documento.ts';
import type { Base } from '../../../src/contract/enums.ts';
import { Handler } from '../../../workers/handler.ts';
import { searchFor } from '../../support/requests.ts';
import { COMUM, SETIMO, TERCO } from './support-corpus.ts';

/** What SQLite and FTS5 say of a base file, and how many decisions it holds, numbered without a gap. */
export function soundCount(dataDir: string, base: Base): number {
  const db = new Database(baseFile(dataDir, base));
  try {
    const integrity = db.pragma('integrity_check', { simple: true });
    if (integrity !== 'ok') throw new Error(`integrity_check of ${base}: ${String(integrity)}`);
    // Throws where the index is not whole.
    db.prepare(`INSERT INTO fts (fts) VALUES ('integrity-check')`).run();
    const [count = 0, last = 0, blocks = 0] = db
      .prepare<[], number[]>(
        `SELECT count(*), coalesce(max(numero), 0), (SELECT count(*) FROM documento) FROM resumo`,
      )
      .raw()
      .get() ?? [0, 0, 0];
    if (count !== last || blocks !== Math.ceil(last / RECORDS_PER_BLOCK))
      throw new Error(`${base}: ${count} decisions and ${blocks} blocks of records up to ${last}`);
    return count;
  } finally {
    db.close();
  }
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
  const documentos = new StoredDocumentos(db);
  const records = db
    .prepare<[], number>('SELECT numero FROM resumo ORDER BY 1')
    .pluck()
    .all()
    .map((numero) => [numero, documentos.jsonOf(numero).documento] as const);
  const match = db
    .prepare<[string], number>('SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid')
    .pluck();
  const words = Object.fromEntries(WORDS.map((word) => [word, match.all(word).join()]));
  db.close();
  return { records, words, ranked: Object.fromEntries(RANKED.map((q) => [q, rankedBy(dataDir, base, q)])) };
}

function rankedBy(dataDir: string, base: Base, q: string): unknown {
  const handler = new Handler(baseFile(dataDir, base), base);
  const [outcome] = handler.run([searchFor(q, { ordem: 'relevancia' })]);
  handler.close();
  if (outcome?.ok !== true || outcome.value.kind !== 'search') throw new Error(JSON.stringify(outcome));
  const { numeros, scores, contagem } = outcome.value;
  return { numeros, scores, contagem };
}
