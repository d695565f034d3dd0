import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { PlainError } from '../../../src/process/fail.ts';
import { recordJson } from '../../../src/index/format/record.ts';
import { dateText, tipoCode, tribunalCode } from '../../../src/index/format/schema.ts';
import { CODIGOS_TRIBUNAL, TIPOS, type Base } from '../../../src/contract/vocabulary.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import type { Decisao } from '../../../src/ingest/decisao.ts';
import { SEED } from '../measure/build.ts';
import { ProcessProbe } from '../measure/process.ts';
import { runProgram, startProgram, type Child } from '../../support/run.ts';
import { decisionIn } from './data.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const USER = 'postgres';
const MIB = 2 ** 20;
const BATCH = 500;

/**
 * As PostgreSQL's own guide recommends (chapters 12, 20.4 and 14.4): a quarter of the memory for its buffers, which
 * may be no more than the data needs; a stored tsvector with a GIN index; statistics gathered after the load. Words
 * are folded and not stemmed, as the service's are. One process a query: parallel ones would take more CPU, and are
 * not counted here. No JIT, which costs more than it saves on queries as short as these.
 */
function settings(): Record<string, string> {
  const memory = Math.floor(totalmem() / MIB);
  return {
    shared_buffers: `${Math.min(Math.floor(memory / 4), 8_192)}MB`,
    effective_cache_size: `${Math.floor((memory * 3) / 4)}MB`,
    maintenance_work_mem: `${Math.min(1_024, Math.floor(memory / 16))}MB`,
    work_mem: '64MB',
    random_page_cost: '1.1',
    max_wal_size: '8GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    // Planned anew each time, for how common a word is decides on the plan.
    plan_cache_mode: 'force_custom_plan',
    listen_addresses: '',
  };
}

const SCHEMA_SQL = `
  CREATE EXTENSION unaccent;
  CREATE TEXT SEARCH CONFIGURATION juri (COPY = simple);
  ALTER TEXT SEARCH CONFIGURATION juri
    ALTER MAPPING FOR asciiword, word, numword, asciihword, hword, numhword,
      hword_asciipart, hword_part, hword_numpart WITH unaccent, simple;
  CREATE TABLE decisao (
    numero integer PRIMARY KEY, tribunal text NOT NULL, tipo text NOT NULL, julgamento date,
    resumo text NOT NULL, documento text NOT NULL, palavras tsvector NOT NULL
  );`;
/** The classes of weight for `ts_rank_cd`: thesis and themes, case number, ementa, dispositivo. */
const INSERT_SQL = `
  INSERT INTO decisao
  SELECT numero, tribunal, tipo, nullif(julgamento, '')::date, resumo, documento,
         setweight(to_tsvector('juri', processo), 'A') || setweight(to_tsvector('juri', destaque), 'B') ||
         setweight(to_tsvector('juri', ementa), 'C') || setweight(to_tsvector('juri', dispositivo), 'D')
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
              $9::text[], $10::text[])
    AS linha (numero, tribunal, tipo, julgamento, resumo, documento, ementa, destaque, dispositivo, processo)`;
const INDEX_SQL = `
  CREATE INDEX por_palavras ON decisao USING gin (palavras);
  CREATE INDEX por_julgamento ON decisao (julgamento);
  CREATE INDEX por_tipo ON decisao (tipo);`;

/** A session, which has a process of the server to itself: what that takes is what its statements took. */
export class PostgresSession {
  readonly #sql: Bun.SQL;
  readonly probe: ProcessProbe;

  private constructor(sql: Bun.SQL, pid: number) {
    this.#sql = sql;
    this.probe = new ProcessProbe(pid);
  }

