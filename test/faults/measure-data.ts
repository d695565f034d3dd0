import { existsSync, lstatSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlainError } from '../../src/cli/fail.ts';
import { SCHEMA_VERSION, basesFolder } from '../../src/base/schema.ts';
import { BASES, type Base } from '../../src/contract/enums.ts';
import { makeFolder, writeAtomically } from '../../src/files.ts';
import { ROOT } from './measure-service.ts';

/** The base that the hostile queries go to; the others are there to be left in peace. */
export const BIG: Base = 'stj';
/** Others than the big base hold this part of its decisions, but no fewer than this. */
const OTHERS_PART = 50;
const OTHERS_MIN = 200;
const SEED = '1';
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
  const own = join(tmpdir(), `jurisprudencia-faults-${process.getuid?.() ?? 0}`);
  makeFolder(own);
  needOwn(own);
  return join(own, String(decisions));
}

/** A name below a folder that all users write to may have been taken by somebody else. */
function needOwn(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const isFolder = lstatSync(folder).isDirectory();
  if (!isFolder || uid !== process.getuid?.() || (mode & 0o077) !== 0) {
    throw new PlainError(`${folder} is not a folder of yours alone; name another with --data`);
  }
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
    await fill(dataDir, base, count);
  }
  writeMark(dataDir, wanted);
}

function hasBases(dataDir: string): boolean {
  return existsSync(basesFolder(dataDir)) && readdirSync(basesFolder(dataDir)).length > 0;
}

/** The commands that a user would run, joined by a pipe of the system; the bar is the generator's. */
async function fill(dataDir: string, base: Base, count: number): Promise<void> {
  const script = '"$1" src/demo/command.ts "$2" "$3" --seed "$4" | "$1" src/ingest/command.ts "$2" - 2>&1';
  const child = Bun.spawn(['sh', '-c', script, 'sh', process.execPath, base, String(count), SEED], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    // A group of its own, to be ended as one.
    detached: true,
  });
  const end = () => process.kill(-child.pid, 'SIGTERM');
  process.once('exit', end);
  const out = await new Response(child.stdout).text();
  const status = await child.exited;
  process.off('exit', end);
  if (status !== 0 || !out.includes(`${base}: ${count} added`)) {
    throw new PlainError(`${base} could not be built: ${out.trim() || 'the ingest said nothing'}`);
  }
}

function readMark(dataDir: string): Mark | null {
  const file = join(dataDir, MARK);
  // Only this command writes it.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Mark) : null;
}

function writeMark(dataDir: string, mark: Mark): void {
  writeAtomically(join(dataDir, MARK), JSON.stringify(mark));
}
