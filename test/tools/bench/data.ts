import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../../src/process/fail.ts';
import { SCHEMA_VERSION } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/enums.ts';
import { makeFolder, writeAtomically } from '../../../src/process/files.ts';
import { buildBase } from '../measure/build.ts';
import { ROOT } from '../measure/service.ts';

/** A data folder of the service with made-up decisions, and beside it what they are compared with. */
export interface DataSet {
  readonly dataDir: string;
  /** Decisions in each of its bases that has any. */
  readonly decisions: number;
  readonly bases: readonly Base[];
  /** Bytes of the JSON Lines that each base came from. */
  readonly jsonlBytes: Readonly<Partial<Record<Base, number>>>;
  /** The same decisions of a base in SQLite with FTS5 and nothing of ours. */
  rawFile(base: Base): string;
}

export interface SetWish {
  readonly name: string;
  readonly decisions: number;
  readonly bases: readonly Base[];
  /** Whether it is compared with raw FTS5. */
  readonly withRaw: boolean;
}

interface Mark {
  readonly decisions: number;
  readonly schema: number;
  readonly raw: boolean;
  readonly jsonlBytes: Readonly<Partial<Record<Base, number>>>;
  readonly isComplete: boolean;
}

const MARK = 'bench.json';

/**
 * Builds a set of data, unless it is there. One of an older layout of the base file is built anew.
 * @throws PlainError when the folder holds something else, or the decisions cannot be loaded.
 */
export async function needSet(folder: string, wish: SetWish, say: (line: string) => void): Promise<DataSet> {
  const { name, decisions, bases, withRaw } = wish;
  const dataDir = join(folder, name);
  const mark = readMark(dataDir);
  if (mark === null && existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new PlainError(`${dataDir} holds something else; name an empty folder with --data`);
  }
  const isThere =
    mark?.isComplete === true &&
    mark.schema === SCHEMA_VERSION &&
    mark.decisions === decisions &&
    (mark.raw || !withRaw);
  const jsonlBytes: Partial<Record<Base, number>> = { ...mark?.jsonlBytes };
  if (!isThere) {
    rmSync(dataDir, { recursive: true, force: true });
    makeFolder(join(dataDir, 'raw'));
    const wanted = { decisions, schema: SCHEMA_VERSION, raw: withRaw };
    writeMark(dataDir, { ...wanted, jsonlBytes: {}, isComplete: false });
    for (const base of bases) {
      say(`building ${base}: ${decisions.toLocaleString('en')} made-up decisions in ${dataDir}`);
      const file = withRaw ? rawFileOf(dataDir, base) : '-';
      const [bytes] = await Promise.all([
        buildRaw(base, decisions, file),
        buildBase(dataDir, base, decisions),
      ]);
      jsonlBytes[base] = bytes;
    }
    writeMark(dataDir, { ...wanted, jsonlBytes, isComplete: true });
  }
  return { dataDir, decisions, bases, jsonlBytes, rawFile: (base) => rawFileOf(dataDir, base) };
}

function rawFileOf(dataDir: string, base: Base): string {
  return join(dataDir, 'raw', `${base}.db`);
}

/** @returns the bytes of the JSON Lines. */
async function buildRaw(base: Base, decisions: number, file: string): Promise<number> {
  const script = join(ROOT, 'test/tools/bench/raw-build.ts');
  const out = await runChild([process.execPath, script, base, String(decisions), file]);
  // Printed by the script as its only line.
  return (JSON.parse(out.text) as { bytes: number }).bytes;
}

export interface ChildRun {
  readonly text: string;
  /** User and system time of the child and of those that it waited for, milliseconds. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** The most that the child held, with the pages of files that it had mapped. */
  readonly memoryMb: number;
}

/** Runs a command to its end; it ends with this process. @throws PlainError when it fails. */
export async function runChild(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ChildRun> {
  const startedAt = performance.now();
  const child = Bun.spawn([...command], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const end = () => {
    child.kill();
  };
  process.once('exit', end);
  const [text, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const status = await child.exited;
  process.off('exit', end);
  if (status !== 0) {
    const said = `${complaint.trim()} ${text.trim()}`.trim().slice(-600);
    throw new PlainError(`${command.slice(0, 3).join(' ')} failed: ${said || `status ${status}`}`);
  }
  const wallMs = performance.now() - startedAt;
  const usage = child.resourceUsage();
  return {
    text,
    cpuMs: Number(usage?.cpuTime.total ?? Number.NaN) / 1000,
    wallMs,
    memoryMb: (usage?.maxRSS ?? Number.NaN) / 1_000_000,
  };
}

function readMark(dataDir: string): Mark | null {
  const file = join(dataDir, MARK);
  // Only this command writes it.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Mark) : null;
}

function writeMark(dataDir: string, mark: Mark): void {
  writeAtomically(join(dataDir, MARK), JSON.stringify(mark));
}
