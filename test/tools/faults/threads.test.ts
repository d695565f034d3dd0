import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { writeAtomically } from '../../../src/process/files.ts';
import type { LogLine } from '../../support/captured-log.ts';
import { BreakableFile } from './support-file-faults.ts';
import { expectNoUnhandledRejection, until } from './support-poll.ts';
import {
  downsOf,
  faultFolder,
  impatient,
  setWindows,
  startFaultService,
  type FaultService,
  type Folder,
} from './support-service.ts';
import { Traffic } from './support-traffic.ts';
import { decisaoPath } from '../../http/checks.ts';
import { fetchAs } from '../../support/documented.ts';

const ENTRY = new URL('./support-entry.ts', import.meta.url).href;
/** Answers while a fault lasts: many times more than the faults that may be logged, or threads started. */
const ANSWERS = 60;
const FAULT_MS = 1_500;
const BACKOFF_MS = 250;
/** Each answer is a thread's work. */
const NOTHING_KEPT = { RESULT_CACHE_MB: '0' };

expectNoUnhandledRejection();

const flagOf = ({ dataDir }: Folder, base: Base) => join(dataDir, `thread-fault-${base}`);

/** A service of which some bases run the entry that can be made to fail. */
function start(folder: Folder, victims: readonly Base[], environment: Record<string, string> = {}) {
  const settings: unknown = Object.assign({}, ...victims.map(impatient), NOTHING_KEPT, environment);
  return startFaultService(folder, {
    environment: settings as Record<string, string>,
    workerEntry: Object.fromEntries(victims.map((base) => [base, ENTRY])),
  });
}

/** The most threads that are started in a time, two at a try, when the rest between two tries doubles. */
function restartsIn(ms: number): number {
  return 2 * (2 + Math.ceil(Math.log2(ms / BACKOFF_MS + 1)));
}

function expectUp({ system }: FaultService, bases: readonly Base[]): void {
  const states = system.states();
  for (const base of bases) expect([base, states[base].state]).toEqual([base, 'up']);
}

/** Holds the time of a fault to what is promised of it. */
async function sitThrough(service: FaultService, traffic: Traffic, base: Base, since: number): Promise<void> {
  await traffic.untilUnanswered(base);
  await traffic.more(ANSWERS);
  await until('the fault had lasted', () => performance.now() - since > FAULT_MS);
  await until('the base is known to be down', () => service.system.states()[base].state === 'down');
  const most = restartsIn(performance.now() - since);
  expect(service.system.states()[base].restarts).toBeLessThanOrEqual(most);
  expect(traffic.takeProblems()).toEqual([]);
}

/** The fault was logged once for all requests, and its end too. */
function expectToldOnce(log: readonly LogLine[], base: Base): void {
  const downs = downsOf(log, base);
  expect(downs).toHaveLength(1);
  expect(downs[0]?.['detail']).toEqual(expect.any(String));
  expect(log.filter((line) => line.msg === 'base up again' && line['base'] === base)).toHaveLength(1);
}

describe('a thread of one base, while requests run,', () => {
  const FAULTS = [
    ['throw', 'stf'],
    ['exit', 'stj'],
    ['exit, then throw-import', 'tst'],
  ] as const;
  const UNTOUCHED = ['tjmg', 'trt3', 'eproc'] as const;
  let service: FaultService;
  let traffic: Traffic;
  beforeAll(async () => {
    service = start(
      faultFolder(),
      FAULTS.map(([, base]) => base),
    );
    for (const [, base] of FAULTS) await setWindows(service, base, 'ample');
    traffic = new Traffic(service);
    for (const [, base] of FAULTS) traffic.allow(base);
    traffic.start();
  });
  /** Whatever a test found, the next one begins with six bases that answer. */
  afterEach(async () => {
    for (const base of BASES) rmSync(flagOf(service, base), { force: true });
    await Promise.all(FAULTS.map(([, base]) => traffic.untilBack(base)));
  });
  afterAll(async () => {
    await traffic.stop();
    await service.stop();
  });

  test.each(FAULTS)(
    'that dies (%s, in base %s) affects no other base, is reported once, and restarts by itself',
    async (fault, base) => {
      await until('the base was open', () => service.system.states()[base].state === 'up');
      const before = service.log.length;
      await setWindows(service, base, 'short');
      const since = performance.now();
      writeAtomically(flagOf(service, base), fault);
      await sitThrough(service, traffic, base, since);
      expectUp(service, UNTOUCHED);

      rmSync(flagOf(service, base));
      await setWindows(service, base, 'ample');
      await traffic.untilBack(base);
      await traffic.more(ANSWERS);
      expect(traffic.takeProblems()).toEqual([]);
      expectToldOnce(service.log.slice(before), base);
      for (const other of UNTOUCHED) expect(downsOf(service.log, other)).toEqual([]);
      expect(service.system.states()[base]).toMatchObject({ state: 'up', threads: 1 });
    },
  );
});

