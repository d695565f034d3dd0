import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../src/process/files.ts';
import { docsPage, measuredIn, runHead, type Finding } from '../measure/report.ts';
import { lineOf, readSections, rewrite, writeLastCells, writeSections } from '../measure/page.ts';
import { ROOT } from '../../support/run.ts';
import { drawPictures } from './pictures.ts';

export const SIX_DEFAULT = 200_000;
/** Measurements that do not use the six bases. */
const OTHERS: ReadonlySet<string> = new Set(['everyday', 'ingest', 'soak']);

/** A row of the results: its section, the beginning of its name, and of the name of a row that belongs to it. */
type Place = readonly [section: string, row: string, part?: string];

/** The table and the plot of each question that the page on performance answers. */
const QUESTIONS: readonly {
  readonly question: string;
  readonly picture?: readonly [file: string, alt: string];
  readonly rows: readonly (readonly [name: string, ...Place])[];
}[] = [
  {
    question: 'What does a search cost?',
    picture: ['fan-out.svg', 'CPU of a six-base search, next to raw FTS5'],
    rows: [
      ['wait, one at a time: median / 99th percentile', 'concurrency', '1 in flight', '… median'],
      ['wait, 32 at a time: median / 99th percentile', 'concurrency', '32 in flight', '… median'],
      ['searches a second, not asked before', 'fan-out', 'real queries, mixed: CPU ratio', '… requests/s'],
      ['CPU of one, and of bare FTS5', 'fan-out', 'real queries, mixed: CPU ratio', '… CPU a search'],
      ['searches a second, asked before', 'fan-out', 'real queries, mixed, asked before: requests/s'],
    ],
  },
  {
    question: 'Compared with what?',
    rows: [
      ['CPU to bare FTS5: six bases, users’ queries', 'fan-out', 'real queries, relevance: CPU ratio'],
      ['CPU, and that of engines in process: two words', 'engines', 'two ordinary words, relevance'],
      ['CPU of a load to that of Lucene', 'load', 'the service', '… CPU to the first peer'],
    ],
  },
  {
    question: 'How does it grow?',
    picture: ['growth.svg', 'How the wait grows with the base'],
    rows: [
      ['latest decisions with two words', 'everyday', 'recency'],
      ['two words by relevance', 'everyday', 'relevance, ordinary words'],
      ['a prefix of four letters by relevance', 'everyday', 'prefix of 4, relevance'],
      ['a record by its id', 'everyday', 'record read'],
    ],
  },
  {
    question: 'On how many cores?',
    picture: ['cores.svg', 'Searches a second by cores'],
    rows: [
      ['searches a second, not asked before, on one core', 'cores', 'not asked before, 1 of'],
      ['on two cores, times that', 'cores', 'not asked before, 2 of', '… to one core'],
    ],
  },
];

export const ANSWERS = QUESTIONS.flatMap(({ rows }) => rows.map(([, ...place]): Place => place));

/** What the READMEs show, in the order of their table. */
export const FIGURES: readonly Place[] = [
  ['concurrency', '1 in flight', '… median'],
  ['fan-out', 'real queries, mixed: CPU ratio', '… requests/s'],
  ['fan-out', 'real queries, mixed, asked before: requests/s'],
  ['footprint', 'start to ready, files cached'],
  ['footprint', 'RssAnon after a warm load'],
];
export const READMES = ['README.md', 'README.pt-BR.md'] as const;

type Findings = Readonly<Record<string, Finding>>;
type Results = ReturnType<typeof readSections>;

/**
 * Writes all rows into `bench/results.md` next to a page, plots next to them, the answers into the page, and the READMEs'
 * figures if the page is of `docs/`. What was not measured stays, with its version and day.
 * @param means what the figures depend on besides version and machine.
 * @param decisions in each of the six bases. What is measured with an unusual number has a section for itself, and
 * neither a plot nor a row outside of the results.
 */
export async function writeDocs(
  page: string,
  means: string,
  findings: Findings,
  decisions: number,
): Promise<void> {
  const measured = measuredIn(findings);
  const usual = measured.filter(([name]) => headingOf(name, decisions) === name);
  const folder = join(dirname(page), 'bench');
  makeFolder(folder);
  drawPictures(folder, Object.fromEntries(usual));
  const file = join(folder, 'results.md');
  if (!existsSync(file)) writeFileSync(file, '# Results\n\n<!-- bench:begin -->\n<!-- bench:end -->\n');
  const sections = measured.map(([name, finding]) => [headingOf(name, decisions), finding] as const);
  await writeSections(file, 'bench', runHead(new Date(), means), sections);
  const results = readResults(file);
  await rewrite(page, 'answers', () => answersOf(results, folder));
  if (page !== docsPage('performance.md')) return;
  for (const readme of READMES) {
    const figures = FIGURES.map((place) => figureIn(readme, medianAt(results, place)));
    await writeLastCells(join(ROOT, readme), 'figures', figures);
  }
}

export function readResults(file: string): Results {
  return readSections(file, 'bench');
}

/** A figure as the readers of that page write numbers (`10,268` is ten and a bit in Portuguese); a dash if not measured. */
export function figureIn(readme: (typeof READMES)[number], figure: string | null): string {
  if (figure === null) return '—';
  if (readme === 'README.md') return figure;
  return figure.replaceAll(/(?<=\d)[.,](?=\d)/gu, (mark) => (mark === '.' ? ',' : '.'));
}

/** A figure of the results without its lowest and highest round; null if it was not measured. */
export function medianAt(results: Results, place: Place): string | null {
  return figureAt(results, place)?.replace(/ \([^)]*\)$/u, '') ?? null;
}

function figureAt(results: Results, [section, row, part]: Place): string | null {
  const rows = results.get(section)?.rows ?? [];
  const first = rows.findIndex(([name = '']) => name.startsWith(row));
  if (first === -1) return null;
  if (part === undefined) return rows[first]?.[2] ?? null;
  const next = rows.findIndex(([name = ''], at) => at > first && !name.startsWith('…'));
  const own = rows.slice(first + 1, next === -1 ? undefined : next);
  return own.find(([name = '']) => name.startsWith(part))?.[2] ?? null;
}

export function headingOf(name: string, decisions: number): string {
  const isUsual = decisions === SIX_DEFAULT || OTHERS.has(name);
  return isUsual ? name : `${name}, six of ${decisions.toLocaleString('en')}`;
}

/** The questions with the rows and plots that exist; none that was not measured. */
function answersOf(results: Results, folder: string): string {
  return QUESTIONS.flatMap(({ question, rows, picture }) => {
    const lines = rows.flatMap(([name, ...place]) => {
      const figure = figureAt(results, place);
      const [, version, day] =
        /^Version (\S+) .*?(\d{4}-\d\d-\d\d)/u.exec(results.get(place[0])?.head ?? '') ?? [];
      return figure === null ? [] : [lineOf([name, figure, `${version}, ${day}`])];
    });
    if (lines.length === 0) return [];
    const table = [lineOf(['what', 'measured', 'version, day']), lineOf(Array(3).fill('---')), ...lines];
    const answer = [`### ${question}`, table.join('\n')];
    if (picture !== undefined && existsSync(join(folder, picture[0])))
      answer.push(`![${picture[1]}](bench/${picture[0]})`);
    return answer;
  }).join('\n\n');
}
