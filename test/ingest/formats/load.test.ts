import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { FORMATOS } from '../../../src/ingest/formats/table.ts';
import { rowsIn } from '../../support/index-content.ts';
import { bePatient } from '../../support/patience.ts';
import { run } from '../../support/run.ts';
import { ingesting } from '../support-ingest.ts';

bePatient();

const { dataDir, file, load, ementas } = ingesting();
/** As a process, from a pipe. */
const piped = (input: string | Uint8Array, ...options: readonly string[]) =>
  run('ingest/command.ts', ['stj', ...options, '-'], { DATA_DIR: dataDir() }, input);
const espelho = (id: string, ementa = `EMENTA DE ${id}`) => ({
  id,
  siglaClasse: 'REsp',
  numeroProcesso: id,
  ementa,
});
const month = (...espelhos: readonly object[]) => JSON.stringify(espelhos);
const many = (count: number, from = 0) =>
  month(...Array.from({ length: count }, (_, at) => espelho(String(from + at), `Ementa ${Math.sin(at)}`)));

describe('a court’s own file', () => {
  test.each([
    ['plain', '', (text: string) => Buffer.from(text)],
    ['gzip', '.gz', (text: string) => gzipSync(text)],
    [
      'gzip of two members',
      '.gz',
      (text: string) => Buffer.concat([gzipSync(text.slice(0, 500)), gzipSync(text.slice(500))]),
    ],
    ['zstd', '.zst', (text: string) => zstdCompressSync(text)],
    ['zip', '.zip', (text: string) => zipSync({ 'espelhos/20220508.json': Buffer.from(text) })],
    ['zip of gzip', '.zip', (text: string) => zipSync({ 'a.json.gz': gzipSync(text) })],
  ])('is recognised and loaded %s, from a file and from a pipe', async (_, suffix, pack) => {
    expect(await load('stj', [file(`espelhos.json${suffix}`, pack(many(300)))])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('300 added, 0 replaced, 0 unchanged, 0 rejected'),
    });
    expect(await piped(pack(many(301)))).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('1 added'),
    });
    expect(readdirSync(dataDir()).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  test('in a zip within gzip, from a pipe, is loaded with all the files of the zip', async () => {
    const zip = zipSync({ '20230131.json': Buffer.from(many(3)), '20230228.json': Buffer.from(many(4, 3)) });
    expect(await piped(gzipSync(zip), '--from', 'stj-espelhos')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('7 added'),
    });
  });

  test('loaded twice changes nothing', async () => {
    const later = month(espelho('7', 'Mudou'), espelho('novo'));
    const paths = [file('20230531.json', many(200)), file('20230630.json', later)];
    expect((await load('stj', paths)).out).toContain('201 added, 1 replaced, 0 unchanged');
    const before = rowsIn(baseFile(dataDir(), 'stj'));
    const done = await load('stj', paths);
    expect(done.exitCode).toBe(0);
    expect(done.out).toContain('0 added, 0 replaced, 201 unchanged, 0 rejected, 1 older than the stored');
    expect(rowsIn(baseFile(dataDir(), 'stj'))).toEqual(before);
  });

  test('older than a loaded one replaces nothing, in any order of the files', async () => {
    const june = file('20230630.json', month(espelho('1', 'A redação de junho.'), espelho('2')));
    const may = file('20230531.json', month(espelho('1', 'A redação de maio.'), espelho('3')));
    expect((await load('stj', [june, may])).out).toContain(
      '3 added, 0 replaced, 0 unchanged, 0 rejected, 1 older',
    );
    expect(ementas()).toEqual(['A redação de junho.', 'EMENTA DE 2', 'EMENTA DE 3']);
    expect(await load('stj', [may])).toMatchObject({ exitCode: 0, out: expect.stringContaining('1 older') });
    expect(ementas()[0]).toBe('A redação de junho.');
    await load('stj', [file('20230731.json', month(espelho('1', 'A redação de julho.')))]);
    expect(ementas()[0]).toBe('A redação de julho.');
  });

  test('has one key for an id with and without leading zeros', async () => {
    const bare = file('20230531.json', month(espelho('844657', 'Maio.'), espelho('12', 'Outro.')));
    const padded = file('20230630.json', month(espelho('000844657', 'Junho.')));
    expect((await load('stj', [padded, bare])).out).toContain(
      '2 added, 0 replaced, 0 unchanged, 0 rejected, 1 older',
    );
    expect(ementas()).toEqual(['Junho.', 'Outro.']);
    expect((await load('stj', [bare, padded])).out).toContain('2 unchanged, 0 rejected, 1 older');
  });

  test('without a date in its name counts as newer than the data loaded before', async () => {
    await load('stj', [file('a.json', month(espelho('1', 'Primeiro'), espelho('1', 'Segundo')))]);
    expect(ementas()).toEqual(['Segundo']);
    await load('stj', [file('b.json', month(espelho('1', 'Terceiro')))]);
    expect(ementas()).toEqual(['Terceiro']);
  });

  test('has rejects with file, place and reason, and the rest is loaded', async () => {
    const path = file('x.json', month(espelho('1'), espelho(''), espelho('2')));
    const rejects = join(dataDir(), 'refused.jsonl');
    expect(await load('stj', [path], { strict: true, rejects })).toMatchObject({
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

describe('damaged or empty input', () => {
  const from = 'stj-espelhos';
  const whole = many(3_000);
  const zip = zipSync({ 'a.json': Buffer.from(many(50)), 'b.json': Buffer.from(many(2_000, 50)) });
  test.each([
    [
      'a cut file',
      'x.json',
      whole.slice(0, -100),
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
  ])('%s is reported and loads nothing, while other files are loaded', async (_, name, content, message) => {
    const bad = file(name, content);
    const done = await load('stj', [bad, file('good.json', month(espelho('good')))], { from });
    expect(done).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('1 added, 0 replaced, 0 unchanged, 1 rejected'),
      err: expect.stringMatching(message),
    });
    expect(done.err).toContain('nothing of the file was loaded');
    expect(done.err).not.toMatch(/\n\s+at /);
    expect(ementas()).toEqual(['EMENTA DE good']);
    const [rejects = ''] = readdirSync(join(dataDir(), 'rejects'));
    const stored = readFileSync(join(dataDir(), 'rejects', rejects), 'utf8');
    expect(JSON.parse(stored)).toMatchObject({ file: bad });
  });

  test.each([
    ['a pipe that ends too early', Buffer.from(whole.slice(0, -100))],
    ['a pipe with a cut gzip', gzipSync(whole).subarray(0, -200)],
  ])('from %s loads nothing at all', async (_, content) => {
    expect(await piped(content, '--from', 'stj-espelhos')).toMatchObject({ exitCode: 1 });
    expect(ementas()).toEqual([]);
  });

  test.each([
    ['a page', '<html><title>Negado</title></html>', /an HTML page titled "Negado", of no known format/],
    ['a catalog', '{"success": true, "result": {}}', /JSON that begins with "\{\\"success\\": true/],
    ['a word', 'x\n', /text that begins with "x"/],
  ])(
    '%s of no known format is refused before anything is loaded, with the choices',
    async (_, content, message) => {
      const done = await load('stj', [file('good.json', month(espelho('1'))), file('bad', content)]);
      expect(done).toMatchObject({ exitCode: 1, out: '', err: expect.stringMatching(message) });
      expect(done.err).toContain('--from: jsonl, stj-espelhos');
      expect(ementas()).toEqual([]);
    },
  );

  test('files without a decision are named but do not fail the load of the others', async () => {
    const names = ['20230531.json', 'empty.json', 'break.json', 'good.json'];
    const paths = ['[]', '', '\n', month(espelho('1'))].map((content, at) => file(names[at] ?? '', content));
    const done = await load('stj', paths, { strict: true });
    expect(done).toMatchObject({ exitCode: 0, err: '' });
    expect(done.out).toMatch(/no decision in .*20230531\.json, .*empty\.json, .*break\.json$/m);
  });

  test.each([
    ['an empty array', '[]'],
    ['empty fields and a brace too many', '[{"id":"","numeroProcesso":"","ementa":"","siglaClasse":""} }]'],
  ])('a month without decisions alone does not fail the load: %s', async (_, text) => {
    const path = file('20230531.json', text);
    const nothing = { exitCode: 0, err: '', out: expect.stringContaining('no decision in ') };
    for (const options of [{}, { strict: true }, { dryRun: true }, { from }] as const)
      expect(await load('stj', [path], options)).toMatchObject(nothing);
    expect(await piped(text, '--from', from)).toMatchObject(nothing);
  });

  test('a single file without any loadable record fails the load', async () => {
    const failed = { exitCode: 1, err: expect.stringMatching(/nothing (?:was|would be) loaded/) };
    for (const text of ['', ' \n']) {
      const path = file('blank.json', text);
      for (const options of [{ from }, { from: 'jsonl' }, { dryRun: true }, {}] as const)
        expect(await load('stj', [path], options)).toMatchObject(failed);
    }
    expect(await piped(' \n', '--from', from)).toMatchObject(failed);
    const rejected = file('b.json', month({ ...espelho('1'), id: '' }));
    expect(await load('stj', [file('a.json', '[]'), rejected])).toMatchObject(failed);
  });
});

describe('--from', () => {
  test('refuses a format of another base, with the choices', async () => {
    const path = file('x.json', month(espelho('1')));
    expect((await load('tst', [path], { from: 'stj-espelhos' })).err).toMatch(
      /stj-espelhos does not load into tst; its formats: jsonl/,
    );
    expect((await load('tst', [path])).err).toMatch(
      /x\.json is stj-espelhos, which loads into stj and not tst/,
    );
  });

  test('is explained with every format by --help, and by the error for an unknown one', async () => {
    const { out } = await run('ingest/command.ts', ['--help']);
    for (const { name } of FORMATOS) expect(out).toContain(`  ${name} `);
    expect((await piped('', '--from', 'xyz')).err).toMatch(/Allowed choices are jsonl, stj-espelhos/);
  });
});

function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const place = Math.floor(copy.length * at);
  copy[place] = (copy[place] ?? 0) ^ 0xff;
  return copy;
}
