import { expect, test } from 'vitest';
import { trt3Falcao } from '../../../src/ingest/formats/trt3-falcao.ts';
import { read } from './support.ts';

/** By hand, from the documented fields: no raw answer of this format was at hand. */
const DOCUMENTO = {
  numeroProcesso: '0010123-45.2024.5.03.0001',
  tribunal: 'TRT3',
  relator: 'FULANA DE TAL',
  turma: '1ª Turma',
  gabinete: 'Gab. Des. Fulana',
  classeProcesso: 'Recurso Ordinário Trabalhista',
  siglaClasseProcesso: 'ROT',
  dataJulgamento: '11/03/2026',
  dataJuntada: '12/03/2026',
  idDocumentoAcordao: 'ABC123',
  referenciaLegislativa: ['art_11_clt'],
  possuiEmenta: 'S',
  ementa:
    '<div>EMENTA: HORAS EXTRAS.&nbsp;CONTROLE DE JORNADA.<br/>Recurso a que se d&aacute; provimento.</div>',
  textoAcordao: '<p>ACÓRDÃO</p><p>Vistos. <img src="data:image/png;base64,AAAA"/> Dou provimento.</p>',
  highlightEmenta: '<mark>HORAS</mark>',
};
const falcao = (...documentos: readonly object[]) =>
  read(trt3Falcao, 'trt3', JSON.stringify({ quantidadeTotal: 10_000, documentos }));

test('a documento of Falcão is mapped field by field, with its text measured and not stored', async () => {
  const { decisoes, documentos } = await falcao(DOCUMENTO);
  expect(decisoes[0]!.chave).toBe('ABC123');
  expect(documentos[0]).toEqual({
    id: 'trt3:1',
    base: 'trt3',
    fonte: 'TRT3',
    tipo: 'acordao',
    processo: '0010123-45.2024.5.03.0001',
    classe: { sigla: 'ROT', descricao: 'Recurso Ordinário Trabalhista' },
    orgao_julgador: '1ª Turma',
    relator: 'FULANA DE TAL',
    redator: null,
    data_julgamento: '2026-03-11',
    data_publicacao: null,
    ementa_status: 'completa',
    ementa: 'HORAS EXTRAS. CONTROLE DE JORNADA.\nRecurso a que se dá provimento.',
    tese: null,
    dispositivo: null,
    inteiro_teor: { existe_na_origem: true, caracteres: 'ACÓRDÃO\nVistos. Dou provimento.'.length },
    citacao: null,
    legislacao_citada: ['art_11_clt'],
    temas: null,
    extras: {
      gabinete: 'Gab. Des. Fulana',
      dataJuntada: '12/03/2026',
      idDocumentoAcordao: 'ABC123',
      possuiEmenta: 'S',
    },
  });
});

test('a documento with an empty ementa is found by its text', async () => {
  const { decisoes, documentos } = await falcao({ ...DOCUMENTO, ementa: '' });
  expect(documentos[0]).toMatchObject({ ementa: null, ementa_status: 'ausente' });
  expect(decisoes[0]!.indexed.ementa).toBe('ACÓRDÃO\nVistos. Dou provimento.');
});

test.each([
  ['EMENTA<br>HORAS EXTRAS.', 'HORAS EXTRAS.'],
  ['<p><<RECURSO DA RÉ.</p><p>Provido.</p>', 'RECURSO DA RÉ.\nProvido.'],
])('the ementa %s loses its heading and no other word', async (came, ementa) => {
  expect((await falcao({ ...DOCUMENTO, ementa: came })).documentos[0]!.ementa).toBe(ementa);
});

test('fields of the search rather than the decision are dropped, so that overlapping searches agree', async () => {
  const { idDocumentoAcordao, ...rest } = { ...DOCUMENTO, campo: 1 };
  const { decisoes, documentos } = await falcao(
    { ...rest, score: 12.5, highlightTexto: 'x', _score: 1 },
    { ...rest, score: 3, ranking: 7, highlights: ['y'] },
    rest,
  );
  expect(idDocumentoAcordao).toBe('ABC123');
  expect(new Set(decisoes.map(({ chave, digest }) => chave + Buffer.from(digest).toString('hex'))).size).toBe(
    1,
  );
  expect(Object.keys(documentos[0]!.extras)).toContain('campo');
  expect(JSON.stringify(documentos[0]!.extras)).not.toMatch(/score|highlight|ranking/);
});

test('a field None counts as absent', async () => {
  const { leftOut } = await falcao({ ...DOCUMENTO, tipoDocumento: 'None', colecao: 'sentencas' });
  expect(leftOut).toEqual(['tipoDocumento sentencas']);
});

