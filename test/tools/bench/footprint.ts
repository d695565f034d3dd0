import { existsSync, statSync } from 'node:fs';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { searchAsk, verdictOf } from '../measure/load.ts';
import { aimed, info, type Finding, type Row } from '../measure/report.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { temporaryKey, AS_SHIPPED, startChild, type ServiceChild } from '../measure/service.ts';
import { atMost, short, spreadOf } from './cost.ts';
import { runProgram } from '../../support/run.ts';
import type { DataSet } from './data.ts';
import { runLoad } from './generator.ts';
import { everNewQueries } from './queries.ts';
import { inBothOrders, type Bench } from './setting.ts';

const READY_AIM_S = 1;
const ANON_AIM_MB = 500;
const SIZE_AIM = 1.2;
const READY_MS_MAX = 120_000;
const CONNECTIONS = 32;
/** The load lasts as long as this many of the others: every query comes up several times. */
const LOADS = 5;
/** For each round: some four minutes and one, where there are seven of them and a load has three seconds. */
const NEW_LOADS = 12;
const IDLE_LOADS = 3;
const IDLE_AIM = 1.2;
const MB = 1_000_000;
const MIB = 2 ** 20;

/** How soon six bases are ready, the memory that they take once warm, and their files. */
export async function measureFootprint(bench: Bench): Promise<Finding> {
  const set = await bench.six(false);
  using temporary = temporaryKey('bench', set.dataDir);
  const { key } = temporary;
  const cold: number[] = [];
  const warm: number[] = [];
  let isDropped = true;
  for (let round = 0; round < bench.rounds; round += 1) {
    bench.say(`footprint: start ${round + 1} of ${bench.rounds}`);
    isDropped = (await dropPages(set)) && isDropped;
    cold.push(await secondsToReady(set, key));
    warm.push(await secondsToReady(set, key));
  }
  const anon = await warmMemory(bench, set, key);
  const news = await newSearchesMemory(bench, set, key);
  const rows: Row[] = [
    startRow(isDropped ? 'start to ready, files not cached' : 'start to ready, files as they were', cold),
    startRow('start to ready, files cached', warm),
    anonRow('RssAnon after a warm load', anon),
    ...newSearchesRows(news, bench.rounds * bench.seconds),
    ...sizeRows(set),
  ];
  return { rows, details: { cold, warm, anon, news, sizes: sizesOf(set) } };
}

function startRow(measure: string, seconds: readonly number[]): Row {
  return atMost(measure, spreadOf(seconds), READY_AIM_S, ' s');
}

function anonRow(measure: string, { before, after }: Pick<Held, 'before' | 'after'>): Row {
  return aimed(measure, after, ANON_AIM_MB, ' MB', `${short(after)} MB (${short(before)} before)`);
}

/**
 * Has the system forget the pages of the base files (`dd` asks for it by posix_fadvise). What Bun and the modules
 * are made of stays in memory. @returns false where that cannot be asked.
 */
async function dropPages({ dataDir, bases }: DataSet): Promise<boolean> {
  if (Bun.which('dd') === null) return false;
  try {
    for (const base of bases) {
      for (const file of filesOf(dataDir, base)) {
        await runProgram(['dd', `of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0']);
      }
    }
    return true;
  } catch {
    return false;
  }
}

/** From the start of the process to its first answer to a search in which no base is missing. */
async function secondsToReady({ dataDir }: DataSet, key: string): Promise<number> {
  const startedAt = performance.now();
  await using service = await startChild(dataDir, AS_SHIPPED);
  using client = new HttpClient(service.url, 1);
  for (;;) {
    const reply = await client.send(searchAsk(key, 'recurso', 'relevancia', null));
    const ms = performance.now() - startedAt;
    if (verdictOf(reply) === 'complete') return ms / 1000;
    if (ms > READY_MS_MAX) throw new Error(`the bases do not answer: ${verdictOf(reply)}`);
    service.needRunning();
  }
}

async function warmMemory(
  { queries, seconds, generator, say }: Bench,
  { dataDir }: DataSet,
  key: string,
): Promise<{ before: number; after: number }> {
  say('footprint: memory');
  await using service = await startChild(dataDir, AS_SHIPPED);
  const before = anonMb(service);
  const asks = inBothOrders(key, [...queries.users, ...queries.ordinary]);
  await runLoad({ url: service.url, asks, connections: CONNECTIONS, seconds: LOADS * seconds, generator });
  return { before, after: anonMb(service) };
}

interface Held {
  readonly before: number;
  readonly after: number;
  readonly later: number;
}

/** Anonymous memory around a long load of searches that nobody has asked before, and some idle time after it. */
async function newSearchesMemory(
  { queries, rounds, seconds, generator, say }: Bench,
  { dataDir }: DataSet,
  key: string,
): Promise<Held> {
  say('footprint: ever new searches');
  await using service = await startChild(dataDir, AS_SHIPPED);
  const wish = { url: service.url, connections: CONNECTIONS, generator };
  const load = (texts: readonly string[], loads: number) =>
    runLoad({ ...wish, asks: inBothOrders(key, texts), seconds: loads * seconds });
  await load(queries.ordinary, LOADS);
  const before = anonMb(service);
  await load(everNewQueries(NEW_LOADS * rounds * seconds), NEW_LOADS * rounds);
  const after = anonMb(service);
  await Bun.sleep(IDLE_LOADS * rounds * seconds * 1000);
  return { before, after, later: anonMb(service) };
}

function newSearchesRows(held: Held, seconds: number): Row[] {
  const { before, later } = held;
  const reached = `${short(later)} MB, ${short(later / before)} times what it was before`;
  const idle = `  idle for ${short(IDLE_LOADS * seconds)} s after it`;
  return [
    anonRow(`RssAnon after ${short(NEW_LOADS * seconds)} s of new searches`, held),
    aimed(idle, later / before, IDLE_AIM, ' times', reached),
  ];
}

function anonMb({ probe }: ServiceChild): number {
  return (probe.holdings().anonMiB * MIB) / MB;
}

function filesOf(dataDir: string, base: Base): string[] {
  const file = baseFile(dataDir, base);
  return [file, `${file}-wal`].filter((path) => existsSync(path));
}

function sizesOf({ dataDir, bases, jsonlBytes }: DataSet) {
  return bases.map((base) => ({
    base,
    fileBytes: filesOf(dataDir, base).reduce((sum, file) => sum + statSync(file).size, 0),
    jsonlBytes: jsonlBytes[base] ?? Number.NaN,
  }));
}

function sizeRows(set: DataSet): Row[] {
  const sizes = sizesOf(set);
  const ratios = spreadOf(sizes.map(({ fileBytes, jsonlBytes }) => fileBytes / jsonlBytes));
  const total = (name: 'fileBytes' | 'jsonlBytes') => sizes.reduce((sum, size) => sum + size[name], 0);
  const all = total('fileBytes') / total('jsonlBytes');
  const reached = `${short(all)} (bases ${short(ratios.least)}-${short(ratios.most)})`;
  const size = `6 bases of ${set.decisions.toLocaleString('en')}, files ${short(total('fileBytes') / MB)} MB`;
  return [
    aimed('base files to their JSON Lines', ratios.most, SIZE_AIM, '', reached),
    info('  measured with', size),
  ];
}
