import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { readConfig, type Config, type Environment } from '../../src/config/config.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { basesFolder } from '../../src/index/format/schema.ts';
import { createBases, openForWriting } from '../../src/index/write/base-file.ts';
import { writeLines } from '../../src/ingest/record-maker.ts';
import { BaseWriter } from '../../src/index/write/base-writer.ts';
import { issueKey } from '../../src/keys/store.ts';
import { createLog } from '../../src/observe/log.ts';
import { startSystem } from '../../src/system.ts';
import { fetchChecked } from './documented.ts';

/** A decision in the canonical format; what is not given is absent. */
export type Line = Record<string, unknown> & { tipo: string };

export interface Service {
  readonly url: string;
  /** The admin listener. */
  readonly adminUrl: string;
  readonly dataDir: string;
  /** A valid key, and requests that carry it. */
  readonly key: string;
  get(path: string, init?: RequestInit): Promise<Response>;
  /** GET of the search route with the given parameters, its body read. */
  busca(parameters: Record<string, string>): Promise<{ status: number; headers: Headers; body: Body }>;
  /** Adds decisions while the service runs, as `bun run ingest` would. */
  load(base: Base, lines: readonly Line[]): void;
  stop(): Promise<void>;
}

/** The body of a search, loosely typed: tests read what they check. */
export interface Body {
  itens: { id: string; base: string; [field: string]: unknown }[];
  por_base: {
    base: string;
    ordem_aplicada: string;
    ms: number;
    encontrados_ate_1000?: number;
    ha_mais_de_1000?: boolean;
  }[];
  bases_sem_resposta: { base: string; tempo_esgotado: boolean }[];
  proximo_cursor: string | null;
  erro?: string;
  codigo?: string;
}

const folders: string[] = [];
// Runs after the hooks of the test file, which end what uses the folders.
afterAll(() => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A process that is ending still writes there.
    }
  }
});

/** A new folder, removed after the last test of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jurisprudencia-'));
  folders.push(folder);
  return folder;
}

/** The day of the tests, on any machine's clock: later than every real and made-up decision. */
const TODAY = new Date('2026-11-22T12:00:00Z');

/** Writes decisions into a base; every line must be good. @returns nothing; throws the reason otherwise. */
export function loadLines(dataDir: string, base: Base, lines: readonly (Line | string)[]): void {
  const db = openForWriting(dataDir, base);
  // Nothing of a test is to outlive the machine, so none waits for its disk.
  db.pragma('synchronous = OFF');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeLines(new BaseWriter(db), base, texts, TODAY);
  db.close();
}

export type Decisions = Partial<Record<Base, readonly (Line | string)[]>>;
const NONE: Decisions = {};

/** The same decisions in each base. */
export function inEachBase(lines: readonly Line[]): Decisions {
  const ofEproc = lines.map((line) => ({ tribunal: 'tnu', ...line }));
  return { ...Object.fromEntries(BASES.map((base) => [base, lines])), eproc: ofEproc };
}

/** The files of the bases that hold some decisions, by their names. */
const MADE = new WeakMap<Decisions, ReadonlyMap<string, Uint8Array>>();

/** Makes six bases with these decisions; when the same object comes again, by copying the files made first. */
export function makeBases(dataDir: string, decisions: Decisions = NONE): void {
  const folder = basesFolder(dataDir);
  const known = MADE.get(decisions);
  if (known !== undefined) {
    mkdirSync(folder, { mode: 0o700 });
    for (const [name, bytes] of known) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
    return;
  }
  if (decisions === NONE) createBases(dataDir);
  else makeBases(dataDir);
  for (const base of BASES) {
    const lines = decisions[base] ?? [];
    if (lines.length > 0) loadLines(dataDir, base, lines);
  }
  const names = readdirSync(folder);
  MADE.set(decisions, new Map(names.map((name) => [name, readFileSync(join(folder, name))])));
}

/**
 * Windows that no machine is too slow for, so that no answer depends on its speed. A count that takes a slow thread more than
 * 15 ms is expensive, and left out if too many of these run: here every base has room for one.
 */
export const AMPLE_WINDOWS = {
  BASES_RELEVANCE_MS: '60000',
  BASES_RECENCY_MS: '60000',
  BASES_COUNT_MS: '60000',
  BASES_RECORD_MS: '60000',
  EXPENSIVE_AT_ONCE: '64',
} satisfies Environment;

/** For tests of what the product's own default is. */
export const DEFAULT_THREADS: Environment = { BASES_THREADS: '' };

/** Free ports of the loopback, ample windows, and one thread a base: the start of a thread is most of what a service costs a test. */
export function configIn(dataDir: string, environment: Environment = {}): Config {
  const fixed = { PORT: '0', ADMIN_PORT: '0', BASES_THREADS: '1', ...AMPLE_WINDOWS };
  return readConfig({ ...fixed, ...environment, DATA_DIR: dataDir });
}

/** A whole service on a free port of the loopback, with a new data folder. */
export async function startService(
  decisions: Decisions = NONE,
  environment: Environment = {},
  toml = '',
): Promise<Service> {
  const dataDir = temporaryFolder();
  if (toml !== '') writeFileSync(join(dataDir, 'config.toml'), toml);
  makeBases(dataDir, decisions);
  const key = issueKey(dataDir, 'teste', null, new Date());
  const system = startSystem(configIn(dataDir, environment), createLog('silent').log);
  const get = (path: string, init: RequestInit = {}) =>
    fetchChecked(system.url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
  let stopped: Promise<void> | undefined;
  return {
    url: system.url,
    adminUrl: system.adminUrl,
    dataDir,
    key,
    get,
    busca: async (parameters) => {
      const response = await get(`/v1/jurisprudencia/busca?${new URLSearchParams(parameters).toString()}`);
      return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
    },
    load: (base, lines) => {
      loadLines(dataDir, base, lines);
    },
    stop: () => (stopped ??= system.stop()),
  };
}
