import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { run } from '../../support/run.ts';
import { served } from '../../support/served.ts';
import { temporaryFolder } from '../../support/service.ts';

const COMMAND = 'tools/buscar/command.ts';
const service = served({
  stj: [
    {
      tipo: 'acordao',
      processo: 'REsp 1234567 / SP',
      classe: { sigla: 'REsp', descricao: 'RECURSO ESPECIAL' },
      relator: 'FULANA DE TAL',
      redator: 'BELTRANO DE SOUZA',
      data_julgamento: '2019-03-01',
      data_publicacao: '2019-03-07',
    },
  ],
  tst: [{ tipo: 'sumula', processo: 'Súmula 331', ementa: 'Contrato de prestação de serviços.' }],
});
const home = temporaryFolder();
const folder = join(home, 'minutas');
mkdirSync(folder);

function draft(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const call = async (args: readonly string[], input?: string, environment: Record<string, string> = {}) => {
  const own = { HOME: home, JURISPRUDENCIA_URL: service.url, JURISPRUDENCIA_KEY: service.key };
  const ended = await run(COMMAND, ['conferir', ...args], { ...own, ...environment }, input);
  return { ...ended, err: ended.err.replaceAll(/\n {4,}/gu, ' ') };
};

const DRAFT =
  'No REsp 1.234.567/SP, Rel. Min. Fulana de Tal, DJe 7/3/2019, e na Súmula 331 do TST;\n' +
  'já o HC 999.999/SP e a Súmula 7 do STJ, e o REsp 1.234.567/SP, Rel. Min. Outro Nome.';

describe('conferir', () => {
  it('gives a verdict for each citation, with the stored values, in 80 columns', async () => {
    const { out, err, exitCode } = await call([draft('minuta.txt', DRAFT)]);
    expect(exitCode).toBe(2);
    const heads = out.split('\n').filter((line) => /^\S/u.test(line));
    expect(heads).toEqual([
      'confere             REsp 1.234.567/SP',
      'confere             Súmula 331 do TST',
      'não está nesta base HC 999.999/SP',
      'não está nesta base Súmula 7 do STJ',
      'diverge             REsp 1.234.567/SP',
    ]);
    expect(out).toContain('    stj:1 · REsp 1234567 / SP · STJ');
    expect(out).toContain('    relator: na citação Outro Nome; na base FULANA DE TAL');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(err).toBe('2 confere, 2 não está nesta base, 1 diverge\n');
  });

  it('prints a JSON line for each citation, and exits with 0 if all are confirmed', async () => {
    const text = 'Vale o RESP Nº 1234567 - SP (rel. p/ acórdão Min. Beltrano de Souza).';
    const { out, exitCode } = await call(['--json', '-'], text);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({
      texto: 'RESP Nº 1234567 - SP',
      inicio: 7,
      fim: 27,
      numero: '1234567',
      veredito: 'confere',
      ids: ['stj:1'],
    });
  });

  it('reads a .docx with footnotes and with text split into runs', async () => {
    const xml = (body: string) =>
      `<w:document xmlns:w="w" xmlns:mc="mc"><w:body>${body}</w:body></w:document>`;
    const text =
      '<w:p><w:r><w:t>Veja o REsp </w:t></w:r><w:r><w:t>1.234</w:t></w:r><w:r><w:t>.567/SP</w:t></w:r></w:p>' +
      '<w:p><w:del><w:delText>HC 1.111/SP</w:delText></w:del><mc:Fallback><w:t>HC 2.222/SP</w:t></mc:Fallback></w:p>';
    const note = '<w:p><w:r><w:t>Súmula 331</w:t></w:r><w:r><w:t>/TST &amp; outras</w:t></w:r></w:p>';
    const docx = zipSync({
      '[Content_Types].xml': strToU8('<Types/>'),
      'word/document.xml': strToU8(xml(text)),
      'word/footnotes.xml': strToU8(xml(note)),
    });
    const { out, exitCode } = await call(['--json', draft('minuta.docx', docx)]);
    const texts = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { texto: string }).texto);
    expect(texts).toEqual(['REsp 1.234.567/SP', 'Súmula 331/TST']);
    expect(exitCode).toBe(0);
  });

  it('refuses a .docx larger than declared, and other kinds of files, with the mend', async () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(65 * 1024 * 1024) });
    const cases: [string, string | Uint8Array, string][] = [
      ['bomba.docx', bomb, 'é grande demais depois de descomprimido'],
      [
        'cortado.docx',
        bomb.slice(0, 200),
        'não é um .docx que se leia: está cortado ou estragado; salve-o de novo',
      ],
      ['outro.docx', zipSync({ 'a.txt': strToU8('REsp 1') }), 'é um zip, e não um .docx'],
      ['minuta.pdf', '%PDF-1.7', 'salve-o como .docx ou como texto'],
      ['minuta.rtf', String.raw`{\rtf1 S\'famula 7 do STJ}`, 'é um RTF; salve-o como'],
      ['estragado.docx', 'REsp\0 1.234', 'de um tipo que não se lê; salve-o como'],
    ];
    for (const [name, content, message] of cases) {
      const { err, exitCode } = await call([draft(name, content)]);
      expect(exitCode).toBe(1);
      expect(err).toContain(message);
    }
    const missing = await call([join(folder, 'falta.txt')]);
    expect(missing.exitCode).toBe(1);
    expect(missing.err).toContain('falta.txt não pôde ser lido (ENOENT); confira o nome');
    expect(await call([])).toMatchObject({ exitCode: 1, err: expect.stringContaining('falta o argumento') });
  });

  it('reports a text without citations, and reads other encodings', async () => {
    expect(await call(['-'], 'Nada.')).toMatchObject({
      exitCode: 0,
      err: 'nenhuma citação de jurisprudência encontrada\n',
    });
    const latin = Uint8Array.from('Súmula 331 do TST', (letter) => letter.charCodeAt(0));
    expect(await call([draft('latin.txt', latin)])).toMatchObject({ exitCode: 0 });
  });

  it('exits as buscar does without a key or a service', async () => {
    const path = draft('uma.txt', 'REsp 1.234.567/SP');
    const codeWith = async (environment: Record<string, string>) =>
      (await call([path], undefined, environment)).exitCode;
    expect(await codeWith({ JURISPRUDENCIA_KEY: 'jur_errada' })).toBe(3);
    expect(await codeWith({ JURISPRUDENCIA_URL: 'http://127.0.0.1:9' })).toBe(5);
  });
});
