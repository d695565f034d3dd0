import { tipoCode } from '../../../src/index/format/schema.ts';
import type { Ordem } from '../../../src/contract/vocabulary.ts';
import type { Ask } from '../../../src/tools/load/http-client.ts';
import { recordAsk, searchAsk } from '../measure/load.ts';
import { pageRequest, type Engine } from './engine.ts';
import { NARROW, ONE, fts5Of, type Queries } from './queries.ts';
import type { RawBase } from './raw-base.ts';

const LIMIT = 20;
const COUNT_MAX = 1_001;
const RECORDS = 50;
/** Real queries at once would take PostgreSQL minutes a round: every few of them. */
const USERS_MAX = 40;

export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A request; of a search the order that its answer has to be in. */
export interface PeerAsk extends Ask {
  readonly ordem?: Ordem;
}

/** One row of the comparison: what each contender does `count` times over, by the place in a list. */
export interface Task {
  readonly name: string;
  readonly count: number;
  /** Whether FTS5 ranks here, so that we are to be ahead of it. */
  readonly ranks: boolean;
  readonly ask: (at: number, key: string) => PeerAsk;
  /** What gives PostgreSQL's client all that the service answers. */
  readonly statements: (at: number) => readonly Statement[];
  /** The same for the page after it, whose first page ended with this number; only where that is measured. */
  readonly further?: (at: number, last: number) => readonly Statement[];
  /** The service's way and raw FTS5's, in this process; neither counts unless that is the task. */
  readonly engine: (engine: Engine, at: number) => unknown;
  readonly raw: (raw: RawBase, at: number) => unknown;
}

/** A query as the service takes it, and as PostgreSQL does. */
interface Text {
  readonly q: string;
  readonly reader: 'plainto_tsquery' | 'phraseto_tsquery' | 'to_tsquery';
  readonly text: string;
}

export const plain = (q: string): Text => ({ q, reader: 'plainto_tsquery', text: q });
export const phrase = (q: string): Text => ({
  q,
  reader: 'phraseto_tsquery',
  text: q.replaceAll('"', ''),
});
export const prefix = (q: string): Text => ({ q, reader: 'to_tsquery', text: `${q.replace('*', '')}:*` });

const RAW_NARROW = 'filtro.tipo = ? AND filtro.julgamento BETWEEN ? AND ?';
const NARROW_VALUES = [NARROW.tipo, NARROW.data_de, NARROW.data_ate];
const [FROM, TO] = [codeOf(NARROW.data_de), codeOf(NARROW.data_ate)];
/** The same month and type as the service's own filter, and as raw FTS5's. */
const NARROW_FILTER = { tribunais: null, tipo: NARROW.tipo, judged_from: FROM, judged_to: TO };
const RAW_FILTER = { where: RAW_NARROW, values: [tipoCode(NARROW.tipo), FROM, TO] };

