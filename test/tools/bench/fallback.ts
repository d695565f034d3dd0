import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { closedLoop, latency, verdictOf, searchAsk } from '../measure/load.ts';
import { searchEnd } from '../../../src/tools/load/answer.ts';
import { ONE } from './queries.ts';
import { info, type Finding } from '../measure/report.ts';
import { startCold, type Bench } from './setting.ts';
import { countBy, countsText, percentile } from '../measure/stats.ts';

/** How many of the queries of real users are ordered by relevance in their window. */
export async function measureFallback(bench: Bench): Promise<Finding> {
  const { users, areReal } = bench.queries;
  bench.say(`fallback: ${users.length} ${areReal ? 'real queries' : 'queries of our own'}`);
  await using running = await startCold(await bench.relevance());
  const { service, key } = running;
  using client = new HttpClient(service.url, 1);
  const left = users.map((q) => searchAsk(key, q, 'relevancia', ONE));
  const samples = await closedLoop(client, 1, () => left.shift() ?? null);
  service.needRunning();
  const read = samples.flatMap((sample) => {
    const { ask, result } = sample;
    if (typeof result === 'string' || result.status !== 200) return [];
    const ordem = searchEnd(result).por_base[0]?.ordem_aplicada ?? 'none';
    return [{ q: ask.q, ordem, verdict: verdictOf(sample), ms: latency(sample) }];
  });
  const fell = read.filter(({ ordem, verdict }) => ordem !== 'relevancia' || verdict !== 'complete');
  const times = read.map(({ ms }) => ms);
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(times, share).toFixed(1));
  const name = areReal ? 'real queries' : 'own queries';
  const ok = read.length > 0 && fell.length === 0;
  const rows = [
    { measure: `${name} that fall back`, aim: 'none', reached: `${fell.length} of ${read.length}`, ok },
    info(`${name}: time`, `p50 ${p50}, p90 ${p90}, p99 ${p99} ms`),
    info('  slowest', `${Math.max(...times).toFixed(1)} ms`),
    info('  answers', countsText(countBy(samples, verdictOf))),
  ];
  return { rows, details: { fell, read } };
}
