import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { PlainError, explain, runPlainly } from '../../../src/process/fail.ts';
import { BASES, isOneOf } from '../../../src/contract/enums.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { BIG, ownFolder } from '../measure/build.ts';
import { parseCount, parseSecondsFrom } from '../measure/options.ts';
import { needLinux } from '../measure/process.ts';
import { machineText, paragraph, table } from '../measure/report.ts';
import { docsPage } from '../measure/run-head.ts';
import type { Row } from '../measure/finding.ts';
import { allowedCores, keepToCores } from './cores.ts';
import { needSet, type DataSet, type SetWish } from './data.ts';
import { measureEngines } from './engines.ts';
import { ENGINE_PEERS, EnginePeer, type EnginePeerName } from './engines/engine-peer.ts';
import { gridText, measureEveryday } from './everyday.ts';
import { measureFairness } from './fairness.ts';
import { measureFanOut } from './fan-out.ts';
import { measureFootprint } from './footprint.ts';
import { measureOnCores } from './on-cores.ts';
import { GENERATORS, GENERATOR_DEFAULT, type Generator } from './generator.ts';
import { measureInThread } from './in-thread.ts';
import { measureIngest } from './ingest.ts';
import { measureLoad } from './load.ts';
import { measurePeers } from './peers.ts';
import { measureClusterFaults } from './cluster-faults.ts';
import { measureCluster } from './cluster.ts';
import { measureConcurrency } from './concurrency.ts';
import { measureProcesses } from './processes.ts';
import { measurePublish } from './publish.ts';
import { Postgres } from './postgres.ts';
import { drawPictures } from './pictures.ts';
import { SIX_DEFAULT, writeDocs } from './docs.ts';
import { ONE, fewer, queriesOf } from './queries.ts';
import { measureRelevance } from './relevance.ts';
import { measureRoutes } from './routes.ts';
import type { Bench, BenchFinding } from './setting.ts';

const MEASURES = {
  'fan-out': measureFanOut,
  concurrency: measureConcurrency,
  cores: measureOnCores,
  fairness: measureFairness,
  relevance: measureRelevance,
  everyday: measureEveryday,
  routes: measureRoutes,
  ingest: measureIngest,
  footprint: measureFootprint,
  peers: measurePeers,
  engines: measureEngines,
  'in-thread': measureInThread,
  load: measureLoad,
  processes: measureProcesses,
  cluster: measureCluster,
  'cluster-faults': measureClusterFaults,
  publish: measurePublish,
} satisfies Record<string, (bench: Bench) => Promise<BenchFinding>>;
type Name = keyof typeof MEASURES;
// The keys of the object above.
const NAMES = Object.keys(MEASURES) as Name[];

const LARGEST_DEFAULT = 5_000_000;
/** The smallest size of the measurements by size is this part of the one of relevance. */
const SMALLEST_PART = 10;

interface Options {
  readonly decisions: number;
  readonly relevanceDecisions: number;
  readonly largest?: number | true;
  readonly data?: string;
  readonly only?: Name[];
  readonly queries?: number;
  readonly rounds: number;
  readonly cores: number;
  readonly seconds: number;
  readonly json?: string;
  readonly plots?: string;
  readonly docs?: string | true;
  readonly generator: Generator;
  readonly peers: readonly Peer[] | false;
  readonly setup?: readonly Peer[];
}

const PEERS = [...ENGINE_PEERS, 'postgres'] as const;
type Peer = (typeof PEERS)[number];

const command = new Command('bench')
  .description('Measures speed and footprint side by side with what the same work takes otherwise.')
  .option('--decisions <n>', 'made-up decisions in each of the six bases', parseCount, SIX_DEFAULT)
  .option('--relevance-decisions <n>', 'decisions of the one base of relevance', parseCount, 1_000_000)
  .option('--largest [n]', 'also one base of this many in what grows (default: 5000000)', parseCount)
  .option('--data <folder>', 'where they are built, once (default: a folder of yours in the temporary one)')
  .addOption(new Option('--only <name...>', 'only these measurements').choices(NAMES))
  .option('--queries <n>', 'most queries of each kind (default: all)', parseCount)
  .option('--rounds <r>', 'rounds of each comparison', parseCount, 7)
  .option('--seconds <s>', 'length of each load in a round', parseSecondsFrom(0.03), 3)
  .option('--cores <n>', 'cores that everything shares, the load generator too', parseCount, 2)
  .option('--json <file>', 'write the rows and all figures behind them to a file')
  .option('--plots <folder>', 'draw growth.svg, fan-out.svg, peers.svg and cores.svg there')
  .option('--docs [page]', 'write results and plots for that page (default: docs/performance.md)')
  .addOption(
    new Option('--generator <name>', 'what sends the loads').choices(GENERATORS).default(GENERATOR_DEFAULT),
  )
  .option('--peers <names>', `measure beside these, of ${PEERS.join(',')}`, parsePeers, ['postgres'] as const)
  .option('--no-peers', 'measure beside none of them')
  .option('--setup <names>', 'build these peers, or say what they need, and measure nothing', parsePeers)
  .addHelpText(
    'after',
    '\nRatios are medians of each round’s own, with the lowest and the highest round' +
      '\nin brackets. CPU is user and system time of the whole process that answers, all' +
      '\nits threads; the load comes from other ones on the same machine.' +
      '\nPostgreSQL: apt-get install postgresql-15. Lucene, Tantivy: bun run bench' +
      '\n--setup lucene,tantivy. Load generator: apt-get install wrk, else a client of' +
      '\nours.' +
      '\nExits with 1 when something could not be measured; a missed aim says NOT in its' +
      '\nrow.' +
      '\n\nExample:\n  bun run bench --decisions 20000 --only fan-out relevance',
  )
  .showHelpAfterError('(run with --help for the usage)')
  .allowExcessArguments(false)
  .action((options: Options) =>
    runPlainly('bench', () =>
      options.setup === undefined ? measure(options) : setUp(options, options.setup),
    ),
  );

