import { PlainError } from '../../../src/process/fail.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { closedLoop, latencies, latency, openLoop, verdictOf, searchAsk } from '../measure/load.ts';
import type { Sample, SearchAsk } from '../measure/load.ts';
import { descriptorsMax, type Holdings, type ProcessProbe } from '../measure/process.ts';
import { aimed, info, type Finding, type Row } from '../measure/report.ts';
import { ownShare } from '../../../src/tools/load/generator.ts';
import { windowsOf, type Windows } from './hostile.ts';
import { startCold, type Bench } from './setting.ts';
import { wordsOf } from '../measure/words.ts';
import { countBy, countsText, percentile, settledAfter, type Slice } from '../measure/stats.ts';
import { pick, randomNumbers } from '../../../src/tools/load/random.ts';

/**
 * Fewer would hold the overload back before it reaches the service, which would then never have more requests than
 * connections; arrivals beyond them wait in the generator, and that wait counts.
 */
const CONNECTIONS = 4_096;
/** Enough clients to saturate six bases; more only wait longer. */
const PEAK_CLIENTS = 32;
const PEAK_TRIES_MAX = 4;
const PEAK_LONGER = 4;
const TIMES = 5;
const GOODPUT_AIM = 0.8;
const DESCRIPTORS_SPARE = 200;
const PROBES_PER_SECOND = 50;
const PROBE_SLICE_MS = 200;
const RECOVERY_S = 5;
const RECOVERY_TIMES = 2;
const RECOVERY_AIM_MS = 2_000;
/** This many good slices on end are a recovery. */
const RECOVERY_SLICES = 3;
const SAMPLE_MS = 100;
/** What memory may still grow by in the second half of the overload, and be called bounded. */
const GROWTH_AIM = 1.2;
const GRACE_MS = 50;

interface Setting {
  readonly windowsMs: Windows;
  readonly seconds: number;
}

interface Phase {
  readonly samples: readonly Sample<SearchAsk>[];
  /** Complete answers within the windows, a second. */
  readonly goodput: number;
  readonly ownShare: number;
}

/** At five times the load that saturates it the service goes on giving good answers, and recovers at once. */
export async function measureOverload(bench: Bench): Promise<Finding> {
  const set = await bench.six(false);
  await using running = await startCold(set);
  const { service } = running;
  const setting = { windowsMs: windowsOf(set.dataDir), seconds: bench.seconds };
  const connections = Math.min(CONNECTIONS, descriptorsMax() - DESCRIPTORS_SPARE);
  using client = new HttpClient(service.url, connections);
  using probes = new HttpClient(service.url, PROBES_PER_SECOND * RECOVERY_S);
  const next = ordinaryFor(running.key);
  using watched = memoryWatch(service.probe);
  await openLoop(probes, { perSecond: PROBES_PER_SECOND, seconds: 1, next });
  bench.say('overload: unloaded');
  const normal = await openLoop(probes, { perSecond: PROBES_PER_SECOND, seconds: setting.seconds, next });
  bench.say('overload: peak');
  const peak = await peakOf(setting, client, next);
  service.needRunning();
  if (peak.goodput === 0) throw new PlainError('there was no complete answer at the peak');
  const perSecond = TIMES * peak.goodput;
  await client.open(connections);
  bench.say(`overload: ${Math.round(perSecond)} a second`);
  watched.start();
  const patienceMs = setting.windowsMs.relevancia;
  const load = openLoop(client, { perSecond, seconds: setting.seconds, next, patienceMs });
  const recovery = Bun.sleep(setting.seconds * 1000).then(() =>
    openLoop(probes, { perSecond: PROBES_PER_SECOND, seconds: RECOVERY_S, next }),
  );
  const [over, probed] = await Promise.all([phase(setting, load), recovery]);
  const memory = watched.stop();
  service.needRunning();
  const rows = [
    ...goodputRows(setting, peak, over, perSecond, connections),
    ...memoryRows(memory, setting.seconds, service.probe.holdings()),
    recoveryRow(normal, probed),
  ];
  const phases = { peak: brief(setting, peak), over: brief(setting, over) };
  return { rows, details: { ...phases, memory, recovery: recoverySlices(probed) } };
}

/** Ordinary searches of all six bases, ordered as searches are when nothing is said. */
function ordinaryFor(key: string): () => SearchAsk {
  const random = randomNumbers(11);
  const { ordinary } = wordsOf();
  return () => searchAsk(key, pick(ordinary, random), 'relevancia', null);
}

/** The load that saturates the service: for longer where a machine is too slow for one good answer in its time. */
async function peakOf(setting: Setting, client: HttpClient, next: () => SearchAsk): Promise<Phase> {
  for (let tries = 1, { seconds } = setting; ; tries += 1, seconds *= PEAK_LONGER) {
    const until = performance.now() + seconds * 1000;
    const load = closedLoop(client, PEAK_CLIENTS, next, () => performance.now() > until);
    const peak = await phase({ ...setting, seconds }, load);
    if (peak.goodput > 0 || tries === PEAK_TRIES_MAX) return peak;
  }
}

