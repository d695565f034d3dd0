import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/service.ts';
import { runSchedule } from './simulation-schedule.ts';

/**
 * `SIMULATION_SCHEDULES` changes how many schedules run, `SIMULATION_FIRST` the seed of the first one, and
 * `SIMULATION_SEED` runs one seed alone and prints all its events.
 */
const ALONE = wholeFrom('SIMULATION_SEED');
const SCHEDULES = wholeFrom('SIMULATION_SCHEDULES') ?? 20_000;
const FIRST = wholeFrom('SIMULATION_FIRST') ?? 1;
/** Many times the usual duration: a bound for a busy machine. */
const TIMEOUT_MS = 600_000;
/** Most schedules cannot store their report, because a file that is really written costs more than all else. */
const STORING_EVERY = 1_000;
const NO_FILE = '/proc/no-folder/cobertura.json';
const YIELD_EVERY = 200;
const THIS_FILE = 'test/search/simulation.test.ts';

const folder = temporaryFolder();

describe('the actors', () => {
  test('keep their promises in thousands of random schedules', { timeout: TIMEOUT_MS }, async () => {
    if (ALONE !== null) {
      runAlone(ALONE);
      return;
    }
    for (let seed = FIRST; seed < FIRST + SCHEDULES; seed += 1) {
      run(seed);
      // The test runner has messages to send and receive too.
      if (seed % YIELD_EVERY === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(SCHEDULES).toBeGreaterThan(0);
  });
});

function runAlone(seed: number): void {
  const lines: string[] = [];
  try {
    run(seed, (line) => lines.push(line));
  } finally {
    console.log(lines.join('\n'));
  }
}

function run(seed: number, trace?: (line: string) => unknown): void {
  const restarts = seed % STORING_EVERY === 0;
  const coverageFile = restarts ? join(folder, String(seed), 'cobertura.json') : NO_FILE;
  try {
    runSchedule({ seed, coverageFile, restarts, trace });
  } catch (error) {
    const replay = `SIMULATION_SEED=${seed} bun --bun vitest run --pool=threads ${THIS_FILE}`;
    const ran = `schedule ${seed - FIRST + 1} of ${SCHEDULES}`;
    throw new Error(`seed ${seed} (${ran}) fails; replay it alone with\n  ${replay}\n${String(error)}`, {
      cause: error,
    });
  }
}

function wholeFrom(name: string): number | null {
  const text = process.env[name];
  if (text === undefined || text === '') return null;
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