  static async open(folder: string): Promise<PostgresSession> {
    const sql = connect(folder);
    // One row of one column.
    const [row] = (await sql.unsafe('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
    return new PostgresSession(sql, row?.pid ?? 0);
  }

  /** Runs a statement with its values; prepared when first seen. */
  async query<Row>(text: string, values: readonly (string | number)[]): Promise<Row[]> {
    // The rows are what the text selects.
    return (await this.#sql.unsafe(text, [...values])) as Row[];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sql.close();
  }
}

/** One server with one table, reached by a socket that only this user may open. */
export class Postgres {
  readonly #server: Child;
  readonly sessions: readonly PostgresSession[];

  private constructor(sessions: readonly PostgresSession[], server: Child) {
    this.sessions = sessions;
    this.#server = server;
  }

  static isInstalled(): boolean {
    return existsSync(join(BIN, 'postgres'));
  }

  /** Starts a server for one size of data, and builds its data if missing. @throws PlainError */
  static async start(
    base: Base,
    decisions: number,
    sessions: number,
    say: (line: string) => void,
  ): Promise<Postgres> {
    const folder = join(clusterFolder(), `${base}-${decisions}`);
    const mark = join(folder, 'bench-complete');
    const isBuilt = existsSync(mark);
    if (!isBuilt) {
      rmSync(folder, { recursive: true, force: true });
      const how = ['-U', USER, '-A', 'trust', '--locale=C.UTF-8', '--encoding=UTF8', '--no-sync'];
      await runProgram([...asUser(), join(BIN, 'initdb'), '-D', folder, ...how]);
    }
    const server = await startServer(folder);
    try {
      if (!isBuilt) {
        const sql = connect(folder);
        await fill(sql, base, decisions, say);
        await sql.close();
        writeFileSync(mark, '');
      }
      return new Postgres(
        await Promise.all(Array.from({ length: sessions }, async () => PostgresSession.open(folder))),
        server,
      );
    } catch (error) {
      endOf(server);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.sessions.map((session) => session[Symbol.asyncDispose]()));
    endOf(this.#server);
  }
}

/** SIGINT is its "fast" end: it closes sessions and leaves whole data. */
function endOf(server: Child): void {
  server.kill('SIGINT');
}

function connect(folder: string): Bun.SQL {
  const path = join(folder, '.s.PGSQL.5432');
  return new Bun.SQL({ adapter: 'postgres', path, username: USER, database: USER, max: 1 });
}

/** PostgreSQL refuses to run as root; the user that its package makes does then. */
function asUser(): string[] {
  if (process.getuid?.() !== 0) return [];
  return ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'];
}

/** Below the temporary folder, whose path that user can go through. */
function clusterFolder(): string {
  const folder = join(tmpdir(), `jurisprudencia-bench-postgres-${process.getuid?.() ?? 0}`);
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { mode: 0o700 });
  if (process.getuid?.() === 0) {
    const [, , uid, gid] = /^postgres:([^:]*):(\d+):(\d+):/mu.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
    if (uid === undefined || gid === undefined) throw new PlainError('there is no user postgres to run as');
    chownSync(folder, Number(uid), Number(gid));
  }
  return folder;
}

async function startServer(folder: string): Promise<Child> {
  const options = Object.entries(settings()).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [...asUser(), join(BIN, 'postgres'), '-D', folder, '-k', folder, '-p', '5432', ...options];
  const server = startProgram(command, { cwd: '/' });
  await server.says('ready to accept connections');
  return server;
}

async function fill(sql: Bun.SQL, base: Base, decisions: number, say: (line: string) => void): Promise<void> {
  say(`peers: loading PostgreSQL with ${decisions.toLocaleString('en')} decisions`);
  await sql.unsafe(SCHEMA_SQL).simple();
  let columns: string[][] = emptyColumns();
  const flush = async () => {
    const [numeros = [], ...texts] = columns;
    const lists = [sql.array(numeros.map(Number), 'INT'), ...texts.map((text) => sql.array(text, 'TEXT'))];
    await sql.unsafe(INSERT_SQL, lists);
    columns = emptyColumns();
  };
  let numero = 0;
  for (const line of demoLines(base, decisions, SEED)) {
    numero += 1;
    const values = valuesOf(decisionIn(line, base), base, numero);
    for (const [at, value] of values.entries()) columns[at]?.push(value);
    if (numero % BATCH === 0) await flush();
  }
  if (columns[0]?.length !== 0) await flush();
  await sql.unsafe(INDEX_SQL).simple();
  await sql.unsafe('VACUUM (ANALYZE) decisao');
}

const COLUMNS = 10;

function emptyColumns(): string[][] {
  return Array.from({ length: COLUMNS }, () => []);
}

/** In the order of the insert's columns: the words are the very text that the service indexes. */
function valuesOf(decisao: Decisao, base: Base, numero: number): string[] {
  const { julgamento, indexed } = decisao;
  const { resumo, documento } = recordJson(base, numero, decisao);
  return [
    String(numero),
    CODIGOS_TRIBUNAL.find((name) => tribunalCode(name) === decisao.tribunal) ?? '',
    TIPOS.find((name) => tipoCode(name) === decisao.tipo) ?? '',
    julgamento === 0 ? '' : dateText(julgamento),
    resumo,
    documento,
    indexed.ementa,
    `${indexed.tese}\n${[indexed.temas].flat().join('\n')}`,
    indexed.dispositivo,
    [indexed.processo].flat().join('\n'),
    // PostgreSQL's text has no NUL.
  ].map((text) => text.replaceAll('\0', ' '));
}