async function phase(setting: Setting, load: Promise<Sample<SearchAsk>[]>): Promise<Phase> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  // The share while the load comes: it is silent after that.
  const share = Bun.sleep(setting.seconds * 1000).then(() => ownShare(before, startedAt));
  const samples = await load;
  const good = samples.filter((sample) => fate(setting, sample) === 'good');
  // Answers after the end of the load were not given during it.
  const until = startedAt + setting.seconds * 1000;
  const goodput = good.filter(({ endedAt }) => endedAt <= until).length / setting.seconds;
  return { samples, goodput, ownShare: await share };
}

/** What became of a search for who asked: good is a complete answer within the windows. */
function fate({ windowsMs }: Setting, sample: Sample<SearchAsk>): string {
  const verdict = verdictOf(sample);
  if (verdict === 'incomplete') return lacks(sample);
  if (verdict !== 'complete') return verdict;
  return latency(sample) <= windowsMs[sample.ask.ordem] + GRACE_MS ? 'good' : 'late';
}

/** Whether a base that is missing says that it had too much to do, or that its time ran out. */
function lacks({ result }: Sample): string {
  const isRefused = typeof result !== 'string' && result.body.includes('"tempo_esgotado":false');
  return isRefused ? 'base refused' : 'base out of time';
}

function brief(setting: Setting, { samples, goodput, ownShare: share }: Phase) {
  const times = latencies(samples);
  return {
    goodput,
    generatorShare: share,
    fates: countBy(samples, (sample) => fate(setting, sample)),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

function goodputRows(
  setting: Setting,
  peak: Phase,
  over: Phase,
  perSecond: number,
  connections: number,
): Row[] {
  const share = over.goodput / peak.goodput;
  const atPeak = percentile(latencies(peak.samples), 0.99);
  const peakRate = Math.round(peak.goodput);
  const generator = `${percent(peak.ownShare)} to ${percent(over.ownShare)} of a core`;
  return [
    info(`peak goodput, ${PEAK_CLIENTS} clients`, `${peakRate}/s, p99 ${Math.round(atPeak)} ms`),
    {
      measure: `goodput at ${TIMES} times (${Math.round(perSecond)}/s)`,
      aim: `>= ${100 * GOODPUT_AIM}%`,
      reached: `${Math.round(over.goodput)}/s, ${Math.round(100 * share)}% of the peak`,
      ok: share >= GOODPUT_AIM,
    },
    info('  searches', countsText(countBy(over.samples, (sample) => fate(setting, sample)))),
    info('  generator', `${connections} connections, ${generator}`),
  ];
}

interface MemorySample {
  readonly at: number;
  readonly anonMiB: number;
}

function memoryWatch(probe: ProcessProbe) {
  const samples: MemorySample[] = [];
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    start: () => {
      const startedAt = performance.now();
      const look = () => {
        samples.push({ at: performance.now() - startedAt, anonMiB: probe.holdings().anonMiB });
      };
      look();
      timer = setInterval(look, SAMPLE_MS);
    },
    stop: () => {
      clearInterval(timer);
      return samples;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

function memoryRows(samples: readonly MemorySample[], seconds: number, after: Holdings): Row[] {
  const most = (from: number, to: number) =>
    Math.max(...samples.filter(({ at }) => at >= from && at <= to).map(({ anonMiB }) => anonMiB));
  const halfMs = (seconds * 1000) / 2;
  const first = most(0, halfMs);
  const second = most(halfMs, Number.POSITIVE_INFINITY);
  const before = samples[0]?.anonMiB ?? Number.NaN;
  const held = [before, Math.max(first, second), after.anonMiB].map(Math.round);
  const growth = second / first;
  return [
    aimed('memory, 2nd half to 1st half', growth, GROWTH_AIM, ' times', `${growth.toFixed(2)} times`),
    info('  before, peak, after', `${held.join(', ')} MiB`),
  ];
}

/** The latency of slices of probes after the load's end, against twice the unloaded p99. */
function recoveryRow(normal: readonly Sample[], probed: readonly Sample[]): Row {
  const usual = percentile(latencies(normal), 0.99);
  const measure = 'latency normal again after';
  if (!Number.isFinite(usual))
    return {
      measure,
      aim: `<= ${RECOVERY_AIM_MS} ms`,
      reached: 'no usual latency: too busy before',
      ok: false,
    };
  const after = settledAfter(recoverySlices(probed), RECOVERY_TIMES * usual, RECOVERY_SLICES);
  const text = Number.isFinite(after) ? `${after} ms` : `not in ${RECOVERY_S} s`;
  const reached = `${text} (usual p99 ${usual.toFixed(1)} ms)`;
  return aimed(measure, after, RECOVERY_AIM_MS, ' ms', reached);
}

function recoverySlices(probed: readonly Sample[]): Slice[] {
  const startedAt = probed[0]?.dueAt ?? 0;
  const bySlice = Map.groupBy(probed, ({ dueAt }) => Math.floor((dueAt - startedAt) / PROBE_SLICE_MS));
  return [...bySlice].map(([slice, samples]) => ({
    from: slice * PROBE_SLICE_MS,
    to: (slice + 1) * PROBE_SLICE_MS,
    figure: percentile(latencies(samples), 0.99),
  }));
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
