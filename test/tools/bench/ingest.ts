import { copyFileSync, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Base } from '../../../src/contract/enums.ts';
import { baseFile, basesFolder } from '../../../src/index/format/schema.ts';
import { DecisionMaker, demoLines } from '../../../src/tools/demo/generate.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { SEED } from '../measure/build.ts';
import { info, type Row } from '../measure/finding.ts';
import { ROOT } from '../measure/service.ts';
import { interleaved, ratioOf, short, spreadOf, spreadText, type Cost, type Spread } from './cost.ts';
import { runChild, type DataSet } from './data.ts';
import { ONE } from './queries.ts';
import { withScratch } from './scratch.ts';
import type { Bench, BenchFinding } from './setting.ts';

/** As `bun run ingest` has it. */
export const INGEST_ENVIRONMENT = { BUN_JSC_forceRAMSize: '500000000' };
const RATE_AIM = 0.6;
const CHUNK_MAX = 100_000;
const INCREMENT_MAX = 10_000;
/** Loading into the largest base may cost this many times what it costs into the smallest. */
const GROWTH_AIM = 1.5;
/** Decisions replaced in a second of wall time. */
const REPLACED_AIM = 3_000;

/**
 * The command that users run, as a process, beside one that inserts the same text into a bare FTS5 table. Chunk by
 * chunk: both tables grow alike. The start of a process counts on both sides.
 */
export async function measureIngest(bench: Bench): Promise<BenchFinding> {
  const sets = await bench.ones();
  makeFolder(bench.folder);
  return withScratch(bench.folder, 'ingest', async (folder) => {
    const rate = await rates(bench, folder, sets);
    const growth = await increments(bench, folder, sets);
    const replaced = await replacements(bench, folder, sets);
    return {
      rows: [...rate.rows, ...growth.rows, ...replaced.rows],
      details: { rate: rate.details, growth: growth.details, replaced: replaced.details },
    };
  });
}

async function rates({ rounds, say }: Bench, folder: string, sets: readonly DataSet[]) {
  const chunk = Math.min(CHUNK_MAX, sets.at(-1)?.decisions ?? CHUNK_MAX);
  const lines = (round: number) => writeLines(join(folder, `chunk-${round}.jsonl`), round * chunk, chunk);
  say(`ingest: ${rounds} chunks of ${chunk.toLocaleString('en')}`);
  const bare = (mode: string) => async (round: number) =>
    runBun(['test/tools/bench/bare-ingest.ts', join(folder, `${mode}.db`), lines(round), mode]);
  const [own = [], inserted = [], decoded = []] = await interleaved(rounds, [
    { name: 'ingest', run: (round) => ingest(join(folder, 'own'), lines(round)) },
    { name: 'bare FTS5', run: bare('insert') },
    { name: 'decoding alone', run: bare('decode') },
  ]);
  const perSecond = (costs: readonly Cost[], figure: keyof Cost): Spread =>
    spreadOf(costs.map((cost) => (chunk * 1000) / cost[figure]));
  const ratio = ratioOf(inserted, own);
  const both = (figure: keyof Cost) =>
    [own, inserted].map((costs) => short(perSecond(costs, figure).median)).join(' and ');
  const rows: Row[] = [
    {
      measure: 'ingest to bare FTS5: rate by CPU',
      aim: `>= ${RATE_AIM}`,
      reached: spreadText(ratio),
      ok: ratio.median >= RATE_AIM,
    },
    info('  by wall time', spreadText(ratioOf(inserted, own, 'wallMs'))),
    info('  a second of CPU, own and bare', both('cpuMs')),
    info('  a second of wall time', both('wallMs')),
    info('  to the inserts alone, not decoding', spreadText(ratioOf(without(inserted, decoded), own))),
  ];
  return { rows, details: { chunk, own, inserted, decoded } };
}

/** What the bare table takes when reading and decoding the lines, and starting a process, is not counted to it. */
function without(costs: readonly Cost[], decoded: readonly Cost[]): Cost[] {
  return costs.map(({ cpuMs, wallMs }, at) => ({
    cpuMs: cpuMs - (decoded[at]?.cpuMs ?? 0),
    wallMs: wallMs - (decoded[at]?.wallMs ?? 0),
  }));
}

