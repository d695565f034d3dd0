import { copyFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { BreakableFile } from './support-file-faults.ts';
import { expectNoUnhandledRejection } from './support-poll.ts';
import { faultFolder, setWindows, startFaultService, type FaultService } from './support-service.ts';
import { Traffic } from './support-traffic.ts';

const VICTIM: Base = 'stj';
const OTHER: Base = 'tst';
/** So many that most of the file is in no cache when it breaks. */
const VICTIM_DECISIONS = 1_400;
const COLD = Array.from({ length: 40 }, (_, at) => 100 + at * 32);
const ANSWERS = 40;
const HEADER_BYTES = 100;
const PAGE_BYTES = 4096;

expectNoUnhandledRejection();

let service: FaultService;
let traffic: Traffic;
let file: BreakableFile;

beforeAll(async () => {
  const folder = faultFolder({ [VICTIM]: VICTIM_DECISIONS, [OTHER]: VICTIM_DECISIONS });
  file = new BreakableFile(folder.dataDir, VICTIM);
  copyFileSync(baseFile(folder.dataDir, OTHER), `${folder.dataDir}/other.db`);
  service = startFaultService(folder);
  traffic = new Traffic(service);
  traffic.start();
});
afterAll(async () => {
  expect(await traffic.stop()).toEqual([]);
  await service.stop();
});
/** Whatever a test did to the file, the base comes back by itself once the file is good. */
afterEach(async () => {
  file.restore();
  await setWindows(service, VICTIM, 'ample');
  await traffic.untilBack(VICTIM);
  traffic.forbid();
  await traffic.more(ANSWERS);
  expect(traffic.takeProblems()).toEqual([]);
});

const removeWith = (suffix: string) => rmSync(file.path + suffix, { force: true });

/** Does something to the file under traffic; whatever comes of it, no answer may be wrong. */
async function whileBroken(breakIt: () => void, isSeen: 'named' | 'perhaps named'): Promise<void> {
  traffic.allow(VICTIM);
  await setWindows(service, VICTIM, 'short');
  breakIt();
  // At once, before any request has met the fault and had the file opened anew.
  await traffic.readEach(VICTIM, COLD);
  if (isSeen === 'named') await traffic.untilUnanswered(VICTIM);
  await traffic.more(ANSWERS);
  expect(traffic.takeProblems()).toEqual([]);
  if (isSeen === 'named') expect(service.system.states()[VICTIM].state).toBe('down');
}

const other = () => `${service.dataDir}/other.db`;

describe('a base file, while requests run,', () => {
  test.each<[string, () => void]>([
    ['is deleted', () => file.remove()],
    ['is deleted with the log next to it', () => ['', '-wal', '-shm'].forEach(removeWith)],
    [
      'is replaced by one of another schema version',
      () => file.replaceByChanged((db) => db.pragma('user_version = 77')),
    ],
    ['is replaced by another base’s file', () => file.replaceBy(other(), 'renamed')],
  ])('that %s is reported, serves no row, and serves again when repaired', async (_, breakIt) => {
    await whileBroken(breakIt, 'named');
  });

  test.each(['named pipe', 'folder'] as const)(
    'replaced by a %s is reported, keeps no thread, and serves again when put back',
    async (what) => {
      await whileBroken(() => {
        file.replaceByOther(what);
      }, 'named');
      expect(service.system.states()[VICTIM]).toMatchObject({ threads_left_behind: 0 });
      file.removeOther();
    },
  );

  test.each<[string, () => void]>([
    ['is cut to nothing', () => file.truncate(0)],
    ['is cut inside a page', () => file.truncate(10 * PAGE_BYTES + 1_000)],
    ['has noise in its header', () => file.noise(0, HEADER_BYTES, 11)],
    ['has noise in its first page', () => file.noise(0, PAGE_BYTES, 11)],
    ['has 16 bytes of noise inside its pages', () => file.noisySpots(0.6, 16, 31)],
    ['has 400 bytes of noise inside its pages', () => file.noisySpots(0.6, 400, 31)],
    ['another base’s file is copied over, byte for byte,', () => file.replaceBy(other(), 'in place')],
  ])('that %s never gives a wrong or partial record', async (_, breakIt) => {
    await whileBroken(breakIt, 'perhaps named');
  });

  test.each([0.2, 1])(
    'with a fraction of %f of its middle pages overwritten never gives a wrong or partial record',
    async (share) => {
      await whileBroken(() => {
        file.noisyPages(share, 21);
      }, 'perhaps named');
      file.restoreInPlace();
      await traffic.untilBack(VICTIM);
      await traffic.more(ANSWERS);
    },
  );

  test('that a long writer has locked is still read', async () => {
    const writer = new Database(file.path);
    writer.exec('BEGIN EXCLUSIVE');
    await traffic.more(2 * ANSWERS);
    expect(traffic.takeProblems()).toEqual([]);
    writer.exec('ROLLBACK');
    writer.close();
  });
});
