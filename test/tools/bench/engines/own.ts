import { readFileSync } from 'node:fs';
import { ORDENS, isOneOf } from '../../../../src/contract/vocabulary.ts';
import { median } from '../../measure/stats.ts';
import { Engine, pageRequest } from '../engine.ts';
import { ONE } from '../queries.ts';

/**
 * What the programs of the peers do, by what a pool's thread runs, in a process of its own: `own.ts FILE QUERIES ORDEM MS`.
 * First pages with their count. Whole passes for a third of that time are repeated until three in a row take the same within
 * a twentieth (what compiles while it runs is compiled then), twelve times at most; then passes for that time are measured.
 * Prints the CPU of a search, of all threads of the process, and the median of how long one takes.
 */
const [file = '', list = '', ordem, ms] = process.argv.slice(2);
if (!isOneOf(ORDENS, ordem)) throw new Error(`no order ${ordem}`);

using engine = new Engine(file, ONE);
const queries = readFileSync(list, 'utf8').trim().split('\n');
const requests = queries.map((q) => pageRequest(q, ordem, { count_ms: 60_000 }));
for (const medians: number[] = []; medians.length < 12 && !isStable(medians);)
  medians.push(median(passes(Number(ms) / 3)));
const before = process.cpuUsage();
const times = passes(Number(ms));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 / times.length, wallMs: median(times) }));

function passes(lengthMs: number): number[] {
  const taken: number[] = [];
  const end = performance.now() + lengthMs;
  do {
    for (const request of requests) {
      const startedAt = performance.now();
      engine.search(request);
      taken.push(performance.now() - startedAt);
    }
  } while (performance.now() < end);
  return taken;
}

function isStable(medians: readonly number[]): boolean {
  const last = medians.slice(-3);
  return last.length === 3 && Math.max(...last) <= 1.05 * Math.min(...last);
}
