import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

const SCRIPT = join(import.meta.dirname, 'support-read.ts');
const IS_ROOT = process.getuid?.() === 0;
/** In a new mount namespace; what permissions forbid binds root in nothing. */
const MOUNTED = 'mount --bind "$FOLDER" "$FOLDER" && mount -o remount,ro,bind "$FOLDER" && exec "$0" "$@"';
const canMount =
  IS_ROOT &&
  Bun.which('unshare') !== null &&
  Bun.spawnSync(['unshare', '-m', 'bash', '-c', 'mount -t tmpfs t /tmp']).success;

/** A thread's error for a base file in a folder that it cannot write to. */
function readOf(file: string): unknown {
  const read = [process.execPath, SCRIPT, file, 'tst'];
  const folder = dirname(file);
  if (!IS_ROOT) chmodSync(folder, 0o555);
  const child = Bun.spawnSync(IS_ROOT ? ['unshare', '-m', 'bash', '-c', MOUNTED, ...read] : read, {
    env: { ...process.env, FOLDER: folder },
  });
  if (!IS_ROOT) chmodSync(folder, 0o755);
  return JSON.parse(child.stdout.toString());
}

describe.skipIf(IS_ROOT && !canMount)('a base file in a folder that cannot be written to', () => {
  let dataDir: string;
  let file: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
    loadLines(dataDir, 'tst', [{ tipo: 'acordao', ementa: 'Dano moral' }]);
    file = baseFile(dataDir, 'tst');
  });

  test('is reported with the mend if SQLite has to write a log there', () => {
    expect(readOf(file)).toMatchObject({
      ok: false,
      failure: 'unavailable',
      detail: expect.stringMatching(/^SQLITE_\w+: .*tst\.db.* read-only: .*journal_mode = DELETE/),
    });
  });

  test('serves after that mend', () => {
    const db = new Database(file);
    db.pragma('journal_mode = DELETE');
    db.close();
    expect(readOf(file)).toMatchObject({ ok: true });
  });
});
