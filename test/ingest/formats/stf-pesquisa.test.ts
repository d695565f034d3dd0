import { describe, expect, test } from 'vitest';
import { recordJson } from '../../../src/index/format/record.ts';
import { stfPesquisa } from '../../../src/ingest/formats/stf-pesquisa.ts';
import { hasOrigens, read, readOrigem } from './support.ts';

describe.skipIf(!hasOrigens())('a raw answer of the STF', () => {
  test('is mapped field by field, for every hit', async () => {
    const { decisoes, documentos, rejects } = await readOrigem(
      stfPesquisa,
      'stf',
      'stf/stf_juris_infanticidio.json',
    );
    expect(rejects).toEqual([]);
    // The answer counts three hits, and two of them are in it.
    expect(decisoes.map(({ chave }) => chave)).toEqual(['sjur561554', 'sjur500000']);
    expect(documentos[0]).toEqual({
      id: 'stf:1',
      base: 'stf',
      fonte: 'STF',
      tipo: 'acordao',
      processo: 'ARE 1589201 AgR-segundo',
      classe: { sigla: 'ARE-AgR-segundo', descricao: 'SEGUNDO AG.REG. NO RECURSO EXTRAORDINARIO COM AGRAVO' },
      orgao_julgador: 'Primeira Turma',
      relator: 'FLAVIO DINO',
      redator: null,
      data_julgamento: '2026-04-29',
      data_publicacao: '2026-05-06',
      ementa_status: 'completa',
      ementa:
        'Direito processual penal. Homicidio qualificado. Desclassificacao para infanticidio. Agravo nao provido.',
      tese: null,
      dispositivo: 'A Turma, por unanimidade, conheceu do segundo agravo interno e negou-lhe provimento.',
      inteiro_teor: { existe_na_origem: true, caracteres: null },
      citacao: 'PROCESSO ELETRONICO DJe PUBLIC 06-05-2026',
      legislacao_citada: ['CF-1988 ART-00093 INC-00009'],
      temas: null,
      extras: {
        id_origem: 'sjur561554',
        processo_numero: 1589201,
        acompanhamento_processual_url:
          'https://portal.stf.jus.br/processos/listarProcessos.asp?numeroProcesso=1589201&classe=ARE',
        dje_url:
          'https://portal.stf.jus.br/servicos/dje/listarDiarioJustica.asp?tipoPesquisaDJ=AP&numero=1589201&classe=ARE',
        partes_lista_texto: 'AGTE.(S): EXEMPLO SANITIZADO\nAGDO.(A/S): MINISTERIO PUBLICO',
        documental_indexacao_texto: '- VIDE EMENTA.',
        documental_observacao_texto: 'Numero de paginas: 17.',
        documental_assunto_texto: 'Direito processual penal',
        is_repercussao_geral: false,
        dg_atualizado_em: '2026-07-07T08:40:20.366994',
        inteiro_teor_url:
          'https://portal.stf.jus.br/jurisprudencia/obterInteiroTeor.asp?idDocumento=797183228',
      },
    });
    expect(documentos[1]).toMatchObject({
      processo: 'HC 123456',
      classe: { sigla: 'HC', descricao: 'HABEAS CORPUS' },
      orgao_julgador: 'Segunda Turma',
      relator: 'MINISTRA EXEMPLO',
      data_julgamento: '2025-05-01',
      data_publicacao: '2025-05-08',
      ementa: 'Habeas corpus. Direito penal. Exemplo publico representativo.',
      dispositivo: null,
    });
  });
});

const answer = (...sources: readonly object[]) =>
  JSON.stringify({
    result: {
      hits: {
        total: { value: sources.length },
        hits: sources.map((_source) => ({ _source, highlight: { decisao_texto: ['um <em>trecho</em>'] } })),
      },
    },
  });
const stf = (...sources: readonly object[]) => read(stfPesquisa, 'stf', answer(...sources));

