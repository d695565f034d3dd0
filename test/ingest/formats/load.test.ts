import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { FORMATOS } from '../../../src/ingest/formats/table.ts';
import { recordsIn } from '../../../src/index/format/record-reader.ts';
import { rowsIn } from '../../support/index-content.ts';
import { bePatient } from '../../support/patience.ts';
import { run, spawn } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';

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
function file(name: string, content: string | Uint8Array): string {
  const path = join(dataDir, name);
  writeFileSync(path, content);
  return path;
}
const espelho = (id: string, ementa = `EMENTA DE ${id}`) => ({
  id,
  siglaClasse: 'REsp',
  numeroProcesso: id,
  ementa,
});
const month = (...espelhos: readonly object[]) => JSON.stringify(espelhos);
const many = (count: number, from = 0) =>
  month(...Array.from({ length: count }, (_, at) => espelho(String(from + at), `Ementa ${Math.sin(at)}`)));

/** What the base holds, in the order of its numbers. */
function ementas(): string[] {
  const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
  const numeros = db.prepare<[], number>('SELECT id FROM item ORDER BY id').pluck().all();
  const records = recordsIn(db);
  const found = numeros.map(
    (numero) => (JSON.parse(records.documento(numero)) as { ementa: string | null }).ementa ?? '',
  );
  db.close();
  return found;
}
const tables = () => rowsIn(baseFile(dataDir, 'stj'));

describe('a court’s own file', () => {
  test.each([
    ['plain', '', (text: string) => Buffer.from(text)],
    ['gzip', '.gz', (text: string) => gzipSync(text)],
    ['zstd', '.zst', (text: string) => zstdCompressSync(text)],
    ['zip', '.zip', (text: string) => zipSync({ 'espelhos/20220508.json': Buffer.from(text) })],
    ['zip of gzip', '.zip', (text: string) => zipSync({ 'a.json.gz': gzipSync(text) })],
  ])('is recognised and loaded %s, from a file and from a pipe', async (_, suffix, pack) => {
    const path = file(`espelhos.json${suffix}`, pack(many(300)));
    expect(await ingest(['stj', path])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('300 added, 0 replaced, 0 unchanged, 0 rejected'),
    });
    expect(await ingest(['stj', '-'], pack(many(301)))).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('1 added'),
    });
    expect(readdirSync(dataDir).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('loaded twice changes nothing', async () => {
    const paths = [
      file('20230531.json', many(200)),
      file('20230630.json', month(espelho('7', 'Mudou'), espelho('novo'))),
    ];
    expect((await ingest(['stj', ...paths])).out).toContain('201 added, 1 replaced, 0 unchanged');
    const before = tables();
    expect(await ingest(['stj', ...paths])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(
        '0 added, 0 replaced, 201 unchanged, 0 rejected, 1 older than the stored version',
      ),
    });
    expect(tables()).toEqual(before);
  });

  test('that is older than what the base holds replaces nothing, in whatever order the files come', async () => {
    const june = file('20230630.json', month(espelho('1', 'A redação de junho.'), espelho('2')));
    const may = file('20230531.json', month(espelho('1', 'A redação de maio.'), espelho('3')));
    expect((await ingest(['stj', june, may])).out).toContain(
      '3 added, 0 replaced, 0 unchanged, 0 rejected, 1 older',
    );
    expect(ementas()).toEqual(['A redação de junho.', 'EMENTA DE 2', 'EMENTA DE 3']);
    expect(await ingest(['stj', may])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('1 older'),
    });
    expect(ementas()[0]).toBe('A redação de junho.');
    await ingest(['stj', file('20230731.json', month(espelho('1', 'A redação de julho.')))]);
    expect(ementas()[0]).toBe('A redação de julho.');
  });

  test('has one decision under one key, with the zeros of its id and without', async () => {
    const bare = file('20230531.json', month(espelho('844657', 'Maio.'), espelho('12', 'Outro.')));
    const padded = file('20230630.json', month(espelho('000844657', 'Junho.')));
    expect((await ingest(['stj', padded, bare])).out).toContain(
      '2 added, 0 replaced, 0 unchanged, 0 rejected, 1 older',
    );
    expect(ementas()).toEqual(['Junho.', 'Outro.']);
    expect((await ingest(['stj', bare, padded])).out).toContain('2 unchanged, 0 rejected, 1 older');
  });

  test('without a date in its name is later than what was loaded before it', async () => {
    await ingest(['stj', file('a.json', month(espelho('1', 'Primeiro'), espelho('1', 'Segundo')))]);
    expect(ementas()).toEqual(['Segundo']);
    await ingest(['stj', file('b.json', month(espelho('1', 'Terceiro')))]);
    expect(ementas()).toEqual(['Terceiro']);
  });

  test('puts what it must reject into the rejects file with file, place and reason, and loads the rest', async () => {
    const path = file('x.json', month(espelho('1'), espelho(''), espelho('2')));
    const rejects = join(dataDir, 'refused.jsonl');
    expect(await ingest(['stj', '--strict', '--rejects', rejects, path])).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('2 added, 0 replaced, 0 unchanged, 1 rejected'),
    });
    expect(JSON.parse(readFileSync(rejects, 'utf8'))).toEqual({
      file: path,
      place: 'record 2',
      reason: expect.stringContaining('id: missing'),
      text: JSON.stringify(espelho('')),
    });
  });
});

