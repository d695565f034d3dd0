import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { basesFolder } from '../index/format/schema.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { speakingOf } from '../process/files.ts';
import { createBases, hasNoBases, openForWriting } from '../index/write/base-file.ts';
import { madeUpBases } from '../index/write/kinds.ts';
import { DEMO_KEY_NAME, issueKey, readKeys } from '../keys/store.ts';
import { takeLock } from '../process/lock.ts';

/** Made-up decisions in each base of a first start. */
const DEMO_DECISIONS = 2_000;
/** The folder in which a first start makes its bases. */
const ASIDE = 'first-start';

/**
 * Gives an unused data folder its six demo bases. They are made aside and appear all at once, so that a start
 * that is cut short leaves the folder as it was and the next one does it over. A folder that was ever used is
 * left alone: a base that is gone from it is for the service to name.
 * @returns true when it made them. @throws the system's error, which names the data folder.
 */
export async function makeDemoBases(dataDir: string, onBase: (base: string) => void): Promise<boolean> {
  if (!isUnused(dataDir)) return false;
  const aside = join(dataDir, ASIDE);
  const giveBack = takeLock(dataDir);
  try {
    // While this start waited, another may have made them.
    return isUnused(dataDir) && (await makeAside(dataDir, aside, onBase));
  } catch (error) {
    throw speakingOf(dataDir, aside, error);
  } finally {
    rmSync(aside, { recursive: true, force: true });
    giveBack();
  }
}

async function makeAside(dataDir: string, aside: string, onBase: (base: string) => void): Promise<boolean> {
  // Loaded only now: the generator's words, and what ingest is made of, would delay every later start.
  const { DEMO_SEED_DEFAULT, demoLines } = await import('../tools/demo/generate.ts');
  // What a first start that was killed has left behind.
  rmSync(aside, { recursive: true, force: true });
  createBases(aside);
  for (const base of BASES) {
    onBase(base);
    await fill(aside, base, demoLines(base, DEMO_DECISIONS, DEMO_SEED_DEFAULT));
  }
  return moveInto(dataDir, aside);
}

/** True for a folder that nothing was ever loaded into or served from, and that no key was issued for. */
export function isUnused(dataDir: string): boolean {
  const { keys, damaged } = readKeys(dataDir);
  const wasServed = ['cursor-secret', 'cobertura.json'].some((name) => existsSync(join(dataDir, name)));
  return hasNoBases(dataDir) && keys.length === 0 && damaged.length === 0 && !wasServed;
}

async function fill(folder: string, base: Base, lines: Iterable<string>): Promise<void> {
  const { writeLines } = await import('../ingest/write-lines.ts');
  const { BaseWriter } = await import('../index/write/base-writer.ts');
  const db = openForWriting(folder, base);
  writeLines(new BaseWriter(db), base, [...lines]);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** A rename takes the place of an empty folder and of no other: false when a load was first. */
function moveInto(dataDir: string, aside: string): boolean {
  try {
    renameSync(basesFolder(aside), basesFolder(dataDir));
    return true;
  } catch (error) {
    if (hasNoBases(dataDir)) throw error;
    return false;
  }
}

/** Issues the one key of a demo that has none yet. A folder with real decisions gets its keys from its operator. */
export function issueDemoKey(dataDir: string): string | null {
  const { keys, damaged } = readKeys(dataDir);
  if (keys.length > 0 || damaged.length > 0 || madeUpBases(dataDir).length === 0) return null;
  try {
    return issueKey(dataDir, DEMO_KEY_NAME, null, new Date());
  } catch (error) {
    // Another start was first, and has shown it.
    if (readKeys(dataDir).keys.length > 0) return null;
    throw error;
  }
}