/** Those that mean the same to both: what is FTS5 syntax means something else to PostgreSQL. */
export function loose(texts: readonly string[]): string[] {
  return texts.filter((q) => !/["()*]|\b(?:AND|OR|NOT|NEAR)\b/u.test(q));
}

export function tasksOf(queries: Queries, decisions: number): Task[] {
  const { veryCommon, twoCommon, ordinary, phrases, prefixes } = queries;
  const users = loose(queries.users)
    .filter((_, at) => at % Math.ceil(loose(queries.users).length / USERS_MAX) === 0)
    .map((q) => plain(q));
  const words = ordinary.map(plain);
  const narrow = [plain(veryCommon), plain(twoCommon)];
  const four = (prefixes[3] ?? []).map(prefix);
  return [
    searchTask('recency, ordinary words', words, 'recentes'),
    ...(users.length === 0 ? [] : [searchTask('recency, users’ queries', users, 'recentes')]),
    searchTask('recency, very common word', [plain(veryCommon)], 'recentes'),
    searchTask('recency, one type and month', narrow, 'recentes', true),
    searchTask('relevance, ordinary words', words, 'relevancia'),
    ...(users.length === 0 ? [] : [searchTask('relevance, users’ queries', users, 'relevancia')]),
    searchTask('relevance, very common word', [plain(veryCommon)], 'relevancia'),
    searchTask('relevance, two common words', [plain(twoCommon)], 'relevancia'),
    searchTask('relevance, one type and month', narrow, 'relevancia', true),
    searchTask('phrase, relevance', phrases.map(phrase), 'relevancia'),
    searchTask('phrase, recency', phrases.map(phrase), 'recentes'),
    searchTask('prefix of 4, relevance', four, 'relevancia'),
    searchTask('prefix of 4, recency', four, 'recentes'),
    countTask([...words, plain(veryCommon), plain(twoCommon)]),
    recordTask(decisions),
  ];
}

/** First pages, which count up to a thousand matches besides their rows; by recency second pages too, which do not. */
function searchTask(name: string, texts: readonly Text[], ordem: Ordem, isNarrow = false): Task {
  const isRecency = ordem === 'recentes';
  const filter = isNarrow ? ' AND tipo = $2 AND julgamento BETWEEN $3 AND $4' : '';
  const from = ({ reader }: Text) =>
    `FROM decisao, ${reader}('juri', $1) AS consulta WHERE palavras @@ consulta${filter}`;
  const order = isRecency ? 'numero DESC' : 'ts_rank_cd(palavras, consulta) DESC, numero';
  const valuesOf = ({ text }: Text) => [text, ...(isNarrow ? NARROW_VALUES : [])];
  const requests = texts.map(({ q }) => pageRequest(q, ordem, isNarrow ? { filter: NARROW_FILTER } : {}));
  const matches = texts.map(({ q }) => fts5Of(q));
  return {
    name,
    count: texts.length,
    ranks: !isRecency,
    ask: (at, key) => searchAsk(key, texts[at]?.q ?? '', ordem, ONE, LIMIT, isNarrow ? { ...NARROW } : {}),
    statements: (at) => {
      const text = texts[at]!;
      const values = valuesOf(text);
      return [
        { sql: `SELECT resumo ${from(text)} ORDER BY ${order} LIMIT ${LIMIT}`, values },
        { sql: `SELECT count(*) FROM (SELECT 1 ${from(text)} LIMIT ${COUNT_MAX}) AS m`, values },
      ];
    },
    ...(isRecency && !isNarrow
      ? {
          further: (at, last) => {
            const text = texts[at]!;
            const sql = `SELECT resumo ${from(text)} AND numero < $2 ORDER BY ${order} LIMIT ${LIMIT}`;
            return [{ sql, values: [...valuesOf(text), last] }];
          },
        }
      : {}),
    engine: (engine, at) => engine.search(requests[at]!),
    raw: (raw, at) => {
      const narrow = isNarrow ? RAW_FILTER : undefined;
      return raw.resumos(raw.numbers(matches[at] ?? '', ordem, LIMIT, narrow));
    },
  };
}

/** The service counts on the first page of a search, and by itself never: one row comes with it. */
function countTask(texts: readonly Text[]): Task {
  const requests = texts.map(({ q }) =>
    pageRequest(q, 'recentes', { doc_ids_max: 2, rows_max: 1, count_ms: 60_000 }),
  );
  const matches = texts.map(({ q }) => fts5Of(q));
  return {
    name: 'count to 1,000, and one row',
    count: texts.length,
    ranks: false,
    ask: (at, key) => searchAsk(key, texts[at]?.q ?? '', 'recentes', ONE, 1),
    statements: (at) => {
      const from = `FROM decisao WHERE palavras @@ plainto_tsquery('juri', $1)`;
      const values = [texts[at]?.text ?? ''];
      return [
        { sql: `SELECT resumo ${from} ORDER BY numero DESC LIMIT 1`, values },
        { sql: `SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${COUNT_MAX}) AS m`, values },
      ];
    },
    engine: (engine, at) => engine.search(requests[at]!),
    raw: (raw, at) => {
      raw.resumos(raw.numbers(matches[at] ?? '', 'recentes', 1));
      return raw.count(matches[at] ?? '', COUNT_MAX);
    },
  };
}

function recordTask(decisions: number): Task {
  const records = Array.from({ length: RECORDS }, (_, at) => 1 + ((at * 7_919) % decisions));
  const recordAt = (at: number) => records[at] ?? 1;
  return {
    name: 'record read',
    count: records.length,
    ranks: false,
    ask: (at, key) => recordAsk(key, ONE, recordAt(at)),
    statements: (at) => [{ sql: 'SELECT documento FROM decisao WHERE numero = $1', values: [recordAt(at)] }],
    engine: (engine, at) => engine.documento(recordAt(at)),
    raw: (raw, at) => raw.documento(recordAt(at)),
  };
}

function codeOf(date: string): number {
  return Number(date.replaceAll('-', ''));
}
