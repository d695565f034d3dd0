import { HttpClient, type Ask } from '../../../src/tools/load/http-client.ts';
import { abandon, closedLoop, inTurn, verdictOf } from '../measure/load.ts';
import { BIG } from '../measure/build.ts';
import type { ProcessProbe } from '../measure/process.ts';
import { hostileAsks } from './hostile.ts';
import { startCold, type Bench } from './setting.ts';
import { wordsOf } from '../measure/words.ts';
import { aimed, info, type Finding, type Row } from '../measure/report.ts';
import { countBy, countsText, settledAfter, type Slice } from '../measure/stats.ts';

const CLIENTS = 16;
const SLICE_MS = 100;
/** Longer than all windows: what still runs for nobody shows its whole length. */
const WATCH_SLICES = 40;
const IDLE_SHARE = 0.05;
/** This many quiet slices on end are rest. */
const IDLE_SLICES = 5;
const AIM_MS = 500;
const PATIENCE_MS = 100;

/** Once a burst of hostile queries is over the processor rests, whether the clients waited or went away. */
export async function measureIdle(bench: Bench): Promise<Finding> {
  const waited = await burst(bench, 'answers awaited', waitForAnswers);
  const left = await burst(bench, 'clients gone', goAway);
  return { rows: [...waited.rows, ...left.rows], details: { waited: waited.slices, left: left.slices } };
}

type Burst = (next: () => Ask, url: string, until: number) => Promise<string>;

async function burst(
  bench: Bench,
  name: string,
  load: Burst,
): Promise<{ rows: Row[]; slices: readonly Slice[] }> {
  bench.say(`idle: ${name}`);
  await using running = await startCold(await bench.six(false));
  const { service, key } = running;
  const next = inTurn(hostileAsks(key, wordsOf(), BIG));
  const sent = await load(next, service.url, performance.now() + bench.seconds * 1000);
  const slices = await watch(service.probe);
  service.needRunning();
  const after = settledAfter(slices, IDLE_SHARE, IDLE_SLICES);
  const spent = slices.reduce((sum, { figure, from, to }) => sum + figure * (to - from), 0);
  const text = Number.isFinite(after) ? `${Math.round(after)} ms` : `not in ${SLICE_MS * WATCH_SLICES} ms`;
  const reached = `${text}; core busy ${Math.round(spent)} ms`;
  return {
    rows: [aimed(`idle again, ${name}`, after, AIM_MS, ' ms', reached), info('  the burst', sent)],
    slices,
  };
}

async function waitForAnswers(next: () => Ask, url: string, until: number): Promise<string> {
  using client = new HttpClient(url, CLIENTS);
  const samples = await closedLoop(client, CLIENTS, next, () => performance.now() > until);
  return countsText(countBy(samples, verdictOf));
}

async function goAway(next: () => Ask, url: string, until: number): Promise<string> {
  let sent = 0;
  const one = async () => {
    while (performance.now() < until) {
      sent += 1;
      await abandon(url, next(), PATIENCE_MS);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
  return `${sent} sent, each left after ${PATIENCE_MS} ms`;
}

/** The fraction of a core that the process takes, in consecutive slices from now on. */
async function watch(probe: ProcessProbe): Promise<Slice[]> {
  const slices: Slice[] = [];
  const startedAt = performance.now();
  let before = probe.fineCpuMs();
  let from = 0;
  while (slices.length < WATCH_SLICES) {
    await Bun.sleep(Math.max(1, (slices.length + 1) * SLICE_MS - (performance.now() - startedAt)));
    const to = performance.now() - startedAt;
    const after = probe.fineCpuMs();
    slices.push({ from, to, figure: (after - before) / (to - from) });
    before = after;
    from = to;
  }
  return slices;
}
