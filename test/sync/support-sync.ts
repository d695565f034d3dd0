import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Documento } from '../../src/contract/documento.ts';
import { recordsIn } from '../../src/index/format/record-reader.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { ingestHere, makerHere } from '../ingest/support-ingest.ts';
import { explain } from '../../src/process/fail.ts';
import { sync, type SyncOptions } from '../../src/sync/sync.ts';
import { damagesOf } from '../support/index-content.ts';
import { temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import type { DataSets } from './support-portal.ts';

export interface Synced {
  /** Null if it threw. */
  readonly exitCode: number | null;
  readonly said: string;
}

/** `bun run sync stj` in this process and thread; it waits for nothing but sockets. */
export async function syncHere(
  url: string,
  dataDir: string,
  options: SyncOptions = {},
  { clock = new SimulatedClock(), signal = new AbortController().signal } = {},
): Promise<Synced> {
  const said: string[] = [];
  const startWorker = () => makerHere('stj');
  const say = (line: string) => {
    said.push(line);
    const [, seconds] = /; waiting (\d+) s$/u.exec(line) ?? [];
    // The wait begins once this line is said.
    if (seconds !== undefined) setImmediate(() => void clock.advance(Number(seconds) * 1_000));
  };
  try {
    const parts = { dataDir, url: new URL(`${url}/`), clock, signal, startWorker, say };
    const exitCode = await sync('stj', options, parts);
    return { exitCode, said: said.join('\n') };
  } catch (error) {
    return { exitCode: signal.aborted ? 130 : null, said: [...said, explain(error)].join('\n') };
  }
}

/** The decisions of a base by the court's id, without the numbers that the order of the loads gives. */
export function decisionsIn(dataDir: string): Record<string, unknown> {
  const file = baseFile(dataDir, 'stj');
  if (!existsSync(file)) return {};
  const damages = damagesOf(file, 'stj');
  if (damages.length > 0) throw new Error(damages.join('; '));
  const db = new Database(file, { readonly: true });
  const records = recordsIn(db);
  const keys = db
    .prepare<[], { key: string; doc_id: number }>('SELECT key, doc_id FROM source_keys ORDER BY key')
    .all();
  const found = keys.map(({ key, doc_id }) => {
    const { id: _, ...documento } = JSON.parse(records.documento(doc_id)) as Documento;
    return [key, documento];
  });
  db.close();
  return Object.fromEntries(found) as Record<string, unknown>;
}

/** What `ingest` makes of the files in a new folder, loaded by hand in the order of their names. */
export async function cleanLoad(dataSets: DataSets): Promise<Record<string, unknown>> {
  const dataDir = temporaryFolder();
  const key = ({ name, body }: { name: string; body: string }) => `${name} ${body}`;
  const files = Object.entries(dataSets)
    .flatMap(([body, all]) => all.map((file) => ({ ...file, body })))
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const paths = files.map(({ id, name, content }) => {
    mkdirSync(join(dataDir, 'files', id), { recursive: true });
    writeFileSync(join(dataDir, 'files', id, name), content);
    return join(dataDir, 'files', id, name);
  });
  const { exitCode, err } = await ingestHere(dataDir, 'stj', paths);
  if (exitCode !== 0) throw new Error(err);
  return decisionsIn(dataDir);
}

/** Files of downloads that are still there. */
export function leftovers(dataDir: string): string[] {
  const folder = join(dataDir, 'sync', 'stj');
  return existsSync(folder) ? readdirSync(folder) : [];
}