/** As many decisions into bases of several sizes, each a copy that is thrown away. */
async function increments({ rounds, say }: Bench, folder: string, sets: readonly DataSet[]) {
  const count = Math.min(INCREMENT_MAX, sets[0]?.decisions ?? INCREMENT_MAX);
  const copies = sets.map((set) => {
    return { dataDir: copied(set, join(folder, `grown-${set.decisions}`)), decisions: set.decisions };
  });
  say(`ingest: ${count.toLocaleString('en')} more into ${copies.length} sizes`);
  const found = await interleaved(
    Math.min(rounds, 3),
    copies.map(({ dataDir, decisions }) => ({
      name: String(decisions),
      run: async (round: number) => {
        const file = join(folder, `more-${decisions}.jsonl`);
        return ingest(dataDir, writeLines(file, decisions + round * count, count));
      },
    })),
  );
  const ratio = ratioOf(found.at(-1) ?? [], found[0] ?? []);
  const rows = found.map((costs, at): Row => {
    const size = (copies[at]?.decisions ?? 0).toLocaleString('en');
    const cpu = spreadOf(costs.map(({ cpuMs }) => cpuMs / 1000));
    const wall = spreadOf(costs.map(({ wallMs }) => wallMs / 1000)).median;
    return {
      measure: `${count.toLocaleString('en')} more into ${size}: CPU`,
      aim: '',
      reached: `${spreadText(cpu, ' s')}, ${short(wall)} s wall`,
      ok: null,
    };
  });
  rows.push({
    measure: '  largest to smallest base',
    aim: `<= ${GROWTH_AIM}`,
    reached: spreadText(ratio),
    ok: ratio.median <= GROWTH_AIM,
  });
  return { rows, details: { count, found } };
}

/** Decisions from all over the smallest base are replaced: with all texts changed, and with none of those that are searched. */
async function replacements({ rounds, say }: Bench, folder: string, sets: readonly DataSet[]) {
  const [smallest] = sets;
  if (smallest === undefined) return { rows: [], details: {} };
  const { decisions } = smallest;
  const count = Math.min(INCREMENT_MAX, decisions);
  const dataDir = copied(smallest, join(folder, 'replaced'));
  const size = decisions.toLocaleString('en');
  say(`ingest: ${count.toLocaleString('en')} replaced in ${size}`);
  const maker = new DecisionMaker(ONE, SEED);
  const step = Math.floor(decisions / count);
  const run = (change: (place: number, round: number) => object) => async (round: number) => {
    const lines = Array.from({ length: count }, (_, at) => {
      const { chave, tipo, tribunal } = maker.make(at * step);
      return `${JSON.stringify({ ...change(at * step, round), chave, tipo, tribunal })}\n`;
    });
    const file = join(folder, 'replacing.jsonl');
    writeFileSync(file, lines.join(''));
    return ingest(dataDir, file);
  };
  const kinds = {
    'the same texts': run((place, round) => ({ ...maker.make(place), relator: `RELATOR ${round}` })),
    'other texts': run((place, round) => maker.make(decisions * (round + 1) + place)),
  };
  const names = Object.keys(kinds);
  const found: Cost[][] = [];
  // One kind after the other: what stays as it is depends on what was replaced before.
  for (const [name, replace] of Object.entries(kinds)) {
    const [costs = []] = await interleaved(Math.min(rounds, 3), [{ name, run: replace }]);
    found.push(costs);
  }
  const rows = found.map((costs, at): Row => {
    const rate = spreadOf(costs.map(({ wallMs }) => (count * 1000) / wallMs));
    return {
      measure: `${count.toLocaleString('en')} replaced in ${size} with ${names[at]}, a second`,
      aim: `>= ${REPLACED_AIM}`,
      reached: spreadText(rate),
      ok: rate.median >= REPLACED_AIM,
    };
  });
  return { rows, details: { count, found } };
}

function copied({ dataDir: from }: DataSet, dataDir: string): string {
  makeFolder(basesFolder(dataDir));
  copyFileSync(baseFile(from, ONE), baseFile(dataDir, ONE));
  return dataDir;
}

/** The first made-up decisions of a base, of the one base where none is named, as JSON Lines. */
export function writeDecisions(file: string, count: number, base: Base = ONE): Promise<void> {
  return pipeline(Readable.from(linesOf(base, count)), createWriteStream(file));
}

function* linesOf(base: Base, count: number): Generator<string> {
  for (const line of demoLines(base, count, SEED)) yield `${line}\n`;
}

/** Made-up decisions of the one base from a place in the row of them on. @returns the file. */
export function writeLines(file: string, from: number, count: number): string {
  const maker = new DecisionMaker(ONE, SEED);
  const lines = Array.from({ length: count }, (_, at) => `${JSON.stringify(maker.make(from + at))}\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

export async function ingest(dataDir: string, lines: string): Promise<Cost> {
  const environment = { ...INGEST_ENVIRONMENT, DATA_DIR: dataDir };
  return runBun(['src/ingest/command.ts', ONE, lines, '--strict'], environment);
}

async function runBun(args: readonly string[], environment = {}): Promise<Cost> {
  const [script = '', ...rest] = args;
  const { cpuMs, wallMs } = await runChild([process.execPath, join(ROOT, script), ...rest], environment);
  return { cpuMs, wallMs };
}
