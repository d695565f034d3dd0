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
/** The folder in which a first start creates its bases. */
const STAGING = 'first-start';

/**
 * Creates the six demo bases in an unused data folder. It creates them in a staging folder and moves all together, so that an
 * interrupted start leaves the data folder unchanged. It never changes a used folder: there the service reports a missing base.
 * @param decisions in each base. @returns true if it created them. @throws system errors, which name the data folder.
 */
export async function makeDemoBases(
  dataDir: string,
  onBase: (base: string) => void,
  decisions = DEMO_DECISIONS,
): Promise<boolean> {
  if (!isUnused(dataDir)) return false;
  const staging = join(dataDir, STAGING);
  const release = takeLock(dataDir);
  try {
    // Another start may have created the bases during the wait.
    return isUnused(dataDir) && (await makeInStaging(dataDir, staging, { onBase, decisions }));
  } catch (error) {
    throw speakingOf(dataDir, staging, error);
  } finally {
    rmSync(staging, { recursive: true, force: true });
    release();
  }
}

async function makeInStaging(
  dataDir: string,
  staging: string,
  { onBase, decisions }: { readonly onBase: (base: string) => void; readonly decisions: number },
): Promise<boolean> {
  // Imported only here, because the generator and ingest would delay every start.
  const { DEMO_SEED_DEFAULT, demoLines } = await import('../tools/demo/generate.ts');
  // A killed first start may have left its folder.
  rmSync(staging, { recursive: true, force: true });
  createBases(staging);
  for (const base of BASES) {
    onBase(base);
    await fill(staging, base, demoLines(base, decisions, DEMO_SEED_DEFAULT));
  }
  return moveInto(dataDir, staging);
}

/** True if the folder has no bases and no keys and was never served. */
export function isUnused(dataDir: string): boolean {
  const { keys, damaged } = readKeys(dataDir);
  const wasServed = ['cursor-secret', 'cobertura.json'].some((name) => existsSync(join(dataDir, name)));
  return hasNoBases(dataDir) && keys.length === 0 && damaged.length === 0 && !wasServed;
}

async function fill(folder: string, base: Base, lines: Iterable<string>): Promise<void> {
  const { writeLines } = await import('../ingest/record-maker.ts');
  const { BaseWriter } = await import('../index/write/base-writer.ts');
  const db = openForWriting(folder, base);
  writeLines(new BaseWriter(db), base, [...lines]);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** A rename replaces only an empty folder. @returns false if a load has created a base meanwhile. */
function moveInto(dataDir: string, staging: string): boolean {
  try {
    renameSync(basesFolder(staging), basesFolder(dataDir));
    return true;
  } catch (error) {
    if (hasNoBases(dataDir)) throw error;
    return false;
  }
}

/** Issues a key for a demo without keys. The operator issues the keys of a folder with real decisions. */
export function issueDemoKey(dataDir: string): string | null {
  const { keys, damaged } = readKeys(dataDir);
  if (keys.length > 0 || damaged.length > 0 || madeUpBases(dataDir).length === 0) return null;
  try {
    return issueKey(dataDir, DEMO_KEY_NAME, null, new Date());
  } catch (error) {
    // Another start has issued and printed it.
    if (readKeys(dataDir).keys.length > 0) return null;
    throw error;
  }
}