describe('damaged input', () => {
  const whole = many(3_000);
  const zip = zipSync({ 'a.json': Buffer.from(many(50)), 'b.json': Buffer.from(many(2_000, 50)) });
  test.each([
    [
      'a cut file',
      'x.json',
      Buffer.from(whole.slice(0, -100)),
      /x\.json: cut: the JSON ends too early \(after record 2998\)/,
    ],
    ['a cut gzip', 'x.json.gz', gzipSync(whole).subarray(0, -200), /x\.json\.gz: .*unexpected end of file/i],
    [
      'a cut zstd',
      'x.json.zst',
      zstdCompressSync(whole).subarray(0, -200),
      /x\.json\.zst: the zstd file is cut/,
    ],
    ['a gzip with a wrong byte', 'x.json.gz', flipped(gzipSync(whole), 0.7), /x\.json\.gz: /],
    ['a cut zip', 'x.zip', zip.subarray(0, -30), /x\.zip: the zip cannot be read/],
    ['a zip with a wrong byte', 'x.zip', flipped(zip, 0.6), /x\.zip:b\.json: /],
    [
      'an error page',
      'x.html',
      '<html><head><title>502 Bad Gateway</title>',
      /x\.html: not JSON, but an HTML page titled "502 Bad/,
    ],
  ])(
    '%s is told of plainly, loads nothing of its own, and keeps no other file from being loaded',
    async (_, name, content, message) => {
      const bad = file(name, content);
      const good = file('good.json', month(espelho('good')));
      const done = await ingest(['stj', '--from', 'stj-espelhos', bad, good]);
      expect(done).toMatchObject({
        exitCode: 1,
        out: expect.stringContaining('1 added, 0 replaced, 0 unchanged, 1 rejected'),
        err: expect.stringMatching(message),
      });
      expect(done.err).toContain('nothing of the file was loaded');
      expect(done.err).not.toMatch(/\n\s+at /);
      expect(ementas()).toEqual(['EMENTA DE good']);
      const [rejects = ''] = readdirSync(join(dataDir, 'rejects'));
      expect(JSON.parse(readFileSync(join(dataDir, 'rejects', rejects), 'utf8'))).toMatchObject({
        file: bad,
      });
    },
  );

  test.each([
    ['a pipe that ends too early', Buffer.from(whole.slice(0, -100))],
    ['a pipe with a cut gzip', gzipSync(whole).subarray(0, -200)],
  ])('from %s loads nothing at all', async (_, content) => {
    expect(await ingest(['stj', '--from', 'stj-espelhos', '-'], content)).toMatchObject({ exitCode: 1 });
    expect(ementas()).toEqual([]);
  });

  test.each([
    [
      'a page',
      '<html><title>Acesso negado</title></html>',
      /an HTML page titled "Acesso negado", of no known format/,
    ],
    [
      'a catalog',
      '{"success": true, "result": {"count": 2}}',
      /JSON that begins with "\{\\"success\\": true/,
    ],
    ['a word', 'x\n', /text that begins with "x"/],
  ])(
    '%s of no known format is refused before anything is loaded, with the choices',
    async (_, content, message) => {
      const paths = [file('good.json', month(espelho('1'))), file('bad', content)];
      const done = await ingest(['stj', ...paths]);
      expect(done).toMatchObject({ exitCode: 1, out: '', err: expect.stringMatching(message) });
      expect(done.err).toContain('--from: jsonl, stj-espelhos');
    },
  );

  test('an empty file among others is named, and is no fault', async () => {
    const paths = [
      file('20230531.json', '[]'),
      file('empty.json', ''),
      file('good.json', month(espelho('1'))),
    ];
    const done = await ingest(['stj', '--strict', ...paths]);
    expect(done).toMatchObject({ exitCode: 0, err: '' });
    expect(done.out).toMatch(/no decision in .*20230531\.json, .*empty\.json$/m);
    expect(await ingest(['stj', file('only.json', '')])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('nothing was loaded'),
    });
  });

  test.each([
    ['an empty array', '[]'],
    [
      'a record of empty fields with a brace too many',
      '[{"id":"","numeroProcesso":"","ementa":"","siglaClasse":""} }]',
    ],
  ])('a month without decisions is no fault when it comes alone: %s', async (_, text) => {
    const path = file('20230531.json', text);
    for (const options of [[], ['--strict'], ['--dry-run'], ['--from', 'stj-espelhos']]) {
      expect(await ingest(['stj', ...options, path])).toMatchObject({
        exitCode: 0,
        err: '',
        out: expect.stringContaining('no decision in '),
      });
    }
    expect(await ingest(['stj', '--from', 'stj-espelhos', '-'], text)).toMatchObject({ exitCode: 0 });
  });

  test('a file with nothing in it, or of nothing but rejects, is a fault when it comes alone', async () => {
    const failed = { exitCode: 1, err: expect.stringMatching(/nothing (?:was|would be) loaded/) };
    for (const text of ['', ' \n']) {
      const path = file('blank.json', text);
      for (const options of [['--from', 'stj-espelhos'], ['--from', 'jsonl'], ['--dry-run']])
        expect(await ingest(['stj', ...options, path])).toMatchObject(failed);
      expect(await ingest(['stj', '--from', 'stj-espelhos', '-'], text)).toMatchObject(failed);
    }
    const rejected = file('b.json', month({ ...espelho('1'), id: '' }));
    expect(await ingest(['stj', file('a.json', '[]'), rejected])).toMatchObject(failed);
  });
});