/** By hand, from the documented fields. */
describe('other bases of the STF', () => {
  const monocratica = {
    base: 'decisoes',
    id: 'sjur999111',
    titulo: 'Rcl 97875',
    processo_classe_processual_unificada_classe_sigla: 'Rcl',
    relator_processo_nome: 'RELATOR DO PROCESSO',
    relator_decisao_nome: 'RELATOR DA DECISÃO',
    julgamento_data: '2026-08-06',
    decisao_texto: 'Decisão: Trata-se de <em>reclamação</em>. Ante o exposto, nego seguimento.',
  };

  test('a decisão monocrática is found and measured by its text, which is not served', async () => {
    const { decisoes, documentos } = await stf(monocratica);
    expect(documentos[0]).toMatchObject({
      tipo: 'decisao_monocratica',
      processo: 'Rcl 97875',
      relator: 'RELATOR DA DECISÃO',
      ementa: null,
      ementa_status: 'ausente',
      dispositivo: null,
      inteiro_teor: {
        existe_na_origem: true,
        caracteres: 'Decisão: Trata-se de reclamação. Ante o exposto, nego seguimento.'.length,
      },
      extras: { id_origem: 'sjur999111' },
    });
    expect(decisoes[0]!.indexed.ementa).toContain('nego seguimento');
    const { documento, resumo } = recordJson('stf', 1, decisoes[0]!);
    expect(documento + resumo).not.toMatch(/seguimento|um trecho/);
  });

  test('the length of a decisão that the search has cut is not given', async () => {
    const { documentos } = await stf({ ...monocratica, decisao_texto: 'palavra '.repeat(750) });
    expect(documentos[0]!.inteiro_teor).toEqual({ existe_na_origem: true, caracteres: null });
  });

  test.each([
    [
      { is_decisao_presidencia: true, presidente_nome: 'PRESIDENTE', relator_decisao_nome: null },
      'PRESIDENTE',
    ],
    [{ relator_decisao_nome: null }, 'RELATOR DO PROCESSO'],
    [{ relator_decisao_nome: null, relator_processo_nome: '', ministro_facet: ['FACETA'] }, 'FACETA'],
    [{ relator_decisao_nome: null, relator_processo_nome: '', ministro_facet: ['A', 'B'] }, null],
  ])('with %j is of %s', async (change, relator) => {
    expect((await stf({ ...monocratica, ...change })).documentos[0]!.relator).toBe(relator);
  });

  test('a súmula has its text as ementa', async () => {
    const { documentos } = await stf({
      base: 'sumulas',
      _id: 'x',
      id: 'seq-sumula735',
      sumula_numero: 735,
      is_vinculante: true,
      sumula_texto: 'Não cabe recurso extraordinário contra acórdão que defere medida liminar.',
      situacao_sumula: 'VIGENTE',
    });
    expect(documentos[0]).toMatchObject({
      tipo: 'sumula',
      processo: 'Súmula Vinculante 735',
      ementa: 'Não cabe recurso extraordinário contra acórdão que defere medida liminar.',
      inteiro_teor: { existe_na_origem: null, caracteres: null },
      extras: { situacao_sumula: 'VIGENTE', is_vinculante: true },
    });
  });

  test('an informativo has its date without the time, and no ementa', async () => {
    const { documentos } = await stf({
      base: 'novo_informativo',
      id: 'novo-informativo-11499',
      titulo: 'Informativo 1115',
      ministro_facet: ['ROSA WEBER'],
      orgao_julgador: 'Tribunal Pleno',
      julgamento_data: '2023-11-10T03:00:00-03:00',
    });
    expect(documentos[0]).toMatchObject({
      tipo: 'informativo',
      processo: 'Informativo 1115',
      relator: 'ROSA WEBER',
      data_julgamento: '2023-11-10',
      data_publicacao: null,
      ementa: null,
    });
  });

  test('an informativo’s resumo is its ementa, its conteúdo the full text', async () => {
    const { decisoes, documentos } = await stf({
      base: 'novo_informativo',
      id: 'novo-informativo-1',
      titulo_noticia: 'Urutau e competência',
      resumo_noticia: '<p>É inconstitucional a lei do urutau.</p>',
      conteudo_noticia: 'O Plenário julgou o jacurutu.',
    });
    expect(documentos[0]).toMatchObject({
      ementa: 'É inconstitucional a lei do urutau.',
      inteiro_teor: { existe_na_origem: true, caracteres: 'O Plenário julgou o jacurutu.'.length },
      extras: { titulo_noticia: 'Urutau e competência' },
    });
    expect(decisoes[0]!.indexed.ementa).toContain('urutau');
    expect(JSON.stringify(documentos[0])).not.toContain('jacurutu');
  });

  test.each(['acordaos', 'decisoes'])(
    '%s may have a whole text, which is preferred to a cut one',
    async (base) => {
      const { decisoes, documentos } = await stf(
        { base, id: '1', inteiro_teor_texto: 'Voto do jacurutu.', decisao_texto: 'palavra '.repeat(750) },
        { base, id: '2', decisao_texto: 'Decisão do jacurutu.' },
      );
      expect(decisoes.map(({ indexed }) => indexed.ementa)).toEqual([
        'Voto do jacurutu.',
        'Decisão do jacurutu.',
      ]);
      expect(documentos.map(({ inteiro_teor }) => inteiro_teor.caracteres)).toEqual([17, 20]);
      expect(JSON.stringify(documentos)).not.toContain('jacurutu');
    },
  );

  test('an acórdão has its redator if another judge wrote it, and reads lists as texts', async () => {
    const { documentos } = await stf({
      base: 'acordaos',
      id: 1,
      processo_numero: '7764',
      relator_processo_nome: 'A',
      relator_acordao_nome: 'B',
      ementa_texto: 'E M E N T A: DIREITO. Provido o recurso, nos termos do voto do relator, por maioria.',
      documental_legislacao_citada_texto: 'LEG-FED   LEI-014133 ANO-2021\n ART-00075',
      documental_tese_texto: 'É inconstitucional a dispensa.',
      documental_tese_tema_texto: 'Tema 1234',
    });
    expect(documentos[0]).toMatchObject({
      relator: 'A',
      redator: 'B',
      ementa: 'DIREITO. Provido o recurso, nos termos do voto do relator, por maioria.',
      legislacao_citada: ['LEG-FED   LEI-014133 ANO-2021\nART-00075'],
      tese: 'É inconstitucional a dispensa.',
      temas: ['Tema 1234'],
      extras: { processo_numero: '7764' },
    });
  });

  test('an ementa loses a heading on a line of its own', async () => {
    const { documentos } = await stf({
      base: 'acordaos',
      id: '1',
      ementa_texto: 'EMENTA\r\n\r\nAgravo regimental.\r\n1. Provido.',
    });
    expect(documentos[0]!.ementa).toBe('Agravo regimental.\n1. Provido.');
  });

  test('Python’s output is read as its values', async () => {
    const text = answer({
      base: 'sumulas',
      id: 'None',
      sumula_numero: 7,
      is_vinculante: 'True',
      ministro_facet: "['FULANO']",
      documental_legislacao_citada_texto: "['LEG-FED LEI-1', 'LEG-FED LEI-2']",
      inteiro_teor_url: 'None',
    }).replace('"_source"', '"_id":"seq-7","_source"');
    const { decisoes, documentos } = await read(stfPesquisa, 'stf', text);
    expect(decisoes[0]!.chave).toBe('seq-7');
    expect(documentos[0]).toMatchObject({
      processo: 'Súmula Vinculante 7',
      relator: 'FULANO',
      legislacao_citada: ['LEG-FED LEI-1', 'LEG-FED LEI-2'],
      inteiro_teor: { existe_na_origem: null },
    });
    expect(documentos[0]!.extras).not.toHaveProperty('inteiro_teor_url');
  });

  test('one of an unknown kind is left out, and a hit without an id rejected', async () => {
    const { leftOut, rejects } = await stf({ base: 'outra', id: '1' }, { base: 'acordaos' });
    expect(leftOut).toEqual(['base outra']);
    expect(rejects).toEqual([expect.stringMatching(/^hit 2: id: missing/)]);
  });
});
