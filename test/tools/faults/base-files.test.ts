import { copyFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { BreakableFile } from './support-file-faults.ts';
import { expectNoUnhandledRejection } from './support-poll.ts';
import { faultFolder, impatient, startFaultService, type FaultService } from './support-service.ts';
import { Traffic } from './support-traffic.ts';

const VICTIM: Base = 'stj';
const OTHER: Base = 'tst';
/** So many that most of the file is in no cache when it breaks. */
const VICTIM_DECISIONS = 1_400;
const COLD = Array.from({ length: 40 }, (_, at) => 100 + at * 32);
/** Answers while a fault lasts, and after it. */
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
  service = startFaultService(folder, { environment: impatient(VICTIM) });
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
  await traffic.untilBack(VICTIM);
  traffic.forbid();
  await traffic.more(ANSWERS);
  expect(traffic.takeProblems()).toEqual([]);
});

/** Does something to the file under traffic; whatever comes of it, no answer may be wrong. */
async function whileBroken(breakIt: () => void, isSeen: 'named' | 'perhaps named'): Promise<void> {
  traffic.allow(VICTIM);
  breakIt();
  // At once, before any request has met the fault and had the file opened anew.
  await traffic.readEach(VICTIM, COLD);
  if (isSeen === 'named') await traffic.untilUnanswered(VICTIM);
  await traffic.more(ANSWERS);
  expect(traffic.takeProblems()).toEqual([]);
  if (isSeen === 'named') expect(service.system.states()[VICTIM].state).toBe('down');
}

describe('a base file, while requests run,', () => {
  test('that is deleted has its base named, and serves again when it is put back', async () => {
    await whileBroken(() => {
      file.remove();
    }, 'named');
  });

  test('that is deleted with the log beside it has its base named, and serves again', async () => {
    await whileBroken(() => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file.path + suffix, { force: true });
    }, 'named');
  });

  test.each(['named pipe', 'folder'] as const)(
    'in whose place is a %s has its base named, keeps no thread, and serves again when it is put back',
    async (what) => {
      await whileBroken(() => {
        file.replaceByOther(what);
      }, 'named');
      expect(service.system.states()[VICTIM]).toMatchObject({ threads_left_behind: 0 });
      file.removeOther();
    },
  );

  test.each([0, 10 * PAGE_BYTES + 1_000])(
    'that is cut to %i bytes never gives a wrong or partial record',
    async (bytes) => {
      await whileBroken(() => {
        file.truncate(bytes);
      }, 'perhaps named');
    },
  );

  test.each([HEADER_BYTES, PAGE_BYTES])(
    'whose first %i bytes become noise never gives a wrong or partial record',
    async (bytes) => {
      await whileBroken(() => {
        file.noise(0, bytes, 11);
      }, 'perhaps named');
    },
  );

  test.each([0.2, 1])(
    'of whose middle pages a share of %f becomes noise never gives a wrong or partial record',
    async (share) => {
      await whileBroken(() => {
        file.noisyPages(share, 21);
      }, 'perhaps named');
      file.restoreInPlace();
      await traffic.untilBack(VICTIM);
      await traffic.more(ANSWERS);
    },
  );

  test.each([16, 400])(
    'with %i bytes of noise inside its pages never gives a wrong or partial record',
    async (bytes) => {
      await whileBroken(() => {
        file.noisySpots(0.6, bytes, 31);
      }, 'perhaps named');
    },
  );

  test('that is replaced by one of another schema version has its base named, and no row served of it', async () => {
    await whileBroken(() => {
      file.replaceByChanged((db) => db.pragma('user_version = 77'));
    }, 'named');
  });

  test('that is replaced by another base’s file has its base named, and no row served of it', async () => {
    await whileBroken(() => {
      file.replaceBy(`${service.dataDir}/other.db`, 'renamed');
    }, 'named');
  });

  test('that another base’s file is copied over, byte for byte, never gives a row of that base', async () => {
    await whileBroken(() => {
      file.replaceBy(`${service.dataDir}/other.db`, 'in place');
    }, 'perhaps named');
  });

  test('that a long writer has locked is read all the same', async () => {
    const writer = new Database(file.path);
    writer.exec('BEGIN EXCLUSIVE');
    await traffic.more(2 * ANSWERS);
    expect(traffic.takeProblems()).toEqual([]);
    writer.exec('ROLLBACK');
    writer.close();
  });
});
