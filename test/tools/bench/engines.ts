import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ORDENS, type Base, type Ordem } from '../../../src/contract/vocabulary.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { searchAsk } from '../measure/load.ts';
import { writeDecisions } from '../measure/build.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { cpuOf, repeated, short, serially, type Cost } from './cost.ts';
import type { DataSet } from './data.ts';
import type { EnginePeer } from './engines/engine-peer.ts';
import { ONE, type Queries } from './queries.ts';
import { loadCost, startWarm, type Bench, type Running } from './setting.ts';

const LIMIT = 20;
const CONNECTIONS = 32;
const LEFT_OUT = 'left out: --peers lucene,tantivy';

interface Indexed {
  readonly peer: EnginePeer;
  readonly indexes: readonly string[];
}

/** What is asked of some bases, by name, and how the service is asked for it. */
interface Part {
  readonly set: DataSet;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly ask: (bench: Bench, running: Running, queries: readonly string[], ordem: Ordem) => Promise<Cost[]>;
}

/**
 * The service over HTTP next to engines that run in process, in one thread: one search at a time on one large base, and
 * many at a time on all six. A phrase weighs as its words here and as itself there: the same matches in another order. A
 * prefix is not scored there.
 */
export async function measureEngines(bench: Bench): Promise<Finding> {
  const rows = notSetUp(bench);
  const [one, six] = [await bench.relevance(), await bench.six(false)];
  const details: Record<string, unknown> = { base: ONE, decisions: one.decisions, of_six: six.decisions };
  const { queries } = bench;
  const parts: Part[] = [
    { set: one, lists: listsOf(queries), ask: askOneByOne },
    { set: six, lists: sixListsOf(queries), ask: askMany },
  ];
  for (const part of parts) rows.push(...(await measurePart(bench, part, details)));
  const sizes = [one, six].map(({ decisions }) => decisions.toLocaleString('en'));
  const measured = `CPU of a search, the others in process; ${ONE} of ${sizes[0]}, six bases of ${sizes[1]}`;
  rows.push(info('  measured with', measured));
  return { rows, details };
}

/** A row for each peer that was asked for and cannot run. */
function notSetUp({ enginePeers }: Bench): Row[] {
  const missing = enginePeers.filter((peer) => !peer.isSetUp);
  return missing.map(({ title }) => info(title, 'not set up, left out: bench --setup'));
}

async function measurePart(
  bench: Bench,
  { set, lists, ask }: Part,
  details: Record<string, unknown>,
): Promise<Row[]> {
  const peers = await indexed(bench, set);
  const rows: Row[] = [];
  await using running = await startWarm(set, bench);
  for (const [name, queries] of Object.entries(lists)) {
    for (const ordem of ORDENS) {
      const title = `${name}, ${ORDER_NAMES[ordem]}`;
      bench.say(`engines: ${title}`);
      const own = await ask(bench, running, queries, ordem);
      const found = await peerCosts(bench, peers, { queries, ordem });
      rows.push(rowOf(title, cpuOf(own).median, found));
      details[title] = { own, ...Object.fromEntries(found) };
    }
  }
  return rows;
}

async function askOneByOne(
  bench: Bench,
  { service, key }: Running,
  queries: readonly string[],
  ordem: Ordem,
): Promise<Cost[]> {
  using client = new HttpClient(service.url, 1);
  const asks = queries.map((q) => searchAsk(key, q, ordem, ONE, LIMIT));
  return await repeated(bench.rounds, () => serially(service, client, asks, workMsOf(bench)));
}

async function askMany(
  { rounds, seconds, generator }: Bench,
  { service, key }: Running,
  queries: readonly string[],
  ordem: Ordem,
): Promise<Cost[]> {
  const asks = queries.map((q) => searchAsk(key, q, ordem, null, LIMIT));
  const wish = { asks, connections: CONNECTIONS, seconds, generator, byRelevance: ordem === 'relevancia' };
  return repeated(rounds, async () => {
    const cost = await loadCost(service, wish);
    if (cost.load.failed > 0) throw new Error(`answers not whole: ${cost.load.failed}`);
    return cost;
  });
}

