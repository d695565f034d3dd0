import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { damagesOf, listsIn } from '../../support/index-content.ts';
import { loadLines } from '../../support/service.ts';
import { startScript } from '../../support/run.ts';
import { COMUM, decisions, linesOf, newestWith } from './support-corpus.ts';
import { BreakableFile } from './support-file-faults.ts';
import { expectNoUnhandledRejection } from './support-poll.ts';
import { EACH, downsOf, faultFolder, impatient, setWindows, startFaultService } from './support-service.ts';
import { Traffic } from './support-traffic.ts';

const VICTIM: Base = 'stj';
const HELD: Base = 'trt3';
const PAGE_BYTES = 4_096;
const ANSWERS = 50;
/** Decisions that a load replaces; the pages of the others are not in its log. */
const CHANGED = 5;

expectNoUnhandledRejection();

describe('a base file', () => {
  test('that is missing, foreign or locked at the start is reported, and serves when repaired', async () => {
    const folder = faultFolder();
    const broken = (['tst', 'stf', 'stj', 'tjmg'] as const).map((base) => ({
      base,
      file: new BreakableFile(folder.dataDir, base),
    }));
    const [missing, version, other, noise] = broken.map(({ file }) => file);
    const healthy = baseFile(folder.dataDir, 'eproc');
    missing?.remove();
    version?.replaceByChanged((db) => db.pragma('user_version = 77'));
    other?.replaceBy(healthy, 'renamed');
    noise?.noise(0, PAGE_BYTES, 3);
    const holder = new Database(baseFile(folder.dataDir, HELD));
    holder.pragma('locking_mode = EXCLUSIVE');
    holder.exec('BEGIN EXCLUSIVE');

    const names = [...broken.map(({ base }) => base), HELD];
    const environment = Object.assign({}, ...names.map(impatient)) as Record<string, string>;
    await using service = startFaultService(folder, { environment });
    await using traffic = new Traffic(service);
    for (const base of names) traffic.allow(base);
    traffic.start();
    for (const base of names) await traffic.untilUnanswered(base);
    await traffic.more(ANSWERS);
    expect(traffic.takeProblems()).toEqual([]);
    const reasons = ['no base file', 'schema version 77', 'base eproc', 'SQLITE_NOTADB', 'SQLITE_BUSY'];
    for (const [at, base] of names.entries()) {
      const downs = downsOf(service.log, base);
      expect(downs.map((line) => line['detail'])).toEqual([expect.stringContaining(reasons[at] ?? '')]);
      expect(service.system.states()[base].detail).toContain(reasons[at]);
    }

    for (const { file } of broken) file.restore();
    holder.exec('ROLLBACK');
    holder.close();
    for (const base of names) await setWindows(service, base, 'ample');
    await Promise.all(names.map((base) => traffic.untilBack(base)));
    traffic.forbid();
    await traffic.more(ANSWERS);
    expect(await traffic.stop()).toEqual([]);
  });

  test('that is moved away and loaded again serves the new load alone, even if an old log is there', async () => {
    const folder = faultFolder();
    await using service = startFaultService(folder);
    await using traffic = new Traffic(service);
    traffic.start();
    await traffic.more(ANSWERS);
    // Loaded while the service reads, so that the log next to the file is not folded into it.
    folder.loaded.allow(VICTIM, 1, CHANGED, 2);
    loadLines(folder.dataDir, VICTIM, decisions(VICTIM, CHANGED, 1, 2));
    const file = baseFile(folder.dataDir, VICTIM);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    expect(await traffic.stop()).toEqual([]);

    renameSync(file, `${file}.old`);
    const lines = join(folder.dataDir, 'again.jsonl');
    writeFileSync(lines, linesOf(decisions(VICTIM, EACH, 1, 3)));
    const ingest = startScript('ingest/command.ts', [VICTIM, lines], { DATA_DIR: folder.dataDir });
    expect([await ingest.ended, ingest.err()]).toEqual([0, '']);
    expect(ingest.out()).toContain(`${EACH} added, 0 replaced`);

    folder.loaded.replace(VICTIM, 1, EACH, 3);
    const after = new Traffic(service);
    await after.untilBack(VICTIM);
    const places = Array.from({ length: EACH }, (_, at) => at + 1);
    await after.readEach(VICTIM, places);
    expect(after.takeProblems()).toEqual([]);
    expect(damagesOf(file, VICTIM)).toEqual([]);
    const found = listsIn(file, VICTIM).get(COMUM) ?? [];
    expect(found.map(([numero]) => numero).toReversed()).toEqual(newestWith(COMUM, EACH));
    rmSync(`${file}.old`);
  });
});