await command.parseAsync();

async function measure(options: Options): Promise<void> {
  process.umask(0o077);
  needLinux();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  keepToCores(options.cores);
  const means = `; ${allowedCores().length} used; load generator: ${options.generator}`;
  const machine = `${machineText()}${means}`;
  const bench = benchOf(options);
  const findings: Record<string, BenchFinding> = {};
  for (const name of NAMES) {
    if (options.only !== undefined && !options.only.includes(name)) continue;
    findings[name] = await finish(name, bench);
  }
  const sections = new Map<string, readonly Row[]>();
  for (const [name, { rows }] of Object.entries(findings)) sections.set(name, rows);
  const tables = Object.values(findings).flatMap(({ grid }) => (grid === undefined ? [] : [gridText(grid)]));
  console.log([table(sections), ...tables, paragraph(machine)].join('\n\n'));
  if (options.plots !== undefined) {
    makeFolder(resolve(options.plots));
    for (const file of drawPictures(resolve(options.plots), findings)) say(`drawn: ${file}`);
  }
  if (options.docs !== undefined) {
    const page = options.docs === true ? docsPage('performance.md') : resolve(options.docs);
    await writeDocs(page, means, findings, options.decisions);
  }
  if (options.json !== undefined) {
    const { decisions, relevanceDecisions, queries, rounds, seconds } = options;
    const all = { machine, decisions, relevanceDecisions, queries, rounds, seconds, findings };
    writeFileSync(options.json, `${JSON.stringify(all, null, 1)}\n`);
  }
}

function parsePeers(text: string): Peer[] {
  const names = text.split(',');
  if (!names.every((name) => isOneOf(PEERS, name)))
    throw new InvalidArgumentError(`Allowed, with commas between them: ${PEERS.join(', ')}.`);
  return names.filter((name) => isOneOf(PEERS, name));
}

function folderOf({ data }: Options): string {
  return data === undefined ? ownFolder('bench') : resolve(data);
}

function enginePeer(name: EnginePeerName, options: Options): EnginePeer {
  return new EnginePeer(name, join(folderOf(options), 'engines'));
}

async function setUp(options: Options, names: readonly Peer[]): Promise<void> {
  for (const name of names) {
    if (name === 'postgres') {
      if (!Postgres.isInstalled()) throw new PlainError('PostgreSQL 15 needs apt-get install postgresql-15');
      continue;
    }
    say(`setting up ${name}`);
    await enginePeer(name, options).setUp();
  }
  console.log(`ready: ${names.join(', ')}`);
}

function benchOf(options: Options): Bench {
  const folder = folderOf(options);
  const built = new Map<string, Promise<DataSet>>();
  const need = (wish: SetWish) => {
    const key = `${wish.name} ${wish.withRaw}`;
    const found = built.get(key) ?? needSet(folder, wish, say);
    built.set(key, found);
    return found;
  };
  const one = (decisions: number, withRaw: boolean) =>
    need({ name: `one-${decisions}`, decisions, bases: [ONE], withRaw });
  const { decisions, relevanceDecisions, largest, queries, rounds, seconds, generator, peers } = options;
  const relevance = () => one(relevanceDecisions, true);
  const ones = async () => {
    const sets = [
      await one(Math.max(1, Math.round(relevanceDecisions / SMALLEST_PART)), false),
      await relevance(),
    ];
    if (largest !== undefined) sets.push(await one(largest === true ? LARGEST_DEFAULT : largest, false));
    return sets;
  };
  return {
    folder,
    six: (withRaw) => need({ name: `six-${decisions}`, decisions, bases: BASES, withRaw }),
    big: () => need({ name: `big-${decisions}`, decisions, bases: [BIG], withRaw: false }),
    ones,
    relevance,
    decisions,
    queries: queries === undefined ? queriesOf() : fewer(queriesOf(), queries),
    rounds,
    seconds,
    generator,
    withPostgres: peers !== false && peers.includes('postgres'),
    enginePeers: ENGINE_PEERS.filter((name) => peers !== false && peers.includes(name)).map((name) =>
      enginePeer(name, options),
    ),
    say,
  };
}

/** One measurement that cannot be made leaves the others their turn. */
async function finish(name: Name, bench: Bench): Promise<BenchFinding> {
  try {
    return await MEASURES[name](bench);
  } catch (error) {
    process.exitCode = 1;
    const reached = `not measured: ${explain(error)}`;
    return { rows: [{ measure: name, aim: '', reached, ok: false }], details: null, isMissing: true };
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
