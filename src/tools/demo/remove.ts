import Database from 'better-sqlite3';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSION, baseFile } from '../../index/format/schema.ts';
import { PlainError, explain } from '../../process/fail.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { kindIn } from '../../index/write/kinds.ts';
import { DEMO_KEY_NAME, readKeys, revokeKey } from '../../keys/store.ts';

/**
 * Removes the demo from a data folder: its bases, which have made-up decisions or none, its key, and its coverage
 * report.
 * @returns the bases with made-up decisions. If there are none, it removes nothing.
 * @throws PlainError, before any removal, if a base has a real decision, is being written, or cannot be read.
 */
export function removeDemo(dataDir: string): Base[] {
  const bases = BASES.filter((base) => existsSync(baseFile(dataDir, base)));
  const held = bases.map((base) => look(dataDir, base));
  const madeUp = held.filter(({ kind }) => kind === 'made-up').map(({ base }) => base);
  if (madeUp.length === 0) return [];
  const real = held.filter(({ kind }) => kind === 'real').map(({ base }) => `  ${baseFile(dataDir, base)}`);
  if (real.length > 0)
    throw new PlainError(
      'nothing was removed, for these hold real decisions. Stop the service, move them out of the data ' +
        `folder, and run this again:\n${real.join('\n')}`,
    );
  const hasKey = readKeys(dataDir).keys.some(
    ({ name, revoked_at }) => name === DEMO_KEY_NAME && revoked_at === null,
  );
  if (hasKey) revokeKey(dataDir, DEMO_KEY_NAME, new Date());
  rmSync(join(dataDir, 'cobertura.json'), { force: true });
  // The bases are removed last, so that an interrupted removal can be repeated.
  for (const base of bases) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(baseFile(dataDir, base) + suffix, { force: true });
  }
  return madeUp;
}

function look(dataDir: string, base: Base) {
  const file = baseFile(dataDir, base);
  try {
    if (!statSync(file).isFile()) throw new Error('it is no regular file');
    const db = new Database(file, { fileMustExist: true, timeout: 0 });
    try {
      // A running load holds the write lock.
      db.exec('BEGIN IMMEDIATE');
      const version = db.pragma('user_version', { simple: true });
      if (version !== SCHEMA_VERSION)
        throw new Error(`it has schema version ${String(version)}; move it out of the data folder first`);
      return { base, kind: kindIn(db) };
    } finally {
      db.close();
    }
  } catch (error) {
    throw new PlainError(`nothing was removed: ${file}: ${explain(error)}`);
  }
}
