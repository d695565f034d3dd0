import { join } from 'node:path';
import { baseFile } from '../../../src/index/format/schema.ts';
import { info, type Finding, type Row } from '../measure/finding.ts';
import { RAM_SIZE } from '../measure/service.ts';
import { ROOT, runProgram } from '../../support/run.ts';
import { interleaved, ratioOf, short, spreadOf, spreadText, type Cost } from './cost.ts';
import { LEFT_OUT, indexed, listsOf, notSetUp, workMsOf, writeQueries } from './engines.ts';
import { costIn } from './engines/engine-peer.ts';
import { ONE } from './queries.ts';
import type { Bench } from './setting.ts';

const OWN = join(ROOT, 'test/tools/bench/engines/own.ts');

/**
 * The search by relevance as a pool's thread runs it, next to engines that run in process: a process of one thread each,
 * the same queries again and again, alternately.
 */
export async function measureInThread(bench: Bench): Promise<Finding> {
  const set = await bench.relevance();
  const peers = await indexed(bench, set);
  const titles = peers.map(({ peer }) => peer.title);
  const rows = notSetUp(bench);
  const details: Record<string, unknown> = { base: ONE, decisions: set.decisions };
  const ms = workMsOf(bench);
  for (const [name, queries] of Object.entries(listsOf(bench.queries))) {
    bench.say(`in-thread: ${name}`);
    const list = writeQueries(bench, queries);
    const command = [process.execPath, OWN, baseFile(set.dataDir, ONE), list, 'relevancia', String(ms)];
    const sides = [
      { name: 'the service', run: async () => costIn(await runProgram(command, { environment: RAM_SIZE })) },
      ...peers.map(({ peer, indexes }) => ({
        name: peer.title,
        run: () => peer.query(indexes, list, 'relevancia', ms),
      })),
    ];
    const found = await interleaved<Cost>(bench.rounds, sides);
    rows.push(...rowsOf(name, titles, found));
    details[name] = Object.fromEntries(sides.map((side, at) => [side.name, found[at]]));
  }
  const beside = peers.length === 0 ? `; ${LEFT_OUT}` : '';
  const size = set.decisions.toLocaleString('en');
  const measured = `median time of a search, one thread each, hot; ${ONE} of ${size}${beside}`;
  rows.push(info('  measured with', measured));
  return { rows, details };
}

function rowsOf(name: string, titles: readonly string[], [own = [], ...others]: readonly Cost[][]): Row[] {
  const ratios = others.map((costs, at): Row => {
    const ratio = ratioOf(own, costs, 'wallMs');
    const text = `${spreadText(ratio)} of ${short(wallOf(costs).median)} ms`;
    const aim = at === 0 ? { aim: '<= 1', ok: ratio.median <= 1 } : { aim: '', ok: null };
    return { measure: `  to ${titles[at]}`, ...aim, reached: text };
  });
  return [info(name, spreadText(wallOf(own), ' ms')), ...ratios];
}

function wallOf(costs: readonly Cost[]) {
  return spreadOf(costs.map(({ wallMs }) => wallMs));
}
