import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asQuestion, Jurisprudencia } from '../../../src/client/client.ts';
import { foldedText } from '../../../src/client/reading.ts';
import { STOP_WORDS } from '../../../src/client/stop-words.ts';
import { quoted } from '../../../src/contract/fts5-parts.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { ROOT, runProgram } from '../../support/run.ts';
import { INGEST, Scratch } from '../measure/build.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { startCold, type Bench } from './setting.ts';

/** Judged searches of others, next to the project and no part of it. */
const FOLDER = join(ROOT, '../shared/corpora/relevancia');
const DECISIONS = join(FOLDER, 'decisoes.jsonl');
const SEARCHES = join(FOLDER, 'consultas.tsv');
const BASE = 'stj';
const FIRST = 10;
const AIM = 0.65;
const KINDS: Readonly<Record<string, string>> = {
  'search log': 'log',
  'expression from LLM question': 'key words',
  LLM: 'questions',
};

interface Search {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
}
/** By search, the grade of each judged decision by its `chave`: 0 to 3. */
type Grades = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * How good the first ten decisions are, for searches of three kinds as they are typed, their words joined by OR, and as the client
 * writes questions: nDCG@10 with a gain of 2^grade − 1. Lucene ranks the same by its analyzer for Portuguese.
 */
export async function measureJudged(bench: Bench): Promise<Finding> {
  if (!existsSync(SEARCHES)) return { rows: [info('judged searches', 'left out: not here')], details: {} };
  const searches = tableIn('consultas.tsv').map(([id = '', kind = '', text = '']) => ({ id, kind, text }));
  const grades = gradesIn(tableIn('julgamentos.tsv'));
  const chaves = linesOf(DECISIONS).map((line) => (JSON.parse(line) as { readonly chave: string }).chave);
  makeFolder(bench.folder);
  using scratch = new Scratch(bench.folder, 'judged');
  const dataDir = scratch.folder;
  await runProgram([...INGEST, BASE, DECISIONS], { environment: { DATA_DIR: dataDir } });
  await using running = await startCold({ dataDir });
  const api = new Jurisprudencia({ url: running.service.url, key: running.key });
  const find = async (q: string) => {
    const { itens, por_base } = await api.buscar({ q, tribunal: BASE, limite: FIRST });
    if (por_base[0]?.ordem_aplicada !== 'relevancia') throw new Error(`the base did not rank ${q}`);
    // Numbers begin at 1, in the order of the file.
    return itens.map(({ id }) => chaves[Number(id.split(':')[1]) - 1] ?? '');
  };
  const ways: Record<string, readonly (readonly string[])[]> = {};
  for (const [name, write] of Object.entries(WAYS)) {
    const found: string[][] = [];
    for (const { text } of searches) found.push(await find(write(text)));
    ways[name] = found;
  }
  const lucene = bench.enginePeers.find((peer) => peer.isSetUp && peer.canRank);
  if (lucene !== undefined) ways[`${lucene.title}, Portuguese`] = await lucene.rank(DECISIONS, SEARCHES);
  const rows = Object.entries(ways).map(([name, found]) => rowOf(name, searches, grades, found));
  rows.push(info('  measured with', `${searches.length} searches, ${chaves.length} statements`));
  return { rows, details: ways };
}

const ASKED = 'as asQuestion writes';
const WAYS: Readonly<Record<string, (text: string) => string>> = {
  'as typed': (text) => text,
  'words by OR': (text) => {
    const words = foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
    return [...new Set(words)]
      .filter((word) => !STOP_WORDS.has(word))
      .map(quoted)
      .join(' OR ');
  },
  [ASKED]: (text) => asQuestion(text).q ?? '',
};

function rowOf(
  name: string,
  searches: readonly Search[],
  grades: Grades,
  found: readonly (readonly string[])[],
): Row {
  const values = searches.map(({ id, kind }, at) => ({ kind, value: ndcg(grades.get(id), found[at] ?? []) }));
  const mean = (of: typeof values) => of.reduce((sum, { value }) => sum + value, 0) / of.length;
  const kinds = Object.entries(KINDS).map(
    ([kind, short]) => `${short} ${mean(values.filter((one) => one.kind === kind)).toFixed(3)}`,
  );
  const none = found.filter((one) => one.length === 0).length;
  const all = mean(values);
  return {
    measure: `nDCG@10, ${name}`,
    aim: name === ASKED ? `>= ${AIM}` : '',
    reached: `${all.toFixed(3)} (${kinds.join(', ')}), nothing found ${none}`,
    ok: name === ASKED ? all >= AIM && none === 0 : null,
  };
}

function ndcg(grades: ReadonlyMap<string, number> | undefined, found: readonly string[]): number {
  if (grades === undefined) throw new Error('a search has no judgements');
  const best = [...grades.values()].toSorted((a, b) => b - a);
  return gain(found.map((chave) => grades.get(chave) ?? 0)) / gain(best);
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, FIRST).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

function gradesIn(table: readonly (readonly string[])[]): Grades {
  const grades = new Map<string, Map<string, number>>();
  for (const [id = '', chave = '', grade = ''] of table) {
    const own = grades.get(id) ?? new Map<string, number>();
    grades.set(id, own.set(chave, Number(grade)));
  }
  return grades;
}

function tableIn(name: string): string[][] {
  return linesOf(join(FOLDER, name)).map((line) => line.split('\t'));
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}
