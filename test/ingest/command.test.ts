import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { damagesOf, listsIn } from '../support/index-content.ts';
import { BASES } from '../../src/contract/enums.ts';
import { bePatient } from '../support/patience.ts';
import { run, spawn } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';

bePatient();

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

const ingest = (args: readonly string[], input: string | Uint8Array = '') =>
  run('ingest/command.ts', args, { DATA_DIR: dataDir }, input);
const line = (chave: string, ementa = `Ementa de ${chave}`) =>
  JSON.stringify({ tipo: 'acordao', chave, ementa });
const many = (count: number) => `${Array.from({ length: count }, (_, at) => line(`k${at}`)).join('\n')}\n`;

function inBase<T>(sql: string): T[] {
  const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
  const found = db.prepare<[], T>(sql).all();
  db.close();
  return found;
}
/** What a base holds, without what only says when it was loaded. */
function content() {
  return {
    origem: inBase('SELECT key, doc_id, hex(digest) FROM source_keys ORDER BY doc_id'),
    documento: inBase('SELECT * FROM record ORDER BY id'),
    resumo: inBase('SELECT * FROM item ORDER BY id'),
    coluna: inBase('SELECT * FROM doc_values ORDER BY id'),
    // There are millions of postings: what each list holds is compared by its digest.
    lists: Array.from(listsIn(baseFile(dataDir, 'stj'), 'stj'), ([name, postings]) => [
      name,
      Bun.hash(JSON.stringify(postings)),
    ]),
  };
}
describe('bun run ingest', () => {
  test.each([
    ['of no known format', Buffer.from('<html>'.padEnd(300_000, 'x'))],
    ['a damaged archive', Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(100, 'x')])],
  ])('ends when it refuses what is %s, though its pipe stays open', async (_, bytes) => {
    const pipe = join(dataDir, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const writer = Bun.spawn(['sh', '-c', 'exec > "$0"; cat; exec sleep 600', pipe], { stdin: bytes });
    try {
      expect(await ingest(['stj', pipe])).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('stopped: '),
      });
      expect(writer.exitCode).toBeNull();
    } finally {
      writer.kill('SIGKILL');
    }
  });

  test.each([
    ['plain', (text: string) => Buffer.from(text), ''],
    ['gzip', (text: string) => gzipSync(text), '.gz'],
    ['zstd', (text: string) => zstdCompressSync(text), '.zst'],
    [
      'gzip of two members',
      (text: string) => Buffer.concat([gzipSync(text.slice(0, 500)), gzipSync(text.slice(500))]),
      '.gz',
    ],
  ])('loads a %s file, and the same on standard input', async (_, pack, suffix) => {
    const file = join(dataDir, `x.jsonl${suffix}`);
    writeFileSync(file, pack(many(300)));
    expect(await ingest(['stj', file])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('300 added'),
    });
    expect(await ingest(['stj', '-'], pack(many(301)))).toMatchObject({
      out: expect.stringContaining('1 added, 0 replaced, 300 unchanged'),
    });
  });

  test('loaded twice changes nothing, and a changed line keeps its number', async () => {
    await ingest(['stj', '-'], many(50));
    const before = content();
    await ingest(['stj', '-'], many(50));
    expect(content()).toEqual(before);
    await ingest(['stj', '-'], [line('k7', 'Mudou'), line('novo')].join('\n'));
    expect(inBase(`SELECT doc_id FROM source_keys WHERE key IN ('k7', 'novo') ORDER BY key`)).toEqual([
      { doc_id: 8 },
      { doc_id: 51 },
    ]);
    expect(damagesOf(baseFile(dataDir, 'stj'), 'stj')).toEqual([]);
  });

  test('takes a line without a key for the same decision when it comes again', async () => {
    const bare = '{"tipo":"acordao","ementa":"Sem chave"}\n';
    await ingest(['stj', '-'], bare + bare);
    await ingest(['stj', '-'], bare);
    expect(inBase('SELECT id FROM item')).toHaveLength(1);
  });

  test('puts rejected lines into a file with number and reason, and loads the rest', async () => {
    const rejects = join(dataDir, 'refused.jsonl');
    const bad = Buffer.concat([
      Buffer.from(`${line('a')}\n{"tipo":"x"}\n\n{"tipo":\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`[]\n{"tipo":"acordao","ementta":"x"}\n${line('b')}`),
    ]);
    const done = await ingest(['stj', '--rejects', rejects, '-'], bad);
    expect(done).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('2 added, 0 replaced, 0 unchanged, 5 rejected'),
    });
    expect(done.out).toContain(
      'rejected: 1 for not valid JSON\nrejected: 1 for not valid UTF-8; if the file is in Latin-1, convert it: iconv ',
    );
    const lines = readFileSync(rejects, 'utf8')
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one) as { line: number; reason: string });
    expect(lines.map((one) => one.line)).toEqual([2, 4, 5, 6, 7]);
    expect(lines.map((one) => one.reason)).toEqual([
      expect.stringContaining('tipo'),
      'not valid JSON',
      expect.stringContaining('iconv -f latin1 -t utf-8'),
      'not a JSON object',
      'unknown field "ementta" (nearest: ementa)',
    ]);
    expect(statSync(rejects).mode & 0o777).toBe(0o600);
  });

  test('never writes rejected lines over a file that is there, such as their own source', async () => {
    const file = join(dataDir, 'x.jsonl');
    writeFileSync(file, 'bad\n');
    const done = await ingest(['stj', '--rejects', file, file]);
    expect(done).toMatchObject({ exitCode: 1, err: expect.stringContaining('already exists') });
    expect(readFileSync(file, 'utf8')).toBe('bad\n');
  });

  test.each(['/proc/x/y', 'a-file/y', '.'])(
    'names %s, where no rejects can go, before anything is loaded',
    async (place) => {
      writeFileSync(join(dataDir, 'a-file'), '');
      const rejects = place.startsWith('/') ? place : join(dataDir, place);
      for (const options of [[], ['--dry-run']]) {
        const done = await ingest(['stj', ...options, '--rejects', rejects, '-'], `x\n${line('a')}\n`);
        expect(done).toMatchObject({ exitCode: 1, out: '' });
        expect(done.err).toMatch(/^ingest: .*(?:rejected lines)/);
        expect(done.err).toContain(rejects);
      }
      expect(readdirSync(dataDir)).toEqual(['a-file']);
    },
  );

  test('names the data folder’s own place for rejects where none can go there', async () => {
    writeFileSync(join(dataDir, 'rejects'), '');
    const done = await ingest(['stj', '-'], `x\n${line('a')}\n`);
    expect(done).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('cannot write the rejected lines to'),
    });
  });

  test('leaves no rejects file, nor a folder for one, where nothing was rejected', async () => {
    const rejects = join(dataDir, 'new/folder/refused.jsonl');
    expect(await ingest(['stj', '--rejects', rejects, '-'], `${line('a')}\n`)).toMatchObject({ exitCode: 0 });
    expect(await ingest(['stj', '-'], `${line('b')}\n`)).toMatchObject({ exitCode: 0 });
    expect(readdirSync(dataDir).toSorted()).toEqual(['bases', 'bases.lock']);
    await ingest(['stj', '--rejects', rejects, '-'], `x\n${line('c')}\n`);
    expect(readFileSync(rejects, 'utf8')).toContain('"text":"x"');
  });

  test('exits with 1 when nothing could be loaded, and with --strict when anything was rejected', async () => {
    expect(await ingest(['stj', '-'], 'x\n')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('nothing was loaded'),
    });
    expect(await ingest(['stj', '-'], '')).toMatchObject({ exitCode: 1 });
    expect(await ingest(['stj', '--strict', '-'], `${line('a')}\nx\n`)).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('1 added'),
    });
    expect(await ingest(['stj', '--strict', '-'], `${line('a')}\n`)).toMatchObject({ exitCode: 0 });
  });

  test('skips a line of many megabytes without holding it', async () => {
    const long = `{"tipo":"acordao","ementa":"${'x'.repeat(17 * 1024 * 1024)}"}`;
    const done = await ingest(['stj', '-'], `${long}\n${line('a')}\n`);
    expect(done).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('1 added, 0 replaced, 0 unchanged, 1 rejected'),
    });
  });

  test.each([
    [['xyz', 'f'], new RegExp(`Allowed choices are ${BASES.join(', ')}`, 'u')],
    [['stj'], /missing required argument/],
    [['stj', '/nowhere.jsonl'], /no such file: \/nowhere\.jsonl/],
    [['stj', '/tmp'], /is a folder/],
    [['stj', '--stric', '-'], /--strict/],
  ])('refuses %j with a plain message', async (args, message) => {
    const done = await ingest(args);
    expect(done.exitCode).toBe(1);
    expect(done.err).toMatch(message);
    expect(done.err).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['gz', (text: string) => gzipSync(text)],
    ['zst', (text: string) => zstdCompressSync(text)],
  ])('fails on a cut .%s file, says so, and keeps what came before the cut', async (suffix, pack) => {
    const file = join(dataDir, `cut.${suffix}`);
    const whole = pack(
      Array.from({ length: 5_000 }, (_, at) => line(`k${at}`, `Ementa ${Math.sin(at)}`)).join('\n'),
    );
    for (const length of [whole.length / 2, whole.length - 1, whole.length - 200]) {
      writeFileSync(file, whole.subarray(0, length));
      const done = await ingest(['stj', file]);
      expect(done.exitCode).toBe(1);
      expect(done.err).toMatch(/^ingest: stopped: .*cut\.(gz|zst): /);
    }
    expect(inBase('SELECT count(*) AS n FROM item')).toEqual([{ n: expect.any(Number) }]);
    expect(damagesOf(baseFile(dataDir, 'stj'), 'stj')).toEqual([]);
  });

  test('keeps decisions of two courts apart that carry the same key', async () => {
    const two = ['tnu', 'trf6'].map((tribunal) =>
      JSON.stringify({ tipo: 'acordao', tribunal, chave: '1', ementa: tribunal }),
    );
    expect(await ingest(['eproc', '-'], two.join('\n'))).toMatchObject({
      out: expect.stringContaining('2 added'),
    });
  });

  test('of six bases at once into an empty folder loads every one', async () => {
    const loads = BASES.map((base) =>
      ingest(
        [base, '-'],
        JSON.stringify({ tipo: 'acordao', tribunal: base === 'eproc' ? 'tnu' : undefined, ementa: base }),
      ),
    );
    for (const done of await Promise.all(loads))
      expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('1 added') });
    expect(readdirSync(join(dataDir, 'bases')).filter((name) => !/\.db(-wal|-shm)?$/.test(name))).toEqual([]);
  });

  test('makes all six bases in an empty folder, readable by their owner alone', async () => {
    await ingest(['stj', '-'], line('a'));
    for (const base of BASES) expect(statSync(baseFile(dataDir, base)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dataDir, 'bases')).toSorted()).toEqual(
      BASES.map((base) => `${base}.db`).toSorted(),
    );
  });

  test('refuses a file of another schema version, or of another base, with the mend', async () => {
    await ingest(['stj', '-'], line('a'));
    const db = new Database(baseFile(dataDir, 'stj'));
    db.pragma('user_version = 99');
    db.close();
    expect(await ingest(['stj', '-'], line('b'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('bun run ingest stj'),
    });
    writeFileSync(baseFile(dataDir, 'tst'), readFileSync(baseFile(dataDir, 'tjmg')));
    expect(await ingest(['tst', '-'], line('b'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is the file of base tjmg, not of tst'),
    });
  });

  test('killed at any moment loses nothing committed, and run again finishes without duplicates', async () => {
    const file = join(dataDir, 'x.jsonl');
    // More than two transactions' worth.
    const DECISIONS = 75_000;
    const words = (at: number) => Array.from({ length: 10 }, (_, word) => `p${(at * word) % 977}`).join(' ');
    writeFileSync(file, Array.from({ length: DECISIONS }, (_, at) => line(`k${at}`, words(at))).join('\n'));
    let committed = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      const child = spawn('ingest/command.ts', ['stj', file], { DATA_DIR: dataDir });
      // Killed as soon as it has committed more than the time before: always in the middle of the next one.
      while (child.exitCode === null && held() <= committed) await Bun.sleep(5);
      child.kill('SIGKILL');
      await child.exited;
      expect(held()).toBeGreaterThan(committed);
      committed = held();
      expect(damagesOf(baseFile(dataDir, 'stj'), 'stj')).toEqual([]);
    }
    expect(committed).toBeLessThan(DECISIONS);
    expect(await ingest(['stj', file])).toMatchObject({ exitCode: 0 });
    const interrupted = content();
    rmSync(join(dataDir, 'bases'), { recursive: true });
    await ingest(['stj', file]);
    // So many rows are compared natively.
    expect(Bun.deepEquals(interrupted, content(), true)).toBe(true);
  });

  /** Decisions that a reader sees committed. */
  function held(): number {
    if (!existsSync(baseFile(dataDir, 'stj'))) return 0;
    return inBase<{ n: number }>('SELECT count(*) AS n FROM item')[0]?.n ?? 0;
  }
});