test('other names of the same fields are read, and a redator other than the relator is given', async () => {
  const { relator, turma, ...rest } = DOCUMENTO;
  const { documentos } = await falcao({
    ...rest,
    nomeRelator: relator,
    orgaoJulgador: turma,
    nomeRedator: 'BELTRANO',
    dataJulgamento: '2026-03-11T00:00:00',
  });
  expect(documentos[0]).toMatchObject({
    relator: 'FULANA DE TAL',
    redator: 'BELTRANO',
    orgao_julgador: '1ª Turma',
    data_julgamento: '2026-03-11',
  });
});

test('a documento of another labour court, or that is no acórdão, is left out', async () => {
  const { leftOut, documentos } = await falcao(
    { ...DOCUMENTO, tribunal: 'TRT4' },
    { ...DOCUMENTO, tribunal: 'TRT13' },
    { ...DOCUMENTO, tribunal: 'TST' },
    { ...DOCUMENTO, tipoDocumento: 'sentencas' },
    { ...DOCUMENTO, tribunal: 'TRT03' },
  );
  expect(leftOut).toEqual(['tribunal TRT4', 'tribunal TRT13', 'tribunal TST', 'tipoDocumento sentencas']);
  expect(documentos).toHaveLength(1);
});

test('a documento without an id has its content as key, and without a number too is rejected', async () => {
  const { idDocumentoAcordao, ...rest } = DOCUMENTO;
  const { decisoes, rejects } = await falcao(rest, { ...rest, numeroProcesso: '' });
  expect(idDocumentoAcordao).toBe('ABC123');
  expect(decisoes[0]!.chave).toMatch(/^sha256:/);
  expect(rejects).toEqual(['documento 2: idDocumentoAcordao and numeroProcesso: both missing']);
});

test('legislation is read from a list or a text, under both names, and any other value stays in extras', async () => {
  const { documentos } = await falcao(
    { ...DOCUMENTO, referenciaLegislativa: ['Lei 8.036/1990', 'CLT, art. 62'], legislacao: 'CLT, art. 62' },
    { ...DOCUMENTO, referenciaLegislativa: null, legislacao: 'Lei 8.036/1990; CLT, art. 62' },
    { ...DOCUMENTO, referenciaLegislativa: [{ codigo: 7 }] },
  );
  expect(documentos.map((documento) => documento.legislacao_citada)).toEqual([
    ['Lei 8.036/1990', 'CLT, art. 62'],
    ['Lei 8.036/1990; CLT, art. 62'],
    null,
  ]);
  expect(documentos[2]!.extras).toMatchObject({ referenciaLegislativa: [{ codigo: 7 }] });
});

test.each(['textoCompleto', 'inteiroTeor', 'textoDecisao', 'textoAcordao', 'conteudoDecisao', 'texto'])(
  'a single document’s text in %s is measured, indexed if there is no ementa, and never served',
  async (name) => {
    const { numeroProcesso, tribunal } = DOCUMENTO;
    const single = { id: '7', tribunal, numeroProcesso, classeProcessual: 'ROT', ementa: '' };
    const text = '<p>O canto do jacurutu.</p>';
    const { decisoes, documentos } = await falcao(
      { ...single, [name]: text },
      { ...single, ementa: 'E', [name]: text },
    );
    expect(decisoes.map(({ indexed }) => indexed.ementa)).toEqual(['O canto do jacurutu.', 'E']);
    for (const documento of documentos) {
      expect(documento).toMatchObject({
        classe: { sigla: 'ROT', descricao: null },
        inteiro_teor: { caracteres: 'O canto do jacurutu.'.length },
      });
      expect(JSON.stringify(documento)).not.toContain('jacurutu');
    }
  },
);

test.each([
  [{ tipo: 'SUMULA' }, 'tipo SUMULA'],
  [{ tipo: { valor: 'OJ' }, numeroProcesso: null }, 'tipo OJ'],
  [{ tipo: 'IRDR' }, 'tipo IRDR'],
  [{ tipo: 'TEMA', numeroProcesso: null }, 'tipo TEMA'],
  [{ tituloDecisao: 'SÚMULA Nº 99, DO TRT3' }, 'tituloDecisao SÚMULA Nº 99, DO TRT3'],
  [{ tribunal: null, origemDocumentos: 'TST' }, 'origemDocumentos TST'],
  [{ descricaoTribunal: 'Tribunal Superior do Trabalho' }, 'descricaoTribunal Tribunal Superior do Trabalho'],
])('%j is no acórdão of the TRT3, and is left out', async (fields, reason) => {
  expect((await falcao({ ...DOCUMENTO, ...fields })).leftOut).toEqual([reason]);
});

test.each([
  { tipo: 'ACORDAO', tituloDecisao: 'Acórdão da 5ª Turma' },
  { tipo: 'ROT' },
  { descricaoTribunal: 'TRT da 3ª Região', origemDocumentos: 'TRT3' },
  { tribunal: 'Tribunal Regional do Trabalho da 3ª Região' },
])('%j is loaded', async (fields) => {
  expect((await falcao({ ...DOCUMENTO, ...fields })).documentos).toHaveLength(1);
});
