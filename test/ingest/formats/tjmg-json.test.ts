import { expect, test } from 'vitest';
import { tjmgJson } from '../../../src/ingest/formats/tjmg-json.ts';
import { read } from './support.ts';

/** By hand, from the documented fields: no raw answer of this format was at hand. */
const RECORD = {
  id: 'abc-1',
  tipoDocumento: 'Acórdão',
  ementa:
    '<p>EMENTA: APELAÇÃO CÍVEL - <b>DANO</b> MORAL - Recurso a que se nega provimento, por unanimidade.</p>',
  orgaoJulgador: '1ª CÂMARA CÍVEL',
  julgamentoData: '2024-01-09',
  publicacaoData: '10/01/2024',
  numeroProcessoTj: '1.0000.24.506095-9/001',
  numeroProcessoCnj: '00429480420168130407',
  magistrado: 'Des.(a) Fulana de Tal (JD 2G)',
  classe: 'Apelação Cível',
  documentoId: 'doc-1',
  comarca: 'Belo Horizonte',
  assuntos: ['Dano moral'],
  highlights: { inteiroTeor: ['um <b>trecho</b>'] },
};
const tjmg = (...jurisprudencias: readonly object[]) =>
  read(tjmgJson, 'tjmg', JSON.stringify({ totalRecords: jurisprudencias.length, jurisprudencias }));

test('a record of the TJMG is mapped field by field', async () => {
  const { decisoes, documentos } = await tjmg(RECORD);
  expect(decisoes[0]!.chave).toBe('abc-1');
  expect(documentos[0]).toEqual({
    id: 'tjmg:1',
    base: 'tjmg',
    fonte: 'TJMG',
    tipo: 'acordao',
    processo: '0042948-04.2016.8.13.0407',
    classe: { sigla: null, descricao: 'Apelação Cível' },
    orgao_julgador: '1ª CÂMARA CÍVEL',
    relator: 'Fulana de Tal (JD 2G)',
    redator: null,
    data_julgamento: '2024-01-09',
    data_publicacao: '2024-01-10',
    ementa_status: 'completa',
    ementa: 'APELAÇÃO CÍVEL - DANO MORAL - Recurso a que se nega provimento, por unanimidade.',
    tese: null,
    dispositivo: null,
    inteiro_teor: { existe_na_origem: true, caracteres: null },
    citacao: null,
    legislacao_citada: null,
    temas: null,
    extras: {
      id_origem: 'abc-1',
      numeroProcessoTj: '1.0000.24.506095-9/001',
      documentoId: 'doc-1',
      comarca: 'Belo Horizonte',
      assuntos: ['Dano moral'],
    },
  });
});

test('an ementa with stray < or > loses no word', async () => {
  const ementa = '<p>< EMENTA: <<RECURSO PROVIDO.<br />Texto & mais.</p>';
  const { documentos } = await tjmg({ ...RECORD, ementa }, { ...RECORD, ementa: '<RECURSO PROVIDO.' });
  expect(documentos.map((one) => one.ementa)).toEqual([
    'RECURSO PROVIDO.\nTexto & mais.',
    'RECURSO PROVIDO.',
  ]);
});

test('a punctuated CNJ number stays as it is, with its suffix', async () => {
  const { documentos } = await tjmg({ ...RECORD, numeroProcessoCnj: '0042948-04.2016.8.13.0407 (1)' });
  expect(documentos[0]!.processo).toBe('0042948-04.2016.8.13.0407 (1)');
});

test.each(['Decisão Monocrática', 'Turma Recursal', 'Decisão da Vice-Presidência'])(
  'a %s is left out',
  async (tipoDocumento) => {
    expect((await tjmg({ ...RECORD, tipoDocumento })).leftOut).toEqual([`tipoDocumento ${tipoDocumento}`]);
  },
);

test('a record without an id is rejected', async () => {
  expect((await tjmg({ ...RECORD, id: null })).rejects).toEqual([
    expect.stringMatching(/^record 1: id: missing/),
  ]);
});