describe('--from', () => {
  test('refuses a format that is none, or that the base does not hold, with the choices', async () => {
    const path = file('x.json', '[]');
    expect((await ingest(['stj', '--from', 'xyz', path])).err).toMatch(
      /Allowed choices are jsonl, stj-espelhos/,
    );
    expect((await ingest(['tst', '--from', 'stj-espelhos', path])).err).toMatch(
      /stj-espelhos does not load into tst; its formats: jsonl/,
    );
    const other = file('y.json', month(espelho('1')));
    expect((await ingest(['tst', other])).err).toMatch(
      /y\.json is stj-espelhos, which loads into stj and not tst/,
    );
  });

  test('is explained by --help, with every format', async () => {
    const { out } = await ingest(['--help']);
    for (const { name } of FORMATOS) expect(out).toContain(`  ${name} `);
  });
});

test('a load of a court’s file that is killed goes on when it is run again', async () => {
  // Almost two transactions' worth: it is killed long before the second one ends.
  const DECISIONS = 60_000;
  const path = file('20230630.json', many(DECISIONS));
  const child = spawn('ingest/command.ts', ['stj', path], { DATA_DIR: dataDir });
  while (child.exitCode === null && committed() === 0) await Bun.sleep(5);
  child.kill('SIGKILL');
  await child.exited;
  expect(committed()).toBeGreaterThan(0);
  expect(committed()).toBeLessThan(DECISIONS);
  expect(await ingest(['stj', path])).toMatchObject({ exitCode: 0 });
  expect(committed()).toBe(DECISIONS);
});

/** Decisions that a reader sees committed. */
function committed(): number {
  if (!existsSync(baseFile(dataDir, 'stj'))) return 0;
  const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
  const count = db.prepare<[], number>('SELECT count(*) FROM item').pluck().get() ?? 0;
  db.close();
  return count;
}

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const place = Math.floor(copy.length * at);
  copy[place] = (copy[place] ?? 0) ^ 0xff;
  return copy;
}
