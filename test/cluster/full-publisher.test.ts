import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestFile, hexDigestOf } from '../../src/cluster/data/chunks.ts';
import { chunkListOf } from '../../src/cluster/data/manifest.ts';
import { lastManifest, publishFile, publishedFolder } from '../../src/cluster/data/published.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../src/tools/demo/generate.ts';
import { bePatient } from '../support/patience.ts';
import { loadLines } from '../support/service.ts';
import { smallDisks } from '../tools/faults/support-small-disk.ts';

bePatient();

const PUBLISHED = join(import.meta.dirname, '../../src/cluster/data/published.ts');
const FAIL = join(import.meta.dirname, '../../src/process/fail.ts');
const SCRIPT = `
  import { publishFile } from ${JSON.stringify(PUBLISHED)};
  import { runPlainly } from ${JSON.stringify(FAIL)};
  await runPlainly('publish', () => publishFile(process.argv[1], 'stj', 'http://x', new Date()));`;
const LINES = [...demoLines('stj', 2_000, DEMO_SEED_DEFAULT)];
const ROOM_KIB = 100;

test.each(smallDisks())('a publisher on $name keeps what it published; says the mend', async ({ make }) => {
  using disk = make();
  const dataDir = join(disk.folder, 'data');
  const load = (from: number, to: number) => loadLines(dataDir, 'stj', LINES.slice(from, to));
  const publish = () => publishFile(dataDir, 'stj', 'http://x', new Date());
  load(0, 500);
  const older = await publish();
  load(500, 600);
  const last = await publish();
  // The older file is to grow into this.
  load(600, 2_000);
  const limited = `${disk.limit(Math.ceil(older.bytes / 1024) + ROOM_KIB)}; exec "$@"`;
  const child = Bun.spawnSync(['sh', '-c', limited, 'sh', process.execPath, '-e', SCRIPT, dataDir]);
  expect([child.exitCode, child.stderr.toString()]).toEqual([
    1,
    expect.stringMatching(/no room in .+ free some space/u),
  ]);
  const folder = publishedFolder(dataDir);
  expect(lastManifest(dataDir, 'stj')).toEqual(last);
  expect((await digestFile(join(folder, last.file))).sha256).toBe(last.sha256);
  expect(hexDigestOf(readFileSync(join(folder, chunkListOf(last.file))))).toBe(last.chunks_sha256);
  expect(readdirSync(folder).filter((name) => name.includes('copying'))).toEqual([]);
  disk.widen();
  expect((await publish()).decisions).toBe(2_000);
});
