import { join, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { operatorCommand } from '../../../src/process/command.ts';
import { runPlainly } from '../../../src/process/fail.ts';
import { number, whole } from '../../../src/process/option-values.ts';
import { BASES, isOneOf } from '../../../src/contract/vocabulary.ts';
import { ownFolder } from '../measure/build.ts';
import { measureAll, prepare, report, say, machineText, docsPage, type Finding } from '../measure/report.ts';
import { allowedCores, keepToCores, measureOnCores } from './on-cores.ts';
import { needSet, type DataSet, type SetWish } from './data.ts';
import { measureEngines } from './engines.ts';
import { ENGINE_PEERS, EnginePeer, type EnginePeerName } from './engines/engine-peer.ts';
import { measureBudgets } from './budgets.ts';
import { measureOverload } from './overload.ts';
import { measureSoak } from './soak.ts';
import { measureEveryday } from './everyday.ts';
import { measureFairness } from './fairness.ts';
import { measureFanOut } from './fan-out.ts';
import { measureFootprint } from './footprint.ts';
import { GENERATORS, GENERATOR_DEFAULT, type Generator } from './generator.ts';
import { measureIngest, measureLoad } from './ingest.ts';
import { measureJudged } from './judged.ts';
import { measureConcurrency } from './concurrency.ts';
import { SIX_DEFAULT, writeDocs } from './docs.ts';
import { ONE, fewer, queriesOf } from './queries.ts';
import type { Bench } from './setting.ts';

const MEASURES = {
  'fan-out': measureFanOut,
  concurrency: measureConcurrency,
  cores: measureOnCores,
  fairness: measureFairness,
  everyday: measureEveryday,
  ingest: measureIngest,
  footprint: measureFootprint,
  engines: measureEngines,
  judged: measureJudged,
  load: measureLoad,
  budgets: measureBudgets,
  overload: measureOverload,
  soak: measureSoak,
} satisfies Record<string, (bench: Bench) => Promise<Finding>>;
type Name = keyof typeof MEASURES;
// The keys of the object above.
const NAMES = Object.keys(MEASURES) as Name[];

const COUNT = whole(1, 100_000_000);
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
  readonly minutes: number;
  readonly json?: string;
  readonly docs?: string | true;
  readonly generator: Generator;
  readonly peers?: readonly EnginePeerName[];
  readonly setup?: readonly EnginePeerName[];
}

const command = operatorCommand(
  'bench',
  'Measures speed and footprint beside what the same work takes otherwise, and the service under hostile searches, overload and long traffic.',
)
  .option('--decisions <n>', 'made-up decisions in each of the six bases', COUNT, SIX_DEFAULT)
  .option('--relevance-decisions <n>', 'decisions of the one base of relevance', COUNT, 1_000_000)
  .option('--largest [n]', 'also one base of this many in what grows (default: 5000000)', COUNT)
  .option('--data <folder>', 'where they are built, once (default: a folder of yours in the temporary one)')
  .addOption(new Option('--only <name...>', 'only these measurements').choices(NAMES))
  .option('--queries <n>', 'most queries of each kind (default: all)', COUNT)
  .option('--rounds <r>', 'rounds of each comparison', COUNT, 7)
  .option('--seconds <s>', 'length of each load in a round', number(0.03, 3_600), 3)
  .option('--minutes <m>', 'length of the soak', number(0.02, 10_080), 10)
  .option('--cores <n>', 'cores that everything shares, the load generator too', COUNT, 2)
  .option('--json <file>', 'write the rows and all figures behind them to a file')
  .option('--docs [page]', 'write results and plots for that page (default: docs/performance.md)')
  .addOption(
    new Option('--generator <name>', 'what sends the loads').choices(GENERATORS).default(GENERATOR_DEFAULT),
  )
  .option('--peers <names>', `measure beside these, of ${ENGINE_PEERS.join(',')}`, parsePeers)
  .option('--setup <names>', 'build these peers, or say what they need, and measure nothing', parsePeers)
  .addHelpText(
    'after',
    '\nRatios are medians of each round’s own, with the lowest and the highest round' +
      '\nin brackets. CPU is user and system time of the whole process that answers, all' +
      '\nits threads; the load comes from other ones on the same machine.' +
      '\nLucene, Tantivy: bun run bench --setup lucene,tantivy. Load' +
      '\ngenerator: apt-get install wrk, else a client of ours.' +
      '\nSettings of the bases (BASES_THREADS, …) in the environment are the service’s.' +
      '\nExits with 1 when something could not be measured or the soak broke a promise; a' +
      '\nmissed aim says NOT in its row.' +
      '\n\nExample:\n  bun run bench --decisions 20000 --only fan-out everyday',
  )
  .allowExcessArguments(false)
  .action((options: Options) =>
    runPlainly('bench', () =>
      options.setup === undefined ? measure(options) : setUp(options, options.setup),
    ),
  );

await command.parseAsync();

async function measure(options: Options): Promise<void> {
  prepare();
  keepToCores(options.cores);
  const means = `; ${allowedCores().length} used; load generator: ${options.generator}`;
  const machine = `${machineText()}${means}`;
  const findings = await measureAll<Bench>(MEASURES, options.only, benchOf(options));
  const { decisions, relevanceDecisions, queries, rounds, seconds } = options;
  const all = { decisions, relevanceDecisions, queries, rounds, seconds, findings };
  report(machine, findings, options.json, all);
  if (options.docs !== undefined)
    await writeDocs(docsPage('performance.md', options.docs), means, findings, decisions);
}

function parsePeers(text: string): EnginePeerName[] {
  const names = text.split(',');
  if (!names.every((name) => isOneOf(ENGINE_PEERS, name)))
    throw new InvalidArgumentError(`Allowed, with commas between them: ${ENGINE_PEERS.join(', ')}.`);
  return names.filter((name) => isOneOf(ENGINE_PEERS, name));
}

function folderOf({ data }: Options): string {
  return data === undefined ? ownFolder('bench') : resolve(data);
}

function enginePeer(name: EnginePeerName, options: Options): EnginePeer {
  return new EnginePeer(name, join(folderOf(options), 'engines'));
}

async function setUp(options: Options, names: readonly EnginePeerName[]): Promise<void> {
  for (const name of names) {
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
  const one = (decisions: number) =>
    need({ name: `one-${decisions}`, decisions, bases: [ONE], withRaw: false });
  const { decisions, relevanceDecisions, largest, queries, rounds, seconds, minutes, generator, peers } =
    options;
  const relevance = () => one(relevanceDecisions);
  const ones = async () => {
    const sets = [await one(Math.max(1, Math.round(relevanceDecisions / SMALLEST_PART))), await relevance()];
    if (largest !== undefined) sets.push(await one(largest === true ? LARGEST_DEFAULT : largest));
    return sets;
  };
  return {
    folder,
    six: (withRaw) => need({ name: `six-${decisions}`, decisions, bases: BASES, withRaw }),
    ones,
    relevance,
    decisions,
    queries: queries === undefined ? queriesOf() : fewer(queriesOf(), queries),
    rounds,
    seconds,
    minutes,
    generator,
    enginePeers: (peers ?? []).map((name) => enginePeer(name, options)),
    say,
  };
}
