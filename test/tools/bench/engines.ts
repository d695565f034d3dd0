import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ORDENS, type Ordem } from '../../../src/contract/enums.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { searchAsk } from '../measure/asks.ts';
import { SEED } from '../measure/build.ts';
import type { Row } from '../measure/finding.ts';
import { cpuOf, interleaved, short } from './cost.ts';
import type { EnginePeer } from './engines/engine-peer.ts';
import { ONE, type Queries } from './queries.ts';
import { serially } from './serially.ts';
import { withService, type Bench, type BenchFinding } from './setting.ts';

const LIMIT = 20;
/** Searches of a peer for each row, after a third of them to warm up. */
const PEER_SEARCHES = 600;
const LEFT_OUT = 'left out: --peers lucene,tantivy';

interface Indexed {
  readonly peer: EnginePeer;
  readonly index: string;
}

/**
 * The service over HTTP beside engines that run in process, one search at a time on one large base. A phrase weighs as its
 * words here and as itself there: the same matches in another order. A prefix is not scored there.
 */
export async function measureEngines(bench: Bench): Promise<BenchFinding> {
  const set = await bench.relevance();
  const ready = bench.enginePeers.filter((peer) => peer.isSetUp);
  const rows: Row[] = bench.enginePeers
    .filter((peer) => !peer.isSetUp)
    .map(({ title }) => ({
      measure: title,
      aim: '',
      reached: 'not set up, left out: bench --setup',
      ok: null,
    }));
  const peers = await indexed(bench, ready, set.decisions);
  const details: Record<string, unknown> = { base: ONE, decisions: set.decisions };
  await withService(set, bench, async ({ service, key }) => {
    const client = new HttpClient(service.url, 1);
    for (const [name, queries] of Object.entries(listsOf(bench.queries))) {
      for (const ordem of ORDENS) {
        bench.say(`engines: ${name}, ${ordem}`);
        const asks = queries.map((q) => searchAsk(key, q, ordem, ONE, LIMIT));
        const run = () => serially(service, client, asks, (bench.seconds * 1000) / 2);
        await run();
        const [own = []] = await interleaved(bench.rounds, [{ name: 'http', run }]);
        const found = await peerCosts(bench, peers, { queries, ordem });
        rows.push(rowOf(`${name}, ${ORDER_NAMES[ordem]}`, cpuOf(own).median, found));
        details[`${name}, ${ordem}`] = { own, ...Object.fromEntries(found) };
      }
    }
    client.close();
  });
  const measured = `CPU of a search, the service over HTTP, the others in process; ${ONE} of ${set.decisions.toLocaleString('en')}`;
  rows.push({ measure: '  measured with', aim: '', reached: measured, ok: null });
  return { rows, details };
}

const ORDER_NAMES: Readonly<Record<Ordem, string>> = { relevancia: 'relevance', recentes: 'recency' };

function listsOf({ veryCommon, twoCommon, ordinary, phrasesOfAll, prefixes }: Queries) {
  return {
    'one very common word': [veryCommon],
    'two common words': [twoCommon],
    'two ordinary words': ordinary,
    'phrases of two words': phrasesOfAll,
    'prefixes of five letters': prefixes[4] ?? [],
  };
}

/** The decisions are written out for those that have not indexed them yet. */
async function indexed(bench: Bench, peers: readonly EnginePeer[], decisions: number): Promise<Indexed[]> {
  const name = `${ONE}-${decisions}`;
  const found: Indexed[] = [];
  const folder = join(bench.folder, 'engines');
  makeFolder(folder);
  const jsonl = join(folder, `${name}.jsonl`);
  let isWritten = false;
  for (const peer of peers) {
    if (!peer.hasIndex(name) && !isWritten) {
      bench.say(`engines: writing ${decisions.toLocaleString('en')} decisions`);
      await pipeline(Readable.from(linesOf(decisions)), createWriteStream(jsonl));
      isWritten = true;
    }
    if (!peer.hasIndex(name)) bench.say(`engines: indexing with ${peer.title}`);
    found.push({ peer, index: await peer.index(jsonl, name) });
  }
  rmSync(jsonl, { force: true });
  return found;
}

function* linesOf(decisions: number): Generator<string> {
  for (const line of demoLines(ONE, decisions, SEED)) yield `${line}\n`;
}

async function peerCosts(
  { folder }: Bench,
  peers: readonly Indexed[],
  { queries, ordem }: { readonly queries: readonly string[]; readonly ordem: Ordem },
): Promise<Map<string, number>> {
  const list = join(folder, 'engines', 'queries.txt');
  writeFileSync(list, `${queries.join('\n')}\n`);
  const passes = Math.ceil(PEER_SEARCHES / queries.length);
  const found = new Map<string, number>();
  for (const { peer, index } of peers)
    found.set(peer.title, (await peer.query(index, list, ordem, passes)).cpuMs);
  return found;
}

function rowOf(measure: string, ownMs: number, peers: ReadonlyMap<string, number>): Row {
  if (peers.size === 0) return { measure, aim: '', reached: `${short(ownMs)} ms; ${LEFT_OUT}`, ok: null };
  const others = [...peers].map(([title, ms]) => `${title} ${short(ms)}`).join(', ');
  const [[first, firstMs] = ['', 0]] = peers;
  return { measure, aim: `<= ${first}`, reached: `${short(ownMs)} ms; ${others}`, ok: ownMs <= firstMs };
}
