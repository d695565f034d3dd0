import { explain } from '../../../src/process/fail.ts';
import { REAL_CLOCK, runStep } from '../../../src/tools/load/engine.ts';
import type { Holdings, ProcessProbe } from '../measure/process.ts';
import { temporaryKey, type ServiceChild } from '../measure/service.ts';
import { changeKeys, loadSome } from './soak-changes.ts';
import { MIX, type Act, type World } from './soak-mix.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import { evenly } from '../measure/load.ts';
import { wordsOf } from '../measure/words.ts';

export const PER_SECOND = 30;
const SAMPLES_MAX = 1_000;
const SAMPLE_MS_MIN = 50;
const KEYS_EVERY_MS = 5_000;
const LOAD_EVERY_MS = 20_000;
/** Even the shortest soak sees this many changes of keys and loads. */
const CHANGES_MIN = 3;
const WEIGHTS = MIX.reduce((sum, { weight }) => sum + weight, 0);

export interface Seen {
  readonly acts: Map<string, number>;
  readonly broken: Map<string, number>;
  /** What the process held, `at` milliseconds after the start. */
  readonly held: { readonly at: number; readonly holdings: Holdings }[];
}

/** Ordinary traffic on a running service for a time, with changes of its keys and decisions meanwhile. */
export async function soakService(
  service: ServiceChild,
  dataDir: string,
  lengthMs: number,
): Promise<{ seen: Seen; incomplete: number }> {
  using temporary = temporaryKey('soak', dataDir);
  const { key } = temporary;
  const asked = { url: service.url, key, words: wordsOf() };
  const world: World = { ...asked, random: randomNumbers(5), ids: [], incomplete: 0 };
  const seen: Seen = { acts: new Map(), broken: new Map(), held: [] };
  const startedAt = performance.now();
  let isStopped = false;
  const isOver = () => isStopped || performance.now() - startedAt > lengthMs;
  const every = (ms: number) => Math.min(ms, lengthMs / (CHANGES_MIN + 1));
  using ends = new DisposableStack();
  ends.defer(watch(service.probe, seen, startedAt, lengthMs));
  ends.defer(() => {
    isStopped = true;
  });
  await Promise.all([
    traffic(world, seen, service, lengthMs, () => isStopped),
    repeat('keys', seen, isOver, every(KEYS_EVERY_MS), () => changeKeys(world, dataDir)),
    repeat('load', seen, isOver, every(LOAD_EVERY_MS), (turn) => loadSome(world, dataDir, turn)),
  ]);
  service.needRunning();
  return { seen, incomplete: world.incomplete };
}

/** Acts of the mix at a steady rate, whether those before are answered or not. */
async function traffic(
  world: World,
  seen: Seen,
  service: ServiceChild,
  lengthMs: number,
  isStopped: () => boolean,
): Promise<void> {
  const first = [...MIX];
  await runStep<Act, object>(evenly(PER_SECOND, lengthMs), {
    clock: REAL_CLOCK,
    timeoutMs: 0,
    // First each of them once: the shortest soak does every act.
    next: () => first.shift() ?? choose(world.random),
    send: async (act) => {
      service.needRunning();
      await note(act.name, seen, () => act.run(world));
      return {};
    },
    ended: () => undefined,
    isStopped,
  });
}

function choose(random: () => number): Act {
  let at = random() * WEIGHTS;
  const act = MIX.find(({ weight }) => (at -= weight) < 0);
  if (act === undefined) throw new Error('the mix is empty');
  return act;
}

async function repeat(
  name: string,
  seen: Seen,
  isOver: () => boolean,
  everyMs: number,
  change: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const next = performance.now() + everyMs;
    await note(name, seen, () => change(turn));
    while (!isOver() && performance.now() < next) await Bun.sleep(SAMPLE_MS_MIN);
  }
}

async function note(name: string, seen: Seen, work: () => Promise<unknown>): Promise<void> {
  const add = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  try {
    await work();
  } catch (error) {
    add(seen.broken, `${name}: ${explain(error)}`);
  }
  add(seen.acts, name);
}

function watch(probe: ProcessProbe, { held }: Seen, startedAt: number, lengthMs: number): () => void {
  const look = () => held.push({ at: performance.now() - startedAt, holdings: probe.holdings() });
  const timer = setInterval(look, Math.max(SAMPLE_MS_MIN, lengthMs / SAMPLES_MAX));
  return () => {
    clearInterval(timer);
  };
}
