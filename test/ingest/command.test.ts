import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { damagesOf, listsIn } from '../support/index-content.ts';
import { BASES } from '../../src/contract/vocabulary.ts';
import { bePatient } from '../support/patience.ts';
import { run } from '../support/run.ts';
import { ingesting } from './support-ingest.ts';

bePatient();

const { dataDir, file, load, loadText, inBase } = ingesting();
/** The command itself, as a process. */
const command = (args: readonly string[], input: string | Uint8Array = '') =>
  run('ingest/command.ts', args, { DATA_DIR: dataDir() }, input);
const line = (chave: string, ementa = `Ementa de ${chave}`) =>
  JSON.stringify({ tipo: 'acordao', chave, ementa });
const many = (count: number) => `${Array.from({ length: count }, (_, at) => line(`k${at}`)).join('\n')}\n`;
/** A pipe that brings some bytes and stays open. */
function openPipe(bytes: string | Uint8Array) {
  const pipe = join(dataDir(), 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
  const filling = ['sh', '-c', 'exec > "$0"; cat; exec sleep 600', pipe];
  return { pipe, writer: Bun.spawn(filling, { stdin: Buffer.from(bytes) }) };
}
const damages = () => damagesOf(baseFile(dataDir(), 'stj'), 'stj');

/** The content of a base, without the times of its load. */
function content() {
  return {
    keys: inBase('SELECT key, doc_id, hex(digest) FROM source_keys ORDER BY doc_id'),
    records: inBase('SELECT * FROM record ORDER BY id'),
    items: inBase('SELECT * FROM item ORDER BY id'),
    values: inBase('SELECT * FROM doc_values ORDER BY id'),
    // Each list is compared by its digest, for there are many postings.
    lists: Array.from(listsIn(baseFile(dataDir(), 'stj'), 'stj'), ([name, postings]) => [
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
    const { pipe, writer } = openPipe(bytes);
    try {
      expect(await command(['stj', pipe])).toMatchObject({
        exitCode: 1,
        err: expect.stringContaining('stopped: '),
      });
      expect(writer.exitCode).toBeNull();
    } finally {
      writer.kill('SIGKILL');
    }
  });

  test('loaded twice changes nothing, and a changed line keeps its number', async () => {
    await loadText('stj', many(50));
    const before = content();
    await loadText('stj', many(50));
    expect(content()).toEqual(before);
    await loadText('stj', [line('k7', 'Mudou'), line('novo')].join('\n'));
    expect(inBase(`SELECT doc_id FROM source_keys WHERE key IN ('k7', 'novo') ORDER BY key`)).toEqual([
      { doc_id: 8 },
      { doc_id: 51 },
    ]);
    expect(damages()).toEqual([]);
  });

  test('loads a line without a key once, however often it comes', async () => {
    const bare = '{"tipo":"acordao","ementa":"Sem chave"}\n';
    await loadText('stj', bare + bare);
    await loadText('stj', bare);
    expect(inBase('SELECT id FROM item')).toHaveLength(1);
  });

  test.each([{}, { dryRun: true }] as const)(
    'reports dates that it cannot use, with their reason (options %j)',
    async (options) => {
      const dated = (data_julgamento: unknown, data_publicacao: unknown = null) =>
        JSON.stringify({ tipo: 'acordao', data_julgamento, data_publicacao });
      const lines = [dated('31/12/2020', '2021-01-04'), dated(20201231, '31/12/2020'), dated('2020-02-30')];
      // Nothing in place of a date, and one whose century the other proves.
      const { out } = await loadText(
        'stj',
        [...lines, dated('-'), dated('0020-04-15', '2020-04-30')].join('\n'),
        options,
      );
      expect(out.split('\n').filter((one) => one.startsWith('date not used: '))).toEqual([
        'date not used: 2 for data_julgamento: not written YYYY-MM-DD',
        'date not used: 1 for data_publicacao: not written YYYY-MM-DD',
        'date not used: 1 for data_julgamento: cannot be true',
      ]);
    },
  );

  test('writes rejected lines to a file with number and reason, and loads the rest', async () => {
    const rejects = join(dataDir(), 'refused.jsonl');
    const bad = Buffer.concat([
      Buffer.from(`${line('a')}\n{"tipo":"x"}\n\n{"tipo":\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`[]\n{"tipo":"acordao","ementta":"x"}\n${line('b')}`),
    ]);
    const done = await loadText('stj', bad, { rejects, from: 'jsonl' });
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

  test('writes rejects over no existing file, such as the source itself', async () => {
    const rejects = file('x.jsonl', 'bad\n');
    const done = await load('stj', [rejects], { rejects });
    expect(done).toMatchObject({ exitCode: 1, err: expect.stringContaining('already exists') });
    expect(readFileSync(rejects, 'utf8')).toBe('bad\n');
  });

  test.each(['/proc/x/y', 'a-file/y', '.'])(
    'refuses %s for rejects before anything is loaded',
    async (place) => {
      const before = [file('a-file', ''), file('x.jsonl', `${line('a')}\nx\n`)];
      const rejects = place.startsWith('/') ? place : join(dataDir(), place);
      for (const options of [{}, { dryRun: true }] as const) {
        const done = await load('stj', before.slice(1), { ...options, rejects });
        expect(done).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining(rejects) });
        expect(done.err).toMatch(/rejected lines/);
      }
      expect(readdirSync(dataDir()).toSorted()).toEqual(['a-file', 'bases', 'x.jsonl']);
      expect(inBase('SELECT id FROM item')).toEqual([]);
    },
  );

  test('refuses to load if the rejects folder cannot be written', async () => {
    file('rejects', '');
    expect(await loadText('stj', `${line('a')}\nx\n`)).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringContaining('cannot write the rejected lines to'),
    });
  });

  test('creates no rejects file if nothing was rejected', async () => {
    const rejects = join(dataDir(), 'new/folder/refused.jsonl');
    expect(await loadText('stj', `${line('a')}\n`, { rejects })).toMatchObject({ exitCode: 0 });
    expect(await loadText('stj', `${line('b')}\n`)).toMatchObject({ exitCode: 0 });
    const files = readdirSync(dataDir(), { recursive: true }).join('\n');
    expect(files).not.toMatch(/refused|rejects./u);
    await loadText('stj', `${line('c')}\nx\n`, { rejects });
    expect(readFileSync(rejects, 'utf8')).toContain('"text":"x"');
  });

  test('exits with 1 when nothing could be loaded, and with --strict when anything was rejected', async () => {
    expect(await command(['stj', '-', '--from', 'jsonl'], 'x\n')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('nothing was loaded'),
    });
    expect(await loadText('stj', '')).toMatchObject({ exitCode: 1 });
    expect(await command(['stj', '--strict', '-'], `${line('a')}\nx\n`)).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('1 added'),
    });
    expect(await loadText('stj', `${line('a')}\n`, { strict: true })).toMatchObject({ exitCode: 0 });
  });

  test('skips a line of many megabytes within bounded memory', async () => {
    const long = `{"tipo":"acordao","ementa":"${'x'.repeat(17 * 1024 * 1024)}"}`;
    expect(await loadText('stj', `${long}\n${line('a')}\n`)).toMatchObject({
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
    const done = await command(args);
    expect(done.exitCode).toBe(1);
    expect(done.err).toMatch(message);
    expect(done.err).not.toMatch(/\n\s+at /);
  });

  test.each([
    ['gz', (text: string) => gzipSync(text)],
    ['zst', (text: string) => zstdCompressSync(text)],
  ])('fails with a message on a cut .%s file, and keeps the lines before the cut', async (suffix, pack) => {
    const lines = Array.from({ length: 5_000 }, (_, at) => line(`k${at}`, `Ementa ${Math.sin(at)}`));
    const whole = pack(lines.join('\n'));
    for (const length of [whole.length / 2, whole.length - 1, whole.length - 200]) {
      const done = await load('stj', [file(`cut.${suffix}`, whole.subarray(0, length))]);
      expect(done.exitCode).toBe(1);
      expect(done.err).toMatch(/^stopped: .*cut\.(gz|zst): /);
    }
    expect(inBase('SELECT id FROM item').length).toBeGreaterThan(0);
    expect(damages()).toEqual([]);
  });

  test('keeps decisions of two courts with the same key apart', async () => {
    const two = ['tnu', 'trf6'].map((tribunal) =>
      JSON.stringify({ tipo: 'acordao', tribunal, chave: '1', ementa: tribunal }),
    );
    expect((await loadText('eproc', two.join('\n'))).out).toContain('2 added');
  });

  test('loads six bases at once into an empty folder, readable by their owner alone', async () => {
    rmSync(join(dataDir(), 'bases'), { recursive: true });
    const loads = BASES.map((base) =>
      command(
        [base, '-'],
        JSON.stringify({ tipo: 'acordao', tribunal: base === 'eproc' ? 'tnu' : undefined, ementa: base }),
      ),
    );
    for (const done of await Promise.all(loads))
      expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('1 added') });
    const names = readdirSync(join(dataDir(), 'bases')).filter((name) => !/-(wal|shm)$/.test(name));
    expect(names.toSorted()).toEqual(BASES.map((base) => `${base}.db`).toSorted());
    for (const base of BASES) expect(statSync(baseFile(dataDir(), base)).mode & 0o777).toBe(0o600);
  });

  test('refuses a file of another schema version, or of another base, with the mend', async () => {
    const db = new Database(baseFile(dataDir(), 'stj'));
    db.pragma('user_version = 99');
    db.close();
    expect(await loadText('stj', line('b'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('bun run ingest stj'),
    });
    writeFileSync(baseFile(dataDir(), 'tst'), readFileSync(baseFile(dataDir(), 'tjmg')));
    expect(await loadText('tst', line('b'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is the file of base tjmg, not of tst'),
    });
  });
});
