import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeEach } from 'vitest';
import type { Documento } from '../../src/contract/documento.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import { recordsIn } from '../../src/index/format/record-reader.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { ingest, type IngestOptions } from '../../src/ingest/ingest.ts';
import { RecordMaker, type LineBatch } from '../../src/ingest/record-maker.ts';
import { explain } from '../../src/process/fail.ts';
import type { Finished } from '../support/run.ts';
import { makeBases, temporaryFolder } from '../support/service.ts';

/** What `bun run ingest` does, in this process and thread. */
export async function ingestHere(
  dataDir: string,
  base: Base,
  files: readonly string[],
  options: IngestOptions = {},
): Promise<Finished> {
  const parts = { dataDir, signal: new AbortController().signal, startWorker: () => makerHere(base) };
  try {
    const { exitCode, out, err } = await ingest(base, files, options, parts);
    return { exitCode, out: out.join('\n'), err: err.join('\n') };
  } catch (error) {
    return { exitCode: 1, out: '', err: explain(error) };
  }
}

/** Makes the records of one load in this thread. */
export function makerHere(base: Base) {
  const maker = new RecordMaker(base);
  return {
    recordsOf: (batch: LineBatch) => Promise.resolve(maker.recordsOf(batch)),
    close: () => undefined,
    ended: Promise.resolve(),
  };
}

/** A data folder with six empty bases for each test, and loads into it. */
export function ingesting() {
  let dataDir = '';
  beforeEach(() => {
    dataDir = temporaryFolder();
    makeBases(dataDir);
  });
  const file = (name: string, content: string | Uint8Array): string => {
    const path = join(dataDir, name);
    writeFileSync(path, content);
    return path;
  };
  const load = (base: Base, files: readonly string[], options: IngestOptions = {}) =>
    ingestHere(dataDir, base, files, options);
  const loadText = (base: Base, content: string | Uint8Array, options: IngestOptions = {}) =>
    load(base, [file('input.jsonl', content)], options);
  const inBase = <Row>(sql: string): Row[] => {
    const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
    const found = db.prepare<[], Row>(sql).all();
    db.close();
    return found;
  };
  /** In the order of the doc ids. */
  const ementas = (): string[] => {
    const ids = inBase<{ id: number }>('SELECT id FROM item ORDER BY id');
    const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
    const records = recordsIn(db);
    const found = ids.map(({ id }) => (JSON.parse(records.documento(id)) as Documento).ementa ?? '');
    db.close();
    return found;
  };
  return { dataDir: () => dataDir, file, load, loadText, inBase, ementas };
}
