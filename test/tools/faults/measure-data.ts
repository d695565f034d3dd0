import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../src/process/fail.ts';
import { SCHEMA_VERSION, basesFolder } from '../../../src/index/format/schema.ts';
import { BASES } from '../../../src/contract/enums.ts';
import { makeFolder, writeAtomically } from '../../../src/process/files.ts';
import { BIG, buildBase, ownFolder } from '../measure/build.ts';

/** Others than the big base hold this part of its decisions, but no fewer than this. */
const OTHERS_PART = 50;
const OTHERS_MIN = 200;
const MARK = 'faults.json';

interface Mark {
  readonly decisions: number;
  readonly schema: number;
  readonly isComplete: boolean;
}

export function othersOf(decisions: number): number {
  return Math.max(OTHERS_MIN, Math.round(decisions / OTHERS_PART));
}

/** Where data is built when no folder is named: one for each size, so that a large one is built once. */
export function defaultDataDir(decisions: number): string {
  return join(ownFolder('faults'), String(decisions));
}

/**
 * Gives the folder its bases of made-up decisions, unless it has them. A folder with bases that were not made
 * here is measured as it is.
 * @throws PlainError when the decisions cannot be loaded.
 */
export async function needData(
  dataDir: string,
  decisions: number,
  say: (line: string) => void,
): Promise<void> {
  const mark = readMark(dataDir);
  const wanted = { decisions, schema: SCHEMA_VERSION, isComplete: true };
  if (mark === null && hasBases(dataDir)) {
    say(`measuring the bases of ${dataDir} as they are`);
    return;
  }
  if (mark !== null && JSON.stringify(mark) === JSON.stringify(wanted)) return;
  if (mark !== null && mark.isComplete && mark.decisions !== decisions) {
    throw new PlainError(
      `${dataDir} holds data for --decisions ${mark.decisions}; ask for that or name another folder with --data`,
    );
  }
  if (mark === null && existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new PlainError(`${dataDir} holds something else; name an empty folder with --data`);
  }
  makeFolder(dataDir);
  writeMark(dataDir, { ...wanted, isComplete: false });
  rmSync(basesFolder(dataDir), { recursive: true, force: true });
  for (const base of BASES) {
    const count = base === BIG ? decisions : othersOf(decisions);
    say(`building ${base}: ${count.toLocaleString('en')} made-up decisions in ${dataDir}`);
    await buildBase(dataDir, base, count);
  }
  writeMark(dataDir, wanted);
}

function hasBases(dataDir: string): boolean {
  return existsSync(basesFolder(dataDir)) && readdirSync(basesFolder(dataDir)).length > 0;
}

function readMark(dataDir: string): Mark | null {
  const file = join(dataDir, MARK);
  // Only this command writes it.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Mark) : null;
}

function writeMark(dataDir: string, mark: Mark): void {
  writeAtomically(join(dataDir, MARK), JSON.stringify(mark));
}
