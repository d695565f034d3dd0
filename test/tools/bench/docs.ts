import { dirname, join } from 'node:path';
import { makeFolder } from '../../../src/process/files.ts';
import { runHead } from '../measure/run-head.ts';
import { lineOf, writeLastCells, writeSections, type Section } from '../measure/page.ts';
import { ROOT } from '../measure/service.ts';
import { drawPictures } from './pictures.ts';
import type { BenchFinding, Grid } from './setting.ts';

const MARK = 'bench';
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
 */
export async function writeDocs(page: string, means: string, findings: Findings): Promise<void> {
  const measured = Object.entries(findings).filter(([, { isMissing }]) => isMissing !== true);
  const found = Object.fromEntries(measured);
  const folder = join(dirname(page), PICTURES);
  makeFolder(folder);
  const drawn = drawPictures(folder, found).map((file) => file.slice(folder.length + 1));
  const sections = measured.map(([name, finding]) => sectionOf(name, finding, drawn));
  await writeSections(page, MARK, runHead(new Date(), means), sections);
  if (dirname(page) !== join(ROOT, 'docs')) return;
  for (const readme of READMES) {
    const figures = figuresOf(found).map((figure) => figure && figureIn(readme, figure));
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

function sectionOf(name: string, { rows, grid }: BenchFinding, drawn: readonly string[]): Section {
  const [file, says] = PICTURE_OF[name] ?? [''];
  const picture = drawn.includes(file) ? [`![${says}](${PICTURES}/${file})`] : [];
  return { name, rows, below: [...(grid === undefined ? [] : [gridMarkdown(grid)]), ...picture] };
}

function gridMarkdown({ head, lines }: Grid): string {
  const rule = lineOf(head.map(() => '---'));
  return [lineOf(head), rule, ...lines.map((cells) => lineOf(cells))].join('\n');
}