test('three threads of one base that die repeatedly cost no answer of another base, and give none wrong', async () => {
  const base: Base = 'trt3';
  await using service = start(faultFolder(), [base], { [`BASES_${base.toUpperCase()}_THREADS`]: '3' });
  await using traffic = new Traffic(service);
  traffic.start();
  traffic.allow(base);
  for (const fault of ['exit', 'throw', 'exit', 'exit']) {
    await setWindows(service, base, 'short');
    writeAtomically(flagOf(service, base), fault);
    await traffic.untilUnanswered(base);
    rmSync(flagOf(service, base));
    await setWindows(service, base, 'ample');
    await traffic.untilBack(base);
  }
  await traffic.more(ANSWERS);
  expect(await traffic.stop()).toEqual([]);
  expectUp(
    service,
    BASES.filter((one) => one !== base),
  );
  await until('all three threads are there', () => service.system.states()[base].threads === 3);
  // A base that goes down again soon after is logged less often.
  const downs = downsOf(service.log, base).length;
  expect(downs).toBeGreaterThan(0);
  expect(downs).toBeLessThanOrEqual(4);
});

test('threads that cannot load at the start leave the other bases serving, and start once they can', async () => {
  const faults = [
    ['throw-import', 'tjmg'],
    ['exit-import', 'eproc'],
  ] as const;
  const folder = faultFolder();
  for (const [fault, base] of faults) writeAtomically(flagOf(folder, base), fault);
  const since = performance.now();
  await using service = start(
    folder,
    faults.map(([, base]) => base),
  );
  await using traffic = new Traffic(service);
  for (const [, base] of faults) traffic.allow(base);
  traffic.start();
  for (const [, base] of faults) await sitThrough(service, traffic, base, since);
  expectUp(service, ['tst', 'stf', 'stj', 'trt3']);
  for (const [, base] of faults) {
    rmSync(flagOf(folder, base));
    await setWindows(service, base, 'ample');
  }
  await Promise.all(faults.map(([, base]) => traffic.untilBack(base)));
  await traffic.more(ANSWERS);
  expect(await traffic.stop()).toEqual([]);
  for (const [, base] of faults) {
    expectToldOnce(service.log, base);
    expect(service.system.states()[base]).toMatchObject({ state: 'up', threads: 1 });
  }
});

test('a base whose every thread is stuck is down, and serves again with new threads and a sound file', async () => {
  const base: Base = 'stf';
  const folder = faultFolder();
  const pipe = `${flagOf(folder, base)}.pipe`;
  expect(Bun.spawnSync(['mkfifo', pipe]).success).toBe(true);
  await using service = start(folder, [base], { BASES_STF_THREADS: '2' });
  const state = () => service.system.states()[base];
  await until('the base was open', () => state().state === 'up');
  writeAtomically(flagOf(folder, base), 'block');
  const read = () => fetchAs(`${service.url}${decisaoPath('stf:1')}`, service.key);
  expect((await Promise.all([read(), read(), read()])).map(({ status }) => status)).toEqual([504, 504, 504]);
  await until('it was down', () => state().state === 'down');
  await until('its pool was given up', () => state().threads_left_behind >= 4);
  rmSync(flagOf(folder, base));
  const file = new BreakableFile(folder.dataDir, base);
  file.restore();
  await until('it was up', () => state().state === 'up');
  expect(state().threads_left_behind).toBeGreaterThanOrEqual(4);
  expectUp(service, BASES);
  // Now all can end.
  const writer = openSync(pipe, 'r+');
  await until('those left behind had ended', () => state().threads_left_behind === 0);
  closeSync(writer);
});
