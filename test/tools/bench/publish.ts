import { join } from 'node:path';
import { baseFile } from '../../../src/index/format/schema.ts';
import { PlainError } from '../../../src/process/fail.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { startNatsServer } from '../../../src/tools/cluster/nats.ts';
import { BIG, INGEST, SEED, Scratch } from '../measure/build.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { atMost, short, spreadOf, spreadText } from './cost.ts';
import { runProgram } from '../../support/run.ts';
import type { DataSet } from './data.ts';
import { Publisher, startNode, withNatsServer, type StartedNode } from './started-cluster.ts';
import type { Bench } from './setting.ts';

/** Decisions loaded before each publication, all of them new. */
const NEW = 1_000;
const NODES = 2;
/** Publications that are not counted: the first goes whole to nodes that have nothing, and the publisher keeps two files. */
const FIRST = 2;
const AIM_S = 5;
const AIM_MB = 30;
const TAKEN_MS_MAX = 120_000;
const POLL_MS = 5;

/** What a node logs of a file that it has taken. */
interface Taken {
  readonly time: string;
  readonly generation: number;
  readonly bytes_moved: number;
  readonly fetched_ms: number;
}

interface Publication {
  /** From the start of the command to its end, and until the last node answers from the new file; seconds. */
  readonly commandS: number;
  readonly allS: number;
  /** From a node's first look at the manifest until it has fetched and verified the file. */
  readonly fetchedS: readonly number[];
  readonly movedMB: readonly number[];
}

/** Publishing new decisions of one base to two nodes, all on this machine: how long it takes, and what is sent. */
export async function measurePublish(bench: Bench): Promise<Finding> {
  return withNatsServer('publish', async (binary) => {
    const set = await bench.six(false);
    using scratch = new Scratch(bench.folder, 'publish');
    const publications = await publishOften(bench, set, scratch.folder, binary);
    const { size } = Bun.file(baseFile(join(scratch.folder, 'publisher'), BIG));
    return { rows: rowsOf(publications, set.decisions, size), details: { publications } };
  });
}

async function publishOften(
  bench: Bench,
  set: DataSet,
  folder: string,
  binary: string,
): Promise<Publication[]> {
  await using ends = new AsyncDisposableStack();
  const nats = await startNatsServer(binary, folder, (program) => ends.use(program));
  const publisher = ends.use(await Publisher.start(folder, set.dataDir, BIG, nats.url));
  const environment = { BASES_SERVED: BIG, BASES_THREADS: '1', LOG_LEVEL: 'info' };
  const nodes: StartedNode[] = [];
  for (let at = 1; at <= NODES; at += 1)
    nodes.push(ends.use(await startNode(folder, `n${at}`, nats.url, environment)));
  const publications: Publication[] = [];
  for (let round = 1 - FIRST; round <= bench.rounds; round += 1) {
    if (round > 1 - FIRST) await loadNew(publisher.dataDir, SEED + FIRST + round);
    const publication = await publishOnce(publisher, nodes);
    if (round < 1) continue;
    publications.push(publication);
    bench.say(`publish: round ${round} took ${short(publication.allS)} s`);
  }
  return publications;
}

async function loadNew(dataDir: string, seed: number): Promise<void> {
  const lines = [...demoLines(BIG, NEW, seed)].join('\n');
  const { text } = await runProgram([...INGEST, BIG, '-'], {
    environment: { DATA_DIR: dataDir },
    input: lines,
  });
  if (!text.includes(`${BIG}: ${NEW} added`)) throw new PlainError(`not loaded: ${text.trim()}`);
}

async function publishOnce(publisher: Publisher, nodes: readonly StartedNode[]): Promise<Publication> {
  const startedAt = Date.now();
  const generation = await publisher.publish();
  const endedAt = Date.now();
  const taken: Taken[] = [];
  for (const node of nodes) taken.push(await takenBy(node, generation));
  return {
    commandS: (endedAt - startedAt) / 1_000,
    allS: (Math.max(...taken.map(({ time }) => Date.parse(time))) - startedAt) / 1_000,
    fetchedS: taken.map(({ fetched_ms: ms }) => ms / 1_000),
    movedMB: taken.map(({ bytes_moved: bytes }) => bytes / 1e6),
  };
}

async function takenBy({ child }: StartedNode, generation: number): Promise<Taken> {
  const until = performance.now() + TAKEN_MS_MAX;
  for (;;) {
    for (const line of child.err().split('\n').slice(0, -1)) {
      if (!line.includes('base file taken')) continue;
      // A line of the node's log, which is JSON.
      const taken = JSON.parse(line) as Taken;
      if (taken.generation === generation) return taken;
    }
    child.needRunning();
    if (performance.now() > until) throw new PlainError(`a node does not take generation ${generation}`);
    await Bun.sleep(POLL_MS);
  }
}

function rowsOf(publications: readonly Publication[], decisions: number, bytes: number): Row[] {
  const into = `${NEW.toLocaleString('en')} into ${decisions.toLocaleString('en')} (${short(bytes / 1e6)} MB)`;
  const of = (figure: keyof Publication) => spreadOf(publications.flatMap((one) => one[figure]));
  return [
    atMost(`${into}: to both nodes`, of('allS'), AIM_S, ' s'),
    info('  of it the command', spreadText(of('commandS'), ' s')),
    info('  of it a node’s copy', spreadText(of('fetchedS'), ' s')),
    atMost('  moved to a node', of('movedMB'), AIM_MB, ' MB'),
  ];
}
