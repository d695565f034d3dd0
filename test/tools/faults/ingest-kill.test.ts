import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { createBases } from '../../../src/index/write/base-file.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { startScript, type Child } from '../../support/run.ts';
import { contentOf, soundCount } from './support-content.ts';
import { decision, decisions, linesOf } from './support-corpus.ts';
import { expectNoUnhandledRejection, seeded } from './support-poll.ts';

/** Thirty kills in all: two loads at once into one folder, which grows. */
const LANES: readonly Base[] = ['stj', 'tst'];
const ROUNDS = 15;
/** A lane is compared with a load that was never disturbed every ten rounds of both, in turn, and at its end. */
const COMPARE_EVERY = 10;
const NEW_LINES = 25;
const CHANGED_LINES = 5;
const SEED = 20_260_310;
/** Longer than a load of the whole file takes: who lives as long ends undisturbed. */
const LIFE_MS = 400;
const WAL_BYTES = 250_000;

expectNoUnhandledRejection();

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
  createBases(dataDir);
});

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Kills a load at a moment that the seed decides: after some time, or once the log has grown so far, which is in
 * the middle of a commit, or once the base file itself is written to, in the middle of folding the log into it.
 */
async function killAtSomeMoment(child: Child, base: Base, random: () => number): Promise<void> {
  const file = baseFile(dataDir, base);
  const kind = Math.floor(random() * 3);
  const life = random() * LIFE_MS;
  const log = random() * WAL_BYTES;
  const before = statSync(file).mtimeMs;
  const startedAt = performance.now();
  const isDue = () => {
    if (kind === 0) return performance.now() - startedAt >= life;
    return kind === 1 ? sizeOf(`${file}-wal`) > log : statSync(file).mtimeMs !== before;
  };
  while (!child.hasEnded() && !isDue()) await Bun.sleep(1);
  child.kill('SIGKILL');
  await child.ended;
}

/** A load of the whole file, from its beginning, as an operator would run it again. */
const ingest = (base: Base, file: string) =>
  startScript('ingest/command.ts', ['--rejects', `${file}.rejects`, base, file], { DATA_DIR: dataDir });

/** Runs the load to its end and holds the base to one that was loaded in one go. */
async function compare(base: Base, file: string): Promise<void> {
  const last = ingest(base, file);
  expect([await last.ended, last.err()]).toEqual([0, '']);
  expect(existsSync(`${file}.rejects`)).toBe(false);
  const fresh = temporaryFolder();
  createBases(fresh);
  loadLines(fresh, base, readFileSync(file, 'utf8').trim().split('\n'));
  expect(soundCount(dataDir, base)).toBe(soundCount(fresh, base));
  const [killed, whole] = [contentOf(dataDir, base), contentOf(fresh, base)];
  expect(killed.records).toEqual(whole.records);
  expect(killed.words).toEqual(whole.words);
  expect(killed.ranked).toEqual(whole.ranked);
}

/** @returns how many of the loads were killed before their end. */
async function runLane(base: Base, seed: number, lane: number): Promise<number> {
  const random = seeded(seed);
  const file = join(dataDir, `${base}.jsonl`);
  writeFileSync(file, '');
  let held = 0;
  let killed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = round * NEW_LINES + 1;
    const changed = Array.from({ length: round === 0 ? 0 : CHANGED_LINES }, () =>
      decision(base, 1 + Math.floor(random() * (first - 1)), round + 1),
    );
    appendFileSync(file, linesOf([...decisions(base, first + NEW_LINES - 1, first), ...changed]));
    const child = ingest(base, file);
    await killAtSomeMoment(child, base, random);
    if ((await child.ended) === null) killed += 1;
    // Nothing that was committed is lost, and the base is sound.
    const now = soundCount(dataDir, base);
    expect(now).toBeGreaterThanOrEqual(held);
    held = now;
    const isDue = (round + 1 + lane * (COMPARE_EVERY / 2)) % COMPARE_EVERY === 0;
    if (isDue || round === ROUNDS - 1) {
      await compare(base, file);
      held = first + NEW_LINES - 1;
      expect(soundCount(dataDir, base)).toBe(held);
    }
  }
  return killed;
}

test('an ingest killed thirty times leaves a sound base each time, and ends as if never killed', async () => {
  const killed = await Promise.all(LANES.map((base, lane) => runLane(base, SEED + lane, lane)));
  // Most of them in the middle of their work, or this would show nothing.
  expect(killed.reduce((sum, count) => sum + count, 0)).toBeGreaterThan((LANES.length * ROUNDS) / 2);
});
