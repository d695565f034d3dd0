import {
  createWriteStream,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  mkdtempSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { SCHEMA_VERSION } from '../../../src/index/format/schema.ts';
import { PlainError } from '../../../src/process/fail.ts';
import { makeFolder, writeAtomically } from '../../../src/process/files.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { ROOT, runProgram } from '../../support/run.ts';

/** The base that gets the load on a single base; where faults are made, the others must stay undisturbed. */
export const BIG: Base = 'stj';
/** Common to all measured data, so that a sample's words occur in the data. */
export const SEED = 1;
export const INGEST = [process.execPath, join(ROOT, 'src/ingest/command.ts')] as const;
const MARK = 'made-up.json';

/** A folder of this user below the temporary one, made if it is missing. @throws PlainError if it is another user's. */
export function ownFolder(purpose: string): string {
  const own = join(tmpdir(), `jurisprudencia-${purpose}-${process.getuid?.() ?? 0}`);
  makeFolder(own);
  const stat = lstatSync(own);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0)
    throw new PlainError(`${own} is not a folder of yours alone; name another with --data`);
  return own;
}

type ByBase = Readonly<Partial<Record<Base, number>>>;

export interface Wish {
  readonly counts: ByBase;
  /** Builds something else from the JSON Lines of each base. */
  readonly also?: { readonly name: string; readonly build: (base: Base, lines: string) => Promise<void> };
}

interface Mark {
  readonly counts: ByBase;
  readonly schema: number;
  readonly also: string;
  /** Null until all is built. */
  readonly jsonlBytes: ByBase | null;
}

export function isBuilt(dataDir: string): boolean {
  return existsSync(join(dataDir, MARK));
}

/**
 * Builds bases with the users' commands unless they exist. Bases of another size or layout are built again.
 * @returns the bytes of each base's JSON Lines. @throws PlainError if the folder holds something else.
 */
export async function needData(
  dataDir: string,
  { counts, also }: Wish,
  say: (line: string) => void,
): Promise<ByBase> {
  const file = join(dataDir, MARK);
  // Written below.
  const mark = isBuilt(dataDir) ? (JSON.parse(readFileSync(file, 'utf8')) as Mark) : null;
  if (mark === null && existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new PlainError(`${dataDir} holds something else; name an empty folder with --data`);
  const wanted = { counts, schema: SCHEMA_VERSION, also: also?.name ?? '' };
  if (mark !== null && mark.jsonlBytes !== null && covers(mark, wanted)) return mark.jsonlBytes;
  rmSync(dataDir, { recursive: true, force: true });
  makeFolder(dataDir);
  writeAtomically(file, JSON.stringify({ ...wanted, jsonlBytes: null }));
  const jsonlBytes: Partial<Record<Base, number>> = {};
  for (const [base, count] of Object.entries(counts) as [Base, number][]) {
    say(`building ${base}: ${count.toLocaleString('en')} made-up decisions in ${dataDir}`);
    const lines = join(dataDir, `${base}.jsonl`);
    await writeDecisions(lines, count, base);
    const { text } = await runProgram([...INGEST, base, lines], { environment: { DATA_DIR: dataDir } });
    if (!text.includes(`${base}: ${count} added`))
      throw new PlainError(`${base} could not be built: ${text}`);
    await also?.build(base, lines);
    jsonlBytes[base] = statSync(lines).size;
    rmSync(lines);
  }
  writeAtomically(file, JSON.stringify({ ...wanted, jsonlBytes }));
  return jsonlBytes;
}

function covers(mark: Mark, { counts, schema, also }: Omit<Mark, 'jsonlBytes'>): boolean {
  const isSame = mark.schema === schema && isDeepStrictEqual(mark.counts, counts);
  return isSame && (also === '' || also === mark.also);
}

export function writeDecisions(file: string, count: number, base: Base): Promise<void> {
  return pipeline(Readable.from(linesOf(base, count)), createWriteStream(file));
}

function* linesOf(base: Base, count: number): Generator<string> {
  for (const line of demoLines(base, count, SEED)) yield `${line}\n`;
}

/** A folder that is removed at the end of its block, and when this process ends earlier. */
export class Scratch {
  readonly folder: string;
  readonly #remove = () => {
    rmSync(this.folder, { recursive: true, force: true });
  };

  constructor(parent: string, name: string) {
    this.folder = mkdtempSync(join(parent, `${name}-`));
    process.once('exit', this.#remove);
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove);
    this.#remove();
  }
}
