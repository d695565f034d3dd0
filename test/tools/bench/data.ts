import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { readLine } from '../../../src/ingest/canonical.ts';
import { lastDays } from '../../../src/ingest/dates.ts';
import { toDecisao, type Decisao } from '../../../src/ingest/decisao.ts';
import { readLines } from '../../../src/ingest/lines.ts';
import { needData } from '../measure/build.ts';
import { buildRaw } from './raw-base.ts';

/** A data folder of the service with made-up decisions, and what they are compared with. */
export interface DataSet {
  readonly dataDir: string;
  /** Decisions in each of its bases that has any. */
  readonly decisions: number;
  readonly bases: readonly Base[];
  /** Bytes of the JSON Lines that each base came from. */
  readonly jsonlBytes: Readonly<Partial<Record<Base, number>>>;
  /** The same decisions of a base in plain SQLite with FTS5. */
  rawFile(base: Base): string;
}

export interface SetWish {
  readonly name: string;
  readonly decisions: number;
  readonly bases: readonly Base[];
  readonly withRaw: boolean;
}

/** Builds a set of data, unless it is there. @throws PlainError as `needData` does. */
export async function needSet(folder: string, wish: SetWish, say: (line: string) => void): Promise<DataSet> {
  const { name, decisions, bases, withRaw } = wish;
  const dataDir = join(folder, name);
  const rawFile = (base: Base) => join(dataDir, `raw-${base}.db`);
  const counts = Object.fromEntries(bases.map((base) => [base, decisions]));
  const build = (base: Base, lines: string) => buildRaw(base, decisionsIn(lines, base), rawFile(base));
  const parts = { counts, ...(withRaw && { also: { name: 'raw', build } }) };
  const jsonlBytes = await needData(dataDir, parts, say);
  return { dataDir, decisions, bases, jsonlBytes, rawFile };
}

const LAST = lastDays(new Date());

function decisionIn(line: string, base: Base): Decisao {
  const read = readLine(line, base, LAST);
  if (typeof read === 'string') throw new Error(read);
  return toDecisao(read);
}

async function* decisionsIn(file: string, base: Base): AsyncGenerator<Decisao> {
  for await (const { text } of readLines(createReadStream(file))) yield decisionIn(text ?? '', base);
}
