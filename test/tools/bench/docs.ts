import { dirname, join } from 'node:path';
import { makeFolder } from '../../../src/process/files.ts';
import { runHead } from '../measure/run-head.ts';
import { lineOf, writeLastCells, writeSections, type Section } from '../measure/page.ts';
import { ROOT } from '../measure/service.ts';
import { drawPictures } from './pictures.ts';
import type { BenchFinding, Grid } from './setting.ts';

const MARK = 'bench';
/** Decisions in each of six bases where nothing else is asked for. */
export const SIX_DEFAULT = 200_000;
/** What is measured with other bases than the six. */
const OTHERS: ReadonlySet<string> = new Set(['relevance', 'everyday', 'ingest', 'in-thread']);
const PICTURES = 'bench';
const PICTURE_OF: Readonly<Record<string, readonly [file: string, says: string]>> = {
  'fan-out': ['fan-out.svg', 'CPU of a six-base search beside raw FTS5'],
  everyday: ['growth.svg', 'How cost grows with the base'],
  peers: ['peers.svg', 'CPU of one request or query, beside its peers'],
};

/** The rows that the READMEs show, by measurement and by the beginning of their name; in the order of their table. */
export const FIGURES = [
  ['fan-out', 'real queries, mixed, asked before: requests/s'],
  ['fan-out', 'real queries, relevance: CPU ratio'],
  ['relevance', 'two words ('],
  ['footprint', 'start to ready, files cached'],
  ['footprint', 'RssAnon after a warm load'],
] as const;
const FIGURES_MARK = 'figures';
export const READMES = ['README.md', 'README.pt-BR.md'] as const;

type Findings = Readonly<Record<string, BenchFinding>>;

/**
 * Writes what was measured into a page, its plots beside it, and the READMEs' figures where the page is of `docs/`.
 * @param means what the figures depend on beside version and machine.
 * @param decisions in each of the six bases. What is measured with an unusual number has a section of its own, and no plot
 * and no figure in the READMEs.
 */
export async function writeDocs(
  page: string,
  means: string,
  findings: Findings,
  decisions: number,
): Promise<void> {
  const measured = Object.entries(findings).filter(([, { isMissing }]) => isMissing !== true);
  const usual = Object.fromEntries(measured.filter(([name]) => headingOf(name, decisions) === name));
  const folder = join(dirname(page), PICTURES);
  makeFolder(folder);
  const drawn = drawPictures(folder, usual).map((file) => file.slice(folder.length + 1));
  const sections = measured.map(([name, finding]) =>
    sectionOf(headingOf(name, decisions), finding, picturesOf(name, drawn)),
  );
  await writeSections(page, MARK, runHead(new Date(), means), sections);
  if (dirname(page) !== join(ROOT, 'docs')) return;
  for (const readme of READMES) {
    const figures = figuresOf(usual).map((figure) => figure && figureIn(readme, figure));
    await writeLastCells(join(ROOT, readme), FIGURES_MARK, figures);
  }
}

/** A figure as the readers of that page write numbers: `10,268` is ten and a bit in Portuguese. */
export function figureIn(readme: (typeof READMES)[number], figure: string): string {
  if (readme === 'README.md') return figure;
  return figure.replaceAll(/(?<=\d)[.,](?=\d)/gu, (mark) => (mark === '.' ? ',' : '.'));
}

/** What the READMEs show: medians without what stands in brackets; null where it was not measured. */
export function figuresOf(findings: Findings): (string | null)[] {
  return FIGURES.map(([name, beginning]) => {
    const row = findings[name]?.rows.find(({ measure }) => measure.startsWith(beginning));
    return row?.reached.replace(/ \([^)]*\)$/u, '') ?? null;
  });
}

export function headingOf(name: string, decisions: number): string {
  const isUsual = decisions === SIX_DEFAULT || OTHERS.has(name);
  return isUsual ? name : `${name}, six of ${decisions.toLocaleString('en')}`;
}

function picturesOf(name: string, drawn: readonly string[]): string[] {
  const [file, says] = PICTURE_OF[name] ?? [''];
  return drawn.includes(file) ? [`![${says}](${PICTURES}/${file})`] : [];
}

function sectionOf(name: string, { rows, grid }: BenchFinding, pictures: readonly string[]): Section {
  return { name, rows, below: [...(grid === undefined ? [] : [gridMarkdown(grid)]), ...pictures] };
}

function gridMarkdown({ head, lines }: Grid): string {
  const rule = lineOf(head.map(() => '---'));
  return [lineOf(head), rule, ...lines.map((cells) => lineOf(cells))].join('\n');
}
