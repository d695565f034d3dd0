import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../measure/finding.ts';
import { cpuOf, type Cost } from './cost.ts';
import type { Growth } from './everyday.ts';
import { barPlot, growthPlot, type BarGroup } from './plots.ts';

/** What most users wait for, so that the lines can be told apart. */
const SHOWN = [
  'count to 1,000, and one row',
  'recency',
  'recency, one type and month',
  'relevance, ordinary words',
  'relevance, very common word',
  'prefix of 4, relevance',
  'phrases, relevance',
  'record read',
];

/** Draws what was measured; what was not is left as it is. @returns the files written. */
export function drawPictures(folder: string, findings: Readonly<Record<string, Finding>>): string[] {
  const written: string[] = [];
  const draw = (name: string, svg: string) => {
    const file = join(folder, name);
    writeFileSync(file, svg);
    written.push(file);
  };
  // Each measurement's details have the shape that it gave them.
  const details = (name: string) => findings[name]?.details as Record<string, unknown> | null | undefined;
  const growth = details('everyday')?.['growth'] as Growth | undefined;
  if (growth !== undefined) draw('growth.svg', drawGrowth(growth));
  const peers = details('peers');
  if (peers !== undefined && peers !== null) draw('peers.svg', drawPeers(peers));
  const { counts, rates } = (details('cores') ?? {}) as Partial<OnCores>;
  if (counts !== undefined && rates !== undefined) draw('cores.svg', drawCores({ counts, rates }));
  const fanOut = details('fan-out');
  if (fanOut !== undefined && fanOut !== null) draw('fan-out.svg', drawFanOut(fanOut));
  return written;
}

function drawGrowth(growth: Growth): string {
  const lines = SHOWN.flatMap((name) => {
    const cells = growth[name];
    return cells === undefined
      ? []
      : [{ name, points: cells.map(({ decisions, p50Ms }) => ({ size: decisions, ms: p50Ms })) }];
  });
  return growthPlot('How cost grows with the base', 'median of a request over HTTP, milliseconds', lines);
}

interface OnCores {
  readonly counts: readonly number[];
  /** Requests a second at each of the counts. */
  readonly rates: Readonly<Record<string, readonly number[]>>;
}

function drawCores({ counts, rates }: OnCores): string {
  return barPlot(
    'Searches of six bases a second, by cores of the service',
    'users’ words by relevance, 32 at a time; logarithmic, longer is better',
    counts.map((count) => `${count} ${count === 1 ? 'core' : 'cores'}`),
    Object.entries(rates).map(([name, values]) => ({ name, values })),
    '/s',
  );
}

type Sides = Readonly<Record<string, readonly Cost[]>>;

function groupsOf(details: Record<string, unknown>, sides: readonly string[]): BarGroup[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null || !sides.every((side) => side in value)) return [];
    // The costs of each side, as the measurement gave them.
    const costs = value as Sides;
    const values = sides.map((side) => {
      const rounds = costs[side] ?? [];
      return rounds.length === 0 ? null : cpuOf(rounds).median;
    });
    return [{ name, values }];
  });
}

function drawPeers(details: Record<string, unknown>): string {
  const decisions = Number(details['decisions']).toLocaleString('en');
  return barPlot(
    'CPU of one request or query, beside its peers',
    `one base of ${decisions} decisions, ${String(details['together'])} at a time; milliseconds, logarithmic, shorter is better`,
    ['service over HTTP', 'PostgreSQL 15', 'its engine alone', 'raw FTS5 in-process'],
    groupsOf(details, ['httpTogether', 'postgresTogether', 'engine', 'raw']),
  );
}

function drawFanOut(details: Record<string, unknown>): string {
  const decisions = Number(details['decisions']).toLocaleString('en');
  return barPlot(
    'CPU of one search of six bases',
    `six bases of ${decisions} decisions; milliseconds, logarithmic, shorter is better`,
    ['HTTP, 32 connections', 'HTTP, one', 'raw FTS5, no server', 'the same, rows written'],
    groupsOf(details, ['http', 'alone', 'raw', 'rendered']),
  );
}