const ORDER_NAMES: Readonly<Record<Ordem, string>> = { relevancia: 'relevance', recentes: 'recency' };

function listsOf({ veryCommon, twoCommon, ordinary, three, phrasesOfAll, prefixes }: Queries) {
  return {
    'one very common word': [veryCommon],
    'two common words': [twoCommon],
    'two ordinary words': ordinary,
    'three words': three,
    'phrases of two words': phrasesOfAll,
    'prefixes of five letters': prefixes[4] ?? [],
  };
}

function sixListsOf({ users, areReal, ordinary }: Queries) {
  // What the peers read as the service does: words alone, which all must be there.
  const plain = users.filter((q) => /^[\p{L}\p{N} ]+$/u.test(q) && !/\b(?:AND|OR|NOT|NEAR)\b/u.test(q));
  const name = areReal ? 'real queries' : 'own queries';
  return { [`six bases, ${name}`]: plain, 'six bases, two ordinary words': ordinary };
}

/** The decisions are written out for those that have not indexed them yet. */
async function indexed(bench: Bench, { bases, decisions }: DataSet): Promise<Indexed[]> {
  const folder = join(bench.folder, 'engines');
  makeFolder(folder);
  const ready = bench.enginePeers.filter((peer) => peer.isSetUp);
  const found = ready.map((peer) => ({ peer, indexes: [] as string[] }));
  for (const base of bases) {
    const indexes = await indexBase(bench, ready, { base, decisions, folder });
    for (const [at, index] of indexes.entries()) found[at]?.indexes.push(index);
  }
  return found;
}

async function indexBase(
  bench: Bench,
  peers: readonly EnginePeer[],
  { base, decisions, folder }: { readonly base: Base; readonly decisions: number; readonly folder: string },
): Promise<string[]> {
  const name = `${base}-${decisions}`;
  const jsonl = join(folder, `${name}.jsonl`);
  const missing = peers.filter((peer) => !peer.hasIndex(name));
  if (missing.length > 0) {
    const titles = missing.map(({ title }) => title).join(' and ');
    bench.say(`engines: indexing ${decisions.toLocaleString('en')} decisions of ${base} with ${titles}`);
    await writeDecisions(jsonl, decisions, base);
  }
  try {
    const indexes: string[] = [];
    for (const peer of peers) indexes.push(await peer.index(jsonl, name));
    return indexes;
  } finally {
    rmSync(jsonl, { force: true });
  }
}

async function peerCosts(
  bench: Bench,
  peers: readonly Indexed[],
  { queries, ordem }: { readonly queries: readonly string[]; readonly ordem: Ordem },
): Promise<Map<string, number>> {
  const list = writeQueries(bench, queries);
  const found = new Map<string, number>();
  for (const { peer, indexes } of peers)
    found.set(peer.title, (await peer.query(indexes, list, ordem, workMsOf(bench))).cpuMs);
  return found;
}

function writeQueries({ folder }: Bench, queries: readonly string[]): string {
  const list = join(folder, 'engines', 'queries.txt');
  writeFileSync(list, `${queries.join('\n')}\n`);
  return list;
}

/** How long each side searches in a round, once it is warm. */
function workMsOf({ seconds }: Bench): number {
  return (seconds * 1000) / 2;
}

function rowOf(measure: string, ownMs: number, peers: ReadonlyMap<string, number>): Row {
  if (peers.size === 0) return info(measure, `${short(ownMs)} ms; ${LEFT_OUT}`);
  const others = [...peers].map(([title, ms]) => `${title} ${short(ms)}`).join(', ');
  const [[first, firstMs] = ['', 0]] = peers;
  return { measure, aim: `<= ${first}`, reached: `${short(ownMs)} ms; ${others}`, ok: ownMs <= firstMs };
}
