import { copyFileSync, writeFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { baseFile, basesFolder } from '../../../src/index/format/schema.ts';
import { DecisionMaker } from '../../../src/tools/demo/generate.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { INGEST, SEED, writeDecisions, Scratch } from '../measure/build.ts';
import { info, aimed, type Finding, type Row } from '../measure/report.ts';
import { runProgram } from '../../support/run.ts';
import { atMost, interleaved, ratioOf, short, spreadOf, spreadText, type Cost } from './cost.ts';
import type { DataSet } from './data.ts';
import { ONE } from './queries.ts';
import type { Bench } from './setting.ts';
import type { EnginePeer } from './engines/engine-peer.ts';

/** As `bun run ingest` has it. */
export const INGEST_ENVIRONMENT = { BUN_JSC_forceRAMSize: '500000000' };
const INCREMENT_MAX = 10_000;
/** Loading into the largest base may cost this many times what it costs into the smallest. */
const GROWTH_AIM = 1.5;
const REPLACED_AIM = 3_000;
/** A load is long: more rounds tell little more. */
const ROUNDS_MAX = 3;

/** The command that users run, as a process: more decisions into bases of several sizes, and replacements in one. */
export async function measureIngest(bench: Bench): Promise<Finding> {
  const sets = await bench.ones();
  using scratch = new Scratch(bench.folder, 'ingest');
  const growth = await increments(bench, scratch.folder, sets);
  const replaced = await replacements(bench, scratch.folder, sets);
  const details = { growth: growth.details, replaced: replaced.details };
  return { rows: [...growth.rows, ...replaced.rows], details };
}

async function increments({ rounds, say }: Bench, folder: string, sets: readonly DataSet[]) {
  const count = Math.min(INCREMENT_MAX, sets[0]?.decisions ?? INCREMENT_MAX);
  const sides = sets.map((set) => {
    const { decisions } = set;
    const dataDir = copied(set, join(folder, `grown-${decisions}`));
    const file = join(folder, `more-${decisions}.jsonl`);
    const run = (round: number) => ingest(dataDir, writeLines(file, decisions + round * count, count));
    return { name: String(decisions), run };
  });
  say(`ingest: ${count.toLocaleString('en')} more into ${sides.length} sizes`);
  const found = await interleaved(Math.min(rounds, ROUNDS_MAX), sides);
  const ratio = ratioOf(found.at(-1) ?? [], found[0] ?? []);
  const rows = found.map((costs, at): Row => {
    const size = (sets[at]?.decisions ?? 0).toLocaleString('en');
    const cpu = spreadOf(costs.map(({ cpuMs }) => cpuMs / 1000));
    const wall = short(spreadOf(costs.map(({ wallMs }) => wallMs / 1000)).median);
    const name = `${count.toLocaleString('en')} more into ${size}: CPU`;
    return info(name, `${spreadText(cpu, ' s')}, ${wall} s wall`);
  });
  rows.push(atMost('  largest to smallest base', ratio, GROWTH_AIM));
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
    const [costs = []] = await interleaved(Math.min(rounds, ROUNDS_MAX), [{ name, run: replace }]);
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

/** Made-up decisions of the one base from a place in the row of them on. @returns the file. */
function writeLines(file: string, from: number, count: number): string {
  const maker = new DecisionMaker(ONE, SEED);
  const lines = Array.from({ length: count }, (_, at) => `${JSON.stringify(maker.make(from + at))}\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

async function ingest(dataDir: string, lines: string): Promise<Cost> {
  const environment = { ...INGEST_ENVIRONMENT, DATA_DIR: dataDir };
  return runProgram([...INGEST, ONE, lines, '--strict'], { environment });
}

const CPU_AIM = 0.9;
const MEMORY_AIM_MB = 500;
const MB = 1_000_000;

interface LoadOf extends Cost {
  /** The most that the process held, with the pages of files that it had mapped. */
  readonly memoryMb: number;
  readonly bytes: number;
}

/** All decisions of one base loaded into an empty one, next to peers that index the same file: each as a process. */
export async function measureLoad(bench: Bench): Promise<Finding> {
  const { rounds, say } = bench;
  const peers = bench.enginePeers.filter((peer) => peer.isSetUp);
  using scratch = new Scratch(bench.folder, 'load');
  const { folder } = scratch;
  const jsonl = join(folder, 'decisions.jsonl');
  await writeDecisions(jsonl, bench.decisions, ONE);
  const sides = [
    { name: 'the service', run: () => ownLoad(join(folder, 'own'), jsonl) },
    ...peers.map((peer) => ({ name: peer.title, run: () => peerLoad(peer, join(folder, 'peer'), jsonl) })),
  ];
  say(`load: ${bench.decisions.toLocaleString('en')} decisions, ${sides.length} sides`);
  const found = await interleaved<LoadOf>(Math.min(rounds, ROUNDS_MAX), sides);
  const jsonlBytes = statSync(jsonl).size;
  const rows = found.flatMap((loads, at) => rowsOf(sides[at]?.name ?? '', loads, jsonlBytes, found[1]));
  const measured = `${bench.decisions.toLocaleString('en')} decisions of ${ONE}, ${short(jsonlBytes / MB)} MB of JSON Lines`;
  rows.push(info('  measured with', measured));
  return { rows, details: { decisions: bench.decisions, jsonlBytes, found } };
}

async function ownLoad(dataDir: string, jsonl: string): Promise<LoadOf> {
  rmSync(dataDir, { recursive: true, force: true });
  const environment = { ...INGEST_ENVIRONMENT, DATA_DIR: dataDir };
  const run = await runProgram([...INGEST, ONE, jsonl], { environment });
  return { ...run, bytes: statSync(baseFile(dataDir, ONE)).size };
}

async function peerLoad(peer: EnginePeer, folder: string, jsonl: string): Promise<LoadOf> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const run = await peer.load(jsonl, folder);
  const files = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return { ...run, bytes: files.reduce((sum, size) => sum + size, 0) };
}

/** The first peer is what the aim is of; the first side is the service. */
function rowsOf(
  name: string,
  loads: readonly LoadOf[],
  jsonlBytes: number,
  peer: readonly LoadOf[] = [],
): Row[] {
  const median = (figure: (of: LoadOf) => number) => spreadOf(loads.map(figure)).median;
  const isOwn = name === 'the service';
  const memory = median(({ memoryMb }) => memoryMb);
  const cpu = median(({ cpuMs }) => cpuMs / 1000);
  const figures = `CPU ${short(cpu)} s, ${short(median(({ wallMs }) => wallMs / 1000))} s wall`;
  const size = short(median(({ bytes }) => bytes) / jsonlBytes);
  const rows = [info(name, `${figures}, ${short(memory)} MB of memory, file ${size} of its JSON Lines`)];
  if (!isOwn) return rows;
  rows.push(aimed('  memory', memory, MEMORY_AIM_MB, ' MB', `${short(memory)} MB`));
  if (peer.length === 0) return rows;
  const ratio = ratioOf(loads, peer).median;
  return [...rows, aimed('  CPU to the first peer', ratio, CPU_AIM, '', short(ratio))];
}
