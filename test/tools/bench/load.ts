import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { baseFile } from '../../../src/index/format/schema.ts';
import { INGEST, writeDecisions } from '../measure/build.ts';
import { aimed, info, type Finding, type Row } from '../measure/finding.ts';
import { runProgram } from '../../support/run.ts';
import { interleaved, ratioOf, short, spreadOf, type Cost } from './cost.ts';
import type { EnginePeer } from './engines/engine-peer.ts';
import { INGEST_ENVIRONMENT } from './ingest.ts';
import { ONE } from './queries.ts';
import { withScratch } from './scratch.ts';
import type { Bench } from './setting.ts';

const CPU_AIM = 0.9;
const MEMORY_AIM_MB = 500;
/** A load is long: more rounds tell little more. */
const ROUNDS_MAX = 3;
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
  return withScratch(bench.folder, 'load', async (folder) => {
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
  });
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
